import { findBytes, isAt } from '../../model/index.ts';
import { skipObject } from '../lines/index.ts';

/**
 *     {"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"…"}]},"toolUseResult":{"stdout":"…"},"uuid":"r1"}
 *
 * The line of a result as if its tool had said `{}` beside it: that is a third of a log, and mostly says the same again. Null where it is
 * not as expected, or says something about the line. Where it was part of something else, it must not be left out: a line that has none
 * afterwards is to be read whole. The bytes are valid until the next line is asked for.
 */
export function leaveOutDetail(bytes: Uint8Array): Uint8Array | null {
  if (bytes.length < WORTH) return null;
  const from = findBytes(bytes, KEY_END) + KEY_END.length;
  if (!isAt(bytes, KEY, from - KEY.length)) return null;
  const to = skipObject(bytes, from, mayPass);
  if (to < 0 || findBytes(bytes, KEY_END, to) >= 0) return null;
  const size = from + EMPTY.length + bytes.length - to;
  if (size > room.length) room = new Uint8Array(2 * size);
  room.set(bytes.subarray(0, from));
  room.set(EMPTY, from);
  room.set(bytes.subarray(to), from + EMPTY.length);
  return room.subarray(0, size);
}

const encoder = new TextEncoder();
const KEY = encoder.encode('"toolUseResult":');
/** That begins with a letter that is rare: it is found in half the time. */
const KEY_END = encoder.encode('UseResult":');
/** Shorter lines are parsed sooner. */
const WORTH = 1024;
const EMPTY = encoder.encode('{}');

/** For the next line. */
let room = new Uint8Array(64 * 1024);

/** Which sub-agent was started, and where the output lies. */
const TELLING = ['agentId', 'agent_id', 'runId', 'persistedOutputPath'].map((key) => encoder.encode(key));
const BACKSLASH = 92;

function mayPass(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at] === BACKSLASH) return false;
  return !TELLING.some((key) => key.length === to - from && isAt(bytes, key, from));
}
