export { Ledger, type Response } from './ledger.ts';
export { type ModelName, readModelName } from './model-name.ts';
export { costOf, type Price, type PriceTable, priceOf, shippedPrices, windowOf } from './prices.ts';
export { readPrices } from './read-prices.ts';
export { sameUsage } from './same-usage.ts';
export {
  compareUsage,
  distinctUsage,
  sumGroups,
  sumRecords,
  sumUsage,
  type UsageGroup,
  UsageGroups,
  type UsageSum,
  usagesOf,
} from './sum-usage.ts';
