/** Runs one case after the other and tells what became of each, so that one that does not end can be ended. */
import { checkCase } from './check-case.ts';
import { makeCase } from './make-case.ts';
import { fixedSeeds } from './seeds.ts';
import type { Violation } from './verdict.ts';

/** What became of a case. */
export interface Told {
  readonly files: number;
  readonly sessions: number;
  readonly checks: number;
  readonly slowest: { readonly step: string; readonly milliseconds: number };
  readonly violations: readonly Violation[];
}

const seeds = fixedSeeds();

process.on('message', async (number: number) => {
  const files = makeCase(number, seeds);
  const { sessions, checks, slowest, violations } = await checkCase(number, files);
  process.send?.({ files: files.size, sessions, checks, slowest, violations } satisfies Told);
});
process.on('disconnect', () => process.exit());
