import type { Usage } from '../model/index.ts';
import { readModelName } from './model-name.ts';

/** USD per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
  readonly cacheRead: number;
  /** What `fast` answers cost, as a multiple. */
  readonly fast: number;
  /** Tokens that fit into the window. */
  readonly context: number | null;
}

/** By the name of a model as the log has it, without vendor and marks, or by `family version`. */
export interface PriceTable {
  /** When the prices were collected. */
  readonly date: string;
  readonly prices: Readonly<Record<string, Price>>;
}

const price = (input: number, output: number, more: Partial<Price> = {}): Price => ({
  input,
  output,
  cacheWrite5m: input * 1.25,
  cacheWrite1h: input * 2,
  cacheRead: input / 10,
  fast: 1,
  context: 200_000,
  ...more,
});

const MILLION = { context: 1_000_000 };

/** List prices. */
export const shippedPrices: PriceTable = {
  date: '2026-06',
  prices: {
    'haiku 3': price(0.25, 1.25, { cacheWrite5m: 0.3, cacheRead: 0.03 }),
    'haiku 3.5': price(0.8, 4),
    'haiku 4.5': price(1, 5),
    'sonnet 3': price(3, 15),
    'sonnet 3.5': price(3, 15),
    'sonnet 3.7': price(3, 15),
    'sonnet 4': price(3, 15),
    'sonnet 4.5': price(3, 15),
    'sonnet 4.6': price(3, 15, MILLION),
    'opus 3': price(15, 75),
    'opus 4': price(15, 75),
    'opus 4.1': price(15, 75),
    'opus 4.5': price(5, 25),
    'opus 4.6': price(5, 25, { ...MILLION, fast: 6 }),
    'opus 4.7': price(5, 25, { ...MILLION, fast: 6 }),
    'opus 4.8': price(5, 25, { ...MILLION, fast: 2 }),
    'fable 5': price(10, 50, MILLION),
  },
};

/** Null: nobody told what the model costs, which is not the same as nothing. */
export function priceOf(model: string, { prices }: PriceTable): Price | null {
  const { family, version, label } = readModelName(model);
  for (const name of [model, label, `${family} ${version}`])
    if (Object.hasOwn(prices, name)) return prices[name] as Price;
  return null;
}

/** What one response cost; an agent that wrote down the price itself is believed. */
export function costOf(usage: Usage, table: PriceTable): number | null {
  if (usage.costUsd !== null) return usage.costUsd;
  const price = priceOf(usage.model, table);
  if (!price) return null;
  const millions =
    usage.input * price.input +
    usage.output * price.output +
    usage.cacheRead * price.cacheRead +
    usage.cacheWrite5m * price.cacheWrite5m +
    usage.cacheWrite1h * price.cacheWrite1h;
  return (millions / 1e6) * (usage.fast ? price.fast : 1);
}

/** A window of the next size up when the model has two: a response that does not fit into the smaller one used the larger. */
export function windowOf(model: string, used: number, table: PriceTable): number | null {
  const context = priceOf(model, table)?.context ?? null;
  if (/\[1m\]/i.test(model)) return 1_000_000;
  return context !== null && used > context ? 1_000_000 : context;
}
