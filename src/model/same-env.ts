import type { Env } from './line.ts';

export const sameEnv = (a: Env, b: Env): boolean =>
  a === b ||
  (a.cwd === b.cwd &&
    a.gitBranch === b.gitBranch &&
    a.slug === b.slug &&
    a.version === b.version &&
    a.session === b.session);
