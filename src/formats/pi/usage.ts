import type { Usage } from '../../model/index.ts';
import { numberOf, objectOf, textOf } from '../lines/index.ts';
import type { Entry } from './entry.ts';

/**
 *     {"input":3,"output":120,"cacheRead":9000,"cacheWrite":400,"totalTokens":9523,"cost":{"input":0,…,"total":0.0123}}
 *
 * The cost is what Pi computed when it wrote the line.
 */
export function readUsage(entry: Entry, value: unknown, model: unknown): Usage | null {
  const usage = objectOf(value);
  if (!usage) return null;
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
  };
}

/** A fork keeps ids and times of the entries it copies: with both, a copy counts once. */
function usageKey({ object, id, key }: Entry): string {
  const time = textOf(object.timestamp);
  return time === null ? key : `${id}@${time}`;
}

const countOf = (value: unknown): number => Math.max(0, numberOf(value) ?? 0);
