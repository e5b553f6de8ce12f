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
    if (!known || compareUsage(usage, known) > 0) byKey.set(usage.key, usage);
  }
  return byKey;
}

/** Of two accounts of one response the one with the greatest output wins; that of equal ones does not depend on which was read first. */
export const compareUsage = (a: Usage, b: Usage): number =>
  a.output - b.output ||
  promptOf(a) - promptOf(b) ||
  a.input - b.input ||
  (signOf(a) < signOf(b) ? -1 : signOf(a) > signOf(b) ? 1 : 0);

const promptOf = ({ input, cacheRead, cacheWrite5m, cacheWrite1h }: Usage): number =>
  input + cacheRead + cacheWrite5m + cacheWrite1h;
const signOf = ({ model, cacheRead, cacheWrite1h, costUsd, fast }: Usage): string =>
  `${model} ${cacheRead} ${cacheWrite1h} ${costUsd} ${fast}`;

export const sumRecords = (records: Iterable<LogRecord>, table: PriceTable): UsageSum =>
  sumUsage(distinctUsage(records).values(), table);

export function sumUsage(usages: Iterable<Usage>, table: PriceTable): UsageSum {
  const sum = { responses: 0, input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  const costs: number[] = [];
  const unknown = new Set<string>();
  for (const usage of usages) {
    sum.responses++;
    sum.input += usage.input;
    sum.output += usage.output;
    sum.cacheRead += usage.cacheRead;
    sum.cacheWrite += usage.cacheWrite5m + usage.cacheWrite1h;
    const cost = costOf(usage, table);
    if (cost === null) unknown.add(usage.model);
    else costs.push(cost);
  }
  const knownCostUsd = add(costs);
  return { ...sum, costUsd: unknown.size > 0 ? null : knownCostUsd, knownCostUsd, unknownModels: [...unknown].sort() };
}

/** The smallest first: sums of fractions depend on the order, and it must not matter what was read first. */
function add(costs: number[]): number {
  if (costs.length > 1) costs.sort((a, b) => a - b);
  let sum = 0;
  for (const cost of costs) sum += cost;
  return sum;
}
