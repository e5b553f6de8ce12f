import { parseTime, type Usage } from '../../model/index.ts';
import { type JsonObject, numberOf, objectOf, textOf } from '../lines/index.ts';
import type { Entry } from './entry.ts';

/**
 *     {"input":3,"output":120,"cacheRead":9000,"cacheWrite":400,"totalTokens":9523,"cost":{"input":0,…,"total":0.0123}}
 *
 * The cost is what Pi computed when it wrote the line.
 */
export function readUsage(entry: Entry, value: unknown, model: unknown): Usage | null {
  const usage = objectOf(value);
  if (!usage) return null;
  const origin = usageOfOrigin(entry.object);
  if (origin) return origin;
  const written = countOf(usage.cacheWrite);
  // Pi and oh-my-pi each found a name for the part that is kept an hour.
  const hour = Math.min(written, countOf(usage.cacheWrite1h) || countOf(objectOf(usage.cttl)?.ephemeral1h));
  return {
    key: usageKey(entry),
    model: textOf(model) ?? 'unknown',
    input: countOf(usage.input),
    output: countOf(usage.output),
    cacheRead: countOf(usage.cacheRead),
    cacheWrite5m: written - hour,
    cacheWrite1h: hour,
    costUsd: numberOf(objectOf(usage.cost)?.total),
    ...(isOlderThanFork(entry) ? { isCopy: true } : {}),
  };
}

const isOlderThanFork = ({ object, scope }: Entry): boolean =>
  scope.forkedAt !== null && (parseTime(object.timestamp) ?? scope.forkedAt) < scope.forkedAt;

/**
 *     "skein":{"usage":{"key":"msg_1","model":"claude-opus-4-6","input":3,"output":120,…,"costUsd":null}}
 *
 * Beside an answer that was copied from a session of another agent: what it used, as it is counted there.
 */
function usageOfOrigin(object: JsonObject): Usage | null {
  const said = objectOf(objectOf(object.skein)?.usage);
  const key = textOf(said?.key);
  const model = textOf(said?.model);
  if (!said || key === null || model === null) return null;
  return {
    key,
    model,
    input: countOf(said.input),
    output: countOf(said.output),
    cacheRead: countOf(said.cacheRead),
    cacheWrite5m: countOf(said.cacheWrite5m),
    cacheWrite1h: countOf(said.cacheWrite1h),
    costUsd: numberOf(said.costUsd),
    ...(said.fast === true ? { fast: true as const } : {}),
    isCopy: true,
  };
}

/**
 * A fork keeps ids and times of the entries it copies: with both, a copy counts once. Where entries have no ids, it gives them those of
 * their places.
 */
function usageKey({ object, id, key, scope }: Entry): string {
  const time = textOf(object.timestamp);
  const given = textOf(object.id);
  const kept = scope.linear || given === null ? (scope.lastIdByCount() ?? id) : given;
  return time === null ? key : `${kept}@${time}`;
}

const countOf = (value: unknown): number => Math.max(0, numberOf(value) ?? 0);
