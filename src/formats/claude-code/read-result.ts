import { type CodedResult, codesOf, decodeCodes, findBytes, isAt, isUtf8 } from '../../model/index.ts';
import { type JsonObject, objectOf } from '../lines/index.ts';
import { leaveOutDetail } from './leave-out-detail.ts';
import { onlyResult } from './message-text.ts';
import { TAIL } from './spawn-tokens.ts';

export interface ResultLine {
  /** What a result says is left as codes: nothing of it is looked at but its digest. Details may be empty. All else is text. */
  readonly object: JsonObject;
  readonly result: CodedResult;
  /** The whole line; where details will not be asked for, without them. */
  readonly codes: string;
}

/**
 *     {"type":"user","uuid":"r1","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"✓ done"}]},"toolUseResult":…}
 *
 * The output of tools is most of a log, and a single `✓` in it makes reading the line a third slower: its text has two bytes a character
 * then. So it is parsed as codes. Null where the line is not as expected, or something that is looked at may be more than plain ASCII:
 * then it is read as text.
 */
export function readResult(bytes: Uint8Array, isAscii: boolean, details: boolean): ResultLine | null {
  if (!namesCall(bytes) || !(isAscii || isUtf8(bytes))) return null;
  const shorter = leaveOutDetail(bytes);
  const codes = codesOf(shorter ?? bytes);
  if (codes === null || escapesBeyondAscii(codes)) return null;
  const object = parse(codes);
  if (object?.type !== 'user' || (shorter && object.toolUseResult === undefined)) return null;
  const block = onlyResult(objectOf(object.message)?.content);
  if (!block || mayBePreview(block.content, object.toolUseResult)) return null;
  if (!isAscii && !decodeMembers(object, block)) return null;
  const whole = shorter && details ? (codesOf(bytes) ?? codes) : codes;
  return { object, result: { of: block.tool_use_id as string, output: block.content }, codes: whole };
}

/**
 * The call is named before its output; any other line would be parsed for nothing. It mostly stands where it stood last, and so does what
 * begins an answer: looking for it takes longer.
 */
function namesCall(bytes: Uint8Array): boolean {
  if (isAt(bytes, CALL, lastCall)) return true;
  if (isAt(bytes, ANSWER, lastAnswer)) return false;
  const head = bytes.subarray(0, HEAD);
  const call = findBytes(head, CALL);
  if (call >= 0) lastCall = call;
  const answer = call < 0 ? findBytes(head, ANSWER) : -1;
  if (answer >= 0) lastAnswer = answer;
  return call >= 0;
}

const HEAD = 768;
const encoder = new TextEncoder();
const CALL = encoder.encode('"tool_use_id"');
const ANSWER = encoder.encode('"message":{"model":');
let lastCall = -1;
let lastAnswer = -1;

/** Whether a character is written as an escape that would not be told from a code. Those of control characters are none. */
function escapesBeyondAscii(json: string): boolean {
  for (let at = json.indexOf('\\u'); at >= 0; at = json.indexOf('\\u', at + 2)) {
    if (json.startsWith('00', at + 2) && json.charCodeAt(at + 4) < EIGHT) continue;
    let before = at;
    while (json.charCodeAt(before - 1) === BACKSLASH) before--;
    // Of two backslashes the first makes the second one plain.
    if ((at - before) % 2 === 0) return true;
  }
  return false;
}

const EIGHT = 56;
const BACKSLASH = 92;

function parse(codes: string): JsonObject | null {
  try {
    return objectOf(JSON.parse(codes));
  } catch {
    return null;
  }
}

/** Whether a result may be only the beginning of an output that lies in a file. */
function mayBePreview(content: unknown, toolUseResult: unknown): boolean {
  if (objectOf(toolUseResult)?.persistedOutputPath !== undefined) return true;
  const first = Array.isArray(content) ? objectOf(content[0])?.text : content;
  return typeof first === 'string' && PREVIEW.test(first);
}

/** White space may be beyond ASCII. */
const PREVIEW = /^[\s\x80-\xff]*<persisted-output>/;

const isAsciiText = (value: unknown): boolean => typeof value !== 'string' || !BEYOND_ASCII.test(value);
const BEYOND_ASCII = /[^\0-\x7f]/;

/** False where something is looked at that is not one of them. */
function decodeMembers(object: { [key: string]: unknown }, block: JsonObject): boolean {
  if (!isAsciiText(block.tool_use_id) || namesAgent(object.toolUseResult, block.content)) return false;
  if (!isAsciiText(objectOf(object.forkedFrom)?.messageUuid)) return false;
  for (const key in object)
    if (key !== 'toolUseResult' && !isAsciiText(object[key])) object[key] = decodeCodes(object[key] as string);
  return true;
}

/** Whether the result of a call may say which sub-agent it started: that is looked for in text. */
function namesAgent(toolUseResult: unknown, content: unknown): boolean {
  const result = objectOf(toolUseResult);
  if (result) return ![result.agentId, result.agent_id, result.runId].every(isAsciiText);
  const last = Array.isArray(content) ? content.at(-1) : content;
  const text = typeof last === 'string' ? last : objectOf(last)?.text;
  return typeof text === 'string' && text.slice(-CODES * TAIL).includes('agentId:');
}

/** That a unit of text has at most. */
const CODES = 3;
