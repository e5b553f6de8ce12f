import { codesOf, decodeCodes, isUtf8 } from '../../model/index.ts';
import { type JsonObject, objectOf } from '../lines/index.ts';
import { onlyResult } from './message-text.ts';

export interface ResultLine {
  /** What a result says is left as codes: nothing of it is looked at but its digest. All else is text. */
  readonly object: JsonObject;
  /** The whole line. */
  readonly codes: string;
}

/**
 *     {"type":"user","uuid":"r1","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"✓ done"}]},"toolUseResult":…}
 *
 * The output of tools is most of a log, and a single `✓` in it makes reading the line a third slower: its text has two bytes a character
 * then. So it is parsed as codes. Null where the line is not as expected, or something that is looked at may be more than plain ASCII:
 * then it is read as text.
 */
export function readResult(bytes: Uint8Array): ResultLine | null {
  const codes = isUtf8(bytes) ? codesOf(bytes) : null;
  if (codes === null || !codes.slice(0, HEAD).includes('"tool_use_id"')) return null;
  const object = parse(codes);
  if (object?.type !== 'user') return null;
  const block = onlyResult(objectOf(object.message)?.content);
  if (!block || !isAsciiText(block.tool_use_id) || namesAgent(object.toolUseResult, block.content)) return null;
  if (!isAsciiText(objectOf(object.forkedFrom)?.messageUuid)) return null;
  return decodeMembers(object, codes) ? { object, codes } : null;
}

/** The call is named before its output; any other line would be parsed for nothing. */
const HEAD = 512;

function parse(codes: string): JsonObject | null {
  try {
    return objectOf(JSON.parse(codes));
  } catch {
    return null;
  }
}

const isAsciiText = (value: unknown): boolean => typeof value !== 'string' || !BEYOND_ASCII.test(value);
const BEYOND_ASCII = /[^\0-\x7f]/;

/** Whether the result of a call may say which sub-agent it started: that is looked for in text. */
function namesAgent(toolUseResult: unknown, content: unknown): boolean {
  const result = objectOf(toolUseResult);
  if (result) return ![result.agentId, result.agent_id, result.runId].every(isAsciiText);
  const last = Array.isArray(content) ? content.at(-1) : content;
  const text = typeof last === 'string' ? last : objectOf(last)?.text;
  return typeof text === 'string' && text.includes('agentId:');
}

/** False when there is something to decode, and escapes that may already have become a character. */
function decodeMembers(object: { [key: string]: unknown }, codes: string): boolean {
  for (const key in object) {
    const value = object[key];
    if (key === 'toolUseResult' || isAsciiText(value)) continue;
    if (codes.includes('\\u')) return false;
    object[key] = decodeCodes(value as string);
  }
  return true;
}
