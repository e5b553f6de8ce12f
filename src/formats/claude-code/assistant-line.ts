import type { CallName, Place, Usage, Warning } from '../../model/index.ts';
import { type JsonObject, listOf, objectOf, textOf } from '../lines/index.ts';
import type { Envelope } from './envelope.ts';
import { NO_CALLS, type Reading } from './reading.ts';
import { contentDigest, type ScannedLine } from './scan-line.ts';
import { callTokens } from './spawn-tokens.ts';
import { COMPACTION_SUMMARY, extend, FORKED, RECORD } from './user-line.ts';

/**
 *     {"type":"assistant","uuid":"a1","parentUuid":"u1","message":{"id":"msg_1","model":"…","content":[{"type":"tool_use",…}],"usage":{…}}}
 *
 * One block per line: all lines with the same `message.id` are one answer (H1).
 */
export function readAssistant(object: JsonObject, scanned: ScannedLine | null): Reading {
  const message = objectOf(object.message);
  const id = textOf(message?.id);
  const compaction = object.isCompactSummary === true;
  const place = compaction ? COMPACTION_SUMMARY : id === null ? RECORD : partOf(id);
  let more = objectOf(object.forkedFrom) ? FORKED : null;
  if (isFiller(message)) more = extend(more, { hidden: true });
  return {
    kind: compaction ? 'compaction' : 'assistant',
    place,
    origin: null,
    digest: contentDigest(scanned, message?.content, 2),
    more,
    calls: readCalls(message?.content),
    usage: message ? readUsage(object, message, id) : null,
    stop: textOf(message?.stop_reason),
    parent: null,
    edge: null,
  };
}

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

const count = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;

/** `<synthetic>` answers are made by the agent itself and cost nothing. */
function readUsage(object: JsonObject, message: JsonObject, id: string | null): Usage | null {
  const usage = objectOf(message.usage);
  const named = textOf(message.model) ?? 'unknown';
  if (!usage || named === '<synthetic>') return null;
  const created = count(usage.cache_creation_input_tokens);
  const hour = count(objectOf(usage.cache_creation)?.ephemeral_1h_input_tokens);
  const cost = object.costUSD;
  const last = lastUsage;
  const key = id ?? textOf(object.requestId) ?? `${object.uuid}`;
  const model = last?.model === named ? last.model : named;
  const input = count(usage.input_tokens);
  const output = count(usage.output_tokens);
  const cacheRead = count(usage.cache_read_input_tokens);
  const cacheWrite5m = Math.max(0, created - hour);
  const cacheWrite1h = Math.min(hour, created);
  const costUsd = typeof cost === 'number' ? cost : null;
  const fast = usage.speed === 'fast';
  const isSame =
    last?.key === key &&
    last.output === output &&
    last.input === input &&
    last.cacheRead === cacheRead &&
    last.cacheWrite5m === cacheWrite5m &&
    last.cacheWrite1h === cacheWrite1h &&
    last.model === model &&
    last.costUsd === costUsd &&
    (last.fast === true) === fast;
  if (isSame && last) return last;
  const said = { key, model, input, output, cacheRead, cacheWrite5m, cacheWrite1h, costUsd };
  lastUsage = fast ? { ...said, fast } : said;
  return lastUsage;
}

/** Most lines of an answer repeat its usage, and most answers name the same model: held once. */
let lastUsage: Usage | null = null;

let lastPart: Place & { as: 'part' } = { as: 'part', of: '' };

/** The lines of an answer follow each other: they share their place. */
function partOf(id: string): Place {
  if (lastPart.of !== id) lastPart = { as: 'part', of: id };
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
