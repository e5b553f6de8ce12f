import type { LogRecord, Usage } from '../model/index.ts';
import { costOf, type PriceTable } from './prices.ts';

/** What some responses used together. */
export interface UsageSum {
  readonly responses: number;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** Null when the price of a model is unknown: it is never taken for free. */
  readonly costUsd: number | null;
  /** The cost of those whose price is known. */
  readonly knownCostUsd: number;
  /** Models without a price. */
  readonly unknownModels: readonly string[];
}

/** A response is written down once per line, copy and replay: it counts once, with the greatest output (H1). */
export function distinctUsage(records: Iterable<LogRecord>): Map<string, Usage> {
  const byKey = new Map<string, Usage>();
  for (const { usage } of records) {
    if (!usage) continue;
    const known = byKey.get(usage.key);
    if (!known || usage.output > known.output) byKey.set(usage.key, usage);
  }
  return byKey;
}

export const sumRecords = (records: Iterable<LogRecord>, table: PriceTable): UsageSum =>
  sumUsage(distinctUsage(records).values(), table);

export function sumUsage(usages: Iterable<Usage>, table: PriceTable): UsageSum {
  const sum = { responses: 0, input: 0, output: 0, cacheRead: 0, cacheWrite: 0, knownCostUsd: 0 };
  const unknown = new Set<string>();
  for (const usage of usages) {
    sum.responses++;
    sum.input += usage.input;
    sum.output += usage.output;
    sum.cacheRead += usage.cacheRead;
    sum.cacheWrite += usage.cacheWrite5m + usage.cacheWrite1h;
    const cost = costOf(usage, table);
    if (cost === null) unknown.add(usage.model);
    else sum.knownCostUsd += cost;
  }
  return { ...sum, costUsd: unknown.size > 0 ? null : sum.knownCostUsd, unknownModels: [...unknown].sort() };
}
