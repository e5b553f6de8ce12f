import { SkeinError } from '../model/index.ts';
import { readModelName } from './model-name.ts';
import { type Price, type PriceTable, shippedPrices } from './prices.ts';

const FIELDS = {
  input: 'input',
  output: 'output',
  cache_write_5m: 'cacheWrite5m',
  cache_write_1h: 'cacheWrite1h',
  cache_read: 'cacheRead',
} as const;

/**
 * A file of prices, laid over those that come with Skein; what it leaves out follows from the input price:
 *
 *     { "date": "2026-11", "models": { "claude-opus-4-9": { "input": 5, "output": 25 }, "opus 5": { "input": 6, "output": 30 } } }
 */
export function readPrices(text: string, name: string): PriceTable {
  const bad = (why: string): SkeinError => new SkeinError('bad_input', `${name} is not a price table: ${why}`);
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch (error) {
    throw bad((error as Error).message);
  }
  const { date, models } = (file ?? {}) as { date?: unknown; models?: unknown };
  if (typeof models !== 'object' || models === null || Array.isArray(models)) throw bad('it has no object "models"');
  const prices: Record<string, Price> = { ...shippedPrices.prices };
  for (const [model, given] of Object.entries(models)) {
    const price = readPrice(model, given, bad);
    prices[model] = price;
    if (PLAIN_CLAUDE.test(model)) prices[versionOf(model)] = price;
  }
  return { date: typeof date === 'string' ? date : shippedPrices.date, prices };
}

/** Not of one date: it holds for the model under all its names. */
const PLAIN_CLAUDE = /^claude-(?!.*-20\d{6})[a-z\d.-]+$/;

function versionOf(model: string): string {
  const { family, version } = readModelName(model);
  return `${family} ${version}`;
}

function readPrice(model: string, given: unknown, bad: (why: string) => SkeinError): Price {
  const numbers: Record<string, number> = {};
  for (const [key, value] of Object.entries((given ?? {}) as object)) {
    const field =
      key === 'context' || key === 'fast'
        ? key
        : Object.hasOwn(FIELDS, key)
          ? FIELDS[key as keyof typeof FIELDS]
          : null;
    if (field === null)
      throw bad(`"${model}" has a field "${key}"; known are ${Object.keys(FIELDS).join(', ')}, context, fast`);
    if (typeof value !== 'number' || !(value >= 0)) throw bad(`"${key}" of "${model}" is not a number from 0`);
    numbers[field] = value;
  }
  const { input, output } = numbers;
  if (input === undefined || output === undefined) throw bad(`"${model}" needs input and output`);
  return {
    cacheWrite5m: input * 1.25,
    cacheWrite1h: input * 2,
    cacheRead: input / 10,
    fast: 1,
    context: null,
    ...numbers,
    input,
    output,
  };
}
