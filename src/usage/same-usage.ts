import type { Usage } from '../model/index.ts';

/** The line that reports it may be a copy of the one before. */
export const sameUsage = (a: Usage | null, b: Usage | null): boolean =>
  a === b ||
  (a !== null &&
    b !== null &&
    a.key === b.key &&
    a.model === b.model &&
    a.input === b.input &&
    a.output === b.output &&
    a.cacheRead === b.cacheRead &&
    a.cacheWrite5m === b.cacheWrite5m &&
    a.cacheWrite1h === b.cacheWrite1h &&
    a.costUsd === b.costUsd &&
    a.fast === b.fast &&
    a.isCopy === b.isCopy);
