import type { CodedResult } from '../../model/index.ts';
import { type JsonObject, objectOf } from '../lines/index.ts';
import { onlyResult } from './message-text.ts';
import type { ScannedLine } from './scan-line.ts';

/**
 *     {"type":"user","uuid":"r1","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"✓ done"}]},"toolUseResult":…}
 *
 * What a result says, for who looks for words in bytes: the output of tools is most of a log, and a single `✓` in it makes reading the
 * line a third slower, because its text has two bytes a character then. Null where it has to be read as text.
 */
export function codedResult(scanned: ScannedLine, object: JsonObject): CodedResult | null {
  const said = scanned.coded();
  const block = onlyResult(objectOf(object.message)?.content);
  if (!said || !block || mayBePreview(said.output)) return null;
  return { of: block.tool_use_id as string, output: said.output };
}

/** Whether a result may be only the beginning of an output that lies in a file. */
function mayBePreview(output: unknown): boolean {
  const first = Array.isArray(output) ? objectOf(output[0])?.text : output;
  return typeof first === 'string' && PREVIEW.test(first);
}

/** White space may be beyond ASCII. */
const PREVIEW = /^[\s\x80-\xff]*<persisted-output>/;
