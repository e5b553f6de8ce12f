import { findAscii, isAscii, isUtf8 } from '../../model/index.ts';
import { type JsonObject, objectOf, readObject, skipObject } from '../lines/index.ts';
import { onlyResult } from './message-text.ts';
import type { Form } from './reading.ts';

/**
 *     {"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"…"}]},"toolUseResult":{"stdout":"…"},"uuid":"r1"}
 *
 * Reads a line with a result as if its tool had said `{}` beside it: that is a third of a log, and mostly says the same again. Null where
 * the line is another one or not as expected, or where it says something about the line there.
 */
export function readWithoutDetail(bytes: Uint8Array): { readonly object: JsonObject; readonly form: Form } | null {
  const shorter = leaveOutDetail(bytes);
  if (!shorter) return null;
  const { object, warnings } = readObject(shorter, false);
  // Where it was part of something else, it must not be left out.
  if (object?.type !== 'user' || object.toolUseResult === undefined || warnings.length > 0) return null;
  return onlyResult(objectOf(object.message)?.content) ? { object, form: isAscii(bytes) ? 'codes' : 'text' } : null;
}

/** The call is named before its output. */
const HEAD = 768;
const RESULT = '"tool_use_id"';
const KEY = '"toolUseResult":';
/** Shorter lines are parsed sooner. */
const WORTH = 1024;
const EMPTY = [123, 125] as const;

/** For the next line. */
let room = new Uint8Array(64 * 1024);

function leaveOutDetail(bytes: Uint8Array): Uint8Array | null {
  if (bytes.length < WORTH || findAscii(bytes.subarray(0, HEAD), RESULT, 0) < 0) return null;
  const key = findAscii(bytes, KEY, 0);
  if (key < 0) return null;
  const from = key + KEY.length;
  const to = skipObject(bytes, from, mayPass);
  if (to < 0 || findAscii(bytes, KEY, to) >= 0 || !isUtf8(bytes)) return null;
  const size = from + EMPTY.length + bytes.length - to;
  if (size > room.length) room = new Uint8Array(2 * size);
  room.set(bytes.subarray(0, from));
  room.set(EMPTY, from);
  room.set(bytes.subarray(to), from + EMPTY.length);
  return room.subarray(0, size);
}

/** Which sub-agent was started, and where the output lies. */
const TELLING: readonly string[] = ['agentId', 'agent_id', 'runId', 'persistedOutputPath'];
const BACKSLASH = 92;

function mayPass(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at] === BACKSLASH) return false;
  return !TELLING.some((key) => key.length === to - from && findAscii(bytes.subarray(from, to), key, 0) === 0);
}
