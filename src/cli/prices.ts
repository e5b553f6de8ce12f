import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { SkeinError } from '../model/index.ts';
import { type PriceTable, readPrices, shippedPrices } from '../usage/index.ts';

export interface PriceOptions {
  readonly prices?: string;
}

/** `--prices FILE`, or `SKEIN_PRICES`. */
export const addPricesOption = (command: Command): Command =>
  command.option('--prices <file>', 'prices of models, laid over those that come with Skein (also SKEIN_PRICES)');

export function openPrices({ prices = process.env.SKEIN_PRICES }: PriceOptions): PriceTable {
  if (!prices) return shippedPrices;
  let text: string;
  try {
    text = readFileSync(prices, 'utf8');
  } catch (error) {
    throw new SkeinError('unreadable', `${prices} cannot be read (${(error as NodeJS.ErrnoException).code})`, error);
  }
  return readPrices(text, prices);
}
