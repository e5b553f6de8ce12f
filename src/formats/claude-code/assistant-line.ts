import { type CallName, fingerprint, type More, type Place, type Warning } from '../../model/index.ts';
import { type JsonObject, listOf, objectOf, textOf } from '../lines/index.ts';
import type { Envelope } from './envelope.ts';
import { NO_CALLS, type Reading } from './reading.ts';
import { contentDigest, type ScannedLine } from './scan-line.ts';
import { callTokens } from './spawn-tokens.ts';
import { advisorUsage, readUsage, responseOf } from './usage.ts';
import { COMPACTION_SUMMARY, extend, RECORD } from './user-line.ts';

/**
 *     {"type":"assistant","uuid":"a1","parentUuid":"u1","message":{"id":"msg_1","model":"…","content":[{"type":"tool_use",…}],"usage":{…}}}
 *
 * One block per line: all lines with the same `message.id` are one answer (H1).
 */
export function readAssistant(object: JsonObject, envelope: Envelope, scanned: ScannedLine | null): Reading {
  const message = objectOf(object.message);
  const id = textOf(message?.id);
  const compaction = object.isCompactSummary === true;
  const place = compaction ? COMPACTION_SUMMARY : id === null ? RECORD : partOf(id, textOf(object.requestId));
  let more = isFiller(message) ? HIDDEN : null;
  const usage = message ? readUsage(object, message, id ?? responseOf(object, envelope.ref)) : null;
  const spent = usage && advisorUsage(message, usage.key, envelope.time);
  if (spent) more = extend(more, { spent });
  return {
    kind: compaction ? 'compaction' : 'assistant',
    place,
    origin: null,
    digest: contentDigest(scanned, message?.content, 2),
    more,
    calls: readCalls(message?.content),
    usage,
    stop: textOf(message?.stop_reason),
    parent: null,
    edge: null,
  };
}

const HIDDEN: More = { hidden: true };

/** The agent answers itself where an answer is due and none is wanted. */
function isFiller(message: JsonObject | null): boolean {
  if (message?.model !== '<synthetic>') return false;
  const [first] = listOf(message.content);
  return objectOf(first)?.text === 'No response requested.';
}

function readCalls(content: unknown): readonly CallName[] {
  if (!Array.isArray(content)) return NO_CALLS;
  let calls: CallName[] | null = null;
  for (const block of content) {
    if (block === null || typeof block !== 'object' || block.type !== 'tool_use') continue;
    const id = textOf(block.id);
    if (id === null) continue;
    const name = textOf(block.name) ?? 'unknown';
    const call = { id, name, tokens: callTokens(name, block.input) };
    if (calls) calls.push(call);
    else calls = [call];
  }
  return calls ?? NO_CALLS;
}

let lastPart: Place & { as: 'part' } = { as: 'part', of: '', request: 0 };
let lastRequest: string | null = null;

/** The lines of an answer follow each other: they share their place. */
function partOf(id: string, request: string | null): Place {
  if (lastPart.of === id && lastRequest === request) return lastPart;
  lastPart = { as: 'part', of: id, request: request === null ? 0 : fingerprint(request) };
  lastRequest = request;
  return lastPart;
}

export function missingUuid(object: JsonObject, envelope: Envelope): Warning | null {
  if (textOf(object.uuid) !== null) return null;
  const type = String(object.type);
  return {
    type: 'missing_required_field',
    detail: `${type}.uuid`,
    message: `Record of type '${type}' has no uuid; it is kept as ${envelope.key}`,
  };
}
