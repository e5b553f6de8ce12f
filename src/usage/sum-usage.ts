import type { LogRecord, Spent, Usage } from '../model/index.ts';
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

/**
 * Responses that have one price, added up in whole numbers: the sum is the same in any order, and a response can be taken out again.
 * Prices are put on groups, so that a store can keep them and the price table can change.
 */
export interface UsageGroup {
  readonly model: string;
  readonly fast: boolean;
  /** The agent wrote down the price. */
  readonly priced: boolean;
  readonly responses: number;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
  /** What the agent wrote down, in 10⁻¹⁰ dollars. */
  readonly cost: number;
}

const UNITS = 1e10;

/**
 * A response is written down once per line, copy and replay: it counts once, with the greatest output (H1). `isCounted`: of those that are
 * told of beside a record's own.
 */
export function distinctUsage(
  records: Iterable<LogRecord>,
  isCounted: (spent: Spent) => boolean = () => true,
): Map<string, Usage> {
  const byKey = new Map<string, Usage>();
  for (const record of records)
    for (const usage of usagesOf(record, isCounted)) {
      const known = byKey.get(usage.key);
      if (!known || compareUsage(usage, known) > 0) byKey.set(usage.key, usage);
    }
  return byKey;
}

/** Of all responses that a record tells of. */
export function usagesOf(
  { usage, spent }: LogRecord,
  isCounted: (spent: Spent) => boolean = () => true,
): readonly Usage[] {
  const own = usage ? [usage] : NONE;
  return spent ? [...own, ...spent.filter(isCounted).map((each) => each.usage)] : own;
}

const NONE: readonly Usage[] = [];

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
  const groups = new UsageGroups();
  for (const usage of usages) groups.add(usage, 1);
  return sumGroups(groups.list(), table);
}

/** Responses by what they cost. */
export class UsageGroups {
  readonly #groups = new Map<string, OpenGroup>();
  /** Most belong to the same. */
  #last: OpenGroup | null = null;

  /** `times` is 1, or -1 to take one out again. */
  add(usage: Usage, times: 1 | -1): void {
    const group = this.#groupOf(usage);
    const { costUsd } = usage;
    group.responses += times;
    group.input += times * usage.input;
    group.output += times * usage.output;
    group.cacheRead += times * usage.cacheRead;
    group.cacheWrite5m += times * usage.cacheWrite5m;
    group.cacheWrite1h += times * usage.cacheWrite1h;
    group.cost += times * Math.round((costUsd ?? 0) * UNITS);
    if (group.responses > 0) return;
    this.#groups.delete(keyOf(group));
    this.#last = null;
  }

  #groupOf(usage: Usage): OpenGroup {
    const { model, fast = false } = usage;
    const priced = usage.costUsd !== null;
    const last = this.#last;
    if (last?.model === model && last.fast === fast && last.priced === priced) return last;
    const key = keyOf({ model, fast, priced });
    const group = this.#groups.get(key) ?? { ...NOTHING, model, fast, priced };
    this.#groups.set(key, group);
    this.#last = group;
    return group;
  }

  /** Always in the same order. */
  list(): UsageGroup[] {
    return [...this.#groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => ({ ...group }));
  }
}

type OpenGroup = { -readonly [field in keyof UsageGroup]: UsageGroup[field] };

const keyOf = ({ model, fast, priced }: Pick<UsageGroup, 'model' | 'fast' | 'priced'>): string =>
  `${fast ? 1 : 0}${priced ? 1 : 0}${model}`;

const NOTHING = { responses: 0, input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, cost: 0 };

export function sumGroups(groups: readonly UsageGroup[], table: PriceTable): UsageSum {
  const sum = { responses: 0, input: 0, output: 0, cacheRead: 0, cacheWrite: 0, knownCostUsd: 0 };
  const unknown = new Set<string>();
  for (const group of groups) {
    sum.responses += group.responses;
    sum.input += group.input;
    sum.output += group.output;
    sum.cacheRead += group.cacheRead;
    sum.cacheWrite += group.cacheWrite5m + group.cacheWrite1h;
    const { fast, priced, ...usage } = group;
    const whole = { ...usage, key: '', costUsd: priced ? group.cost / UNITS : null };
    const cost = costOf(fast ? { ...whole, fast } : whole, table);
    if (cost === null) unknown.add(group.model);
    else sum.knownCostUsd += cost;
  }
  return { ...sum, costUsd: unknown.size > 0 ? null : sum.knownCostUsd, unknownModels: [...unknown].sort() };
}
