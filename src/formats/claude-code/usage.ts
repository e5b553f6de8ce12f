import { type LineRef, parseTime, type Spent, type Usage } from '../../model/index.ts';
import { type JsonObject, listOf, objectOf, textOf } from '../lines/index.ts';

const count = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;

/** Without any id a line stands alone (H1), and so does what it used. */
export const responseOf = ({ requestId, uuid }: JsonObject, ref: LineRef): string =>
  textOf(requestId) ?? textOf(uuid) ?? `${ref.file}:${ref.line}`;

/** `<synthetic>` answers are made by the agent itself and cost nothing. */
export function readUsage(object: JsonObject, message: JsonObject, key: string): Usage | null {
  const usage = objectOf(message.usage);
  const named = textOf(message.model) ?? 'unknown';
  if (!usage || named === '<synthetic>') return null;
  const { input, output, cacheRead, cacheWrite5m, cacheWrite1h } = readTokens(usage);
  const cost = object.costUSD;
  const last = lastUsage;
  const model = last?.model === named ? last.model : named;
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

function readTokens(usage: JsonObject): Omit<Usage, 'key' | 'model' | 'costUsd' | 'fast'> {
  const created = count(usage.cache_creation_input_tokens);
  const hour = count(objectOf(usage.cache_creation)?.ephemeral_1h_input_tokens);
  return {
    input: count(usage.input_tokens),
    output: count(usage.output_tokens),
    cacheRead: count(usage.cache_read_input_tokens),
    cacheWrite5m: Math.max(0, created - hour),
    cacheWrite1h: Math.min(hour, created),
  };
}

/**
 *     "usage":{"input_tokens":9,…,"iterations":[{"type":"message",…},{"type":"advisor_message","model":"claude-opus-4-6","input_tokens":5000,…}]}
 *
 * What the model itself used is in the figures above the iterations; what an advisor used is not.
 */
export function advisorUsage(message: JsonObject | null, key: string, time: number | null): readonly Spent[] | null {
  const all = listOf(objectOf(message?.usage)?.iterations);
  const spent = all.flatMap((each, i): Spent[] => {
    const iteration = objectOf(each);
    if (iteration?.type !== ADVISOR) return [];
    const model = textOf(iteration.model) ?? 'unknown';
    return [{ usage: { key: `${key}/${i}`, model, ...readTokens(iteration), costUsd: null }, time }];
  });
  return spent.length > 0 ? spent : null;
}

export const ADVISOR = 'advisor_message';

/** What a sub-agent used, as the lines of the session tell it while it works: `"data":{"type":"agent_progress","message":{"message":{…}}}`. */
export function progressUsage(data: JsonObject | null, ref: LineRef): readonly Spent[] | null {
  const line = objectOf(data?.message);
  const message = objectOf(line?.message);
  if (!line || !message || line.type !== 'assistant') return null;
  const key = textOf(message.id) ?? responseOf(line, ref);
  const usage = readUsage(line, message, key);
  if (!usage) return null;
  const time = parseTime(line.timestamp);
  const advice = advisorUsage(message, key, time) ?? [];
  return [{ usage, time }, ...advice].map((each) => ({ ...each, isSubagent: true }));
}

/** Most lines of an answer repeat its usage, and most answers name the same model: held once. */
let lastUsage: Usage | null = null;
