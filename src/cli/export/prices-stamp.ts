import { readFileSync } from 'node:fs';
import type { PriceOptions } from '../prices.ts';
import { digest } from './safe-name.ts';

/** Another one for another table of prices; '' for that which comes with Skein. */
export function pricesStamp({ prices = process.env.SKEIN_PRICES }: PriceOptions): string {
  if (!prices) return '';
  try {
    return digest(readFileSync(prices, 'utf8'));
  } catch {
    // Whoever reads the prices says so.
    return '';
  }
}
