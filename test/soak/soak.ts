import { availableParallelism } from 'node:os';
import { Random } from '../../bench/generate/random.ts';
import type { Figures } from './figures.ts';
import { flip, prepare } from './flip-bits.ts';
import { killExport } from './kill-export.ts';
import { killForget } from './kill-forget.ts';
import { killIndex } from './kill-index.ts';
import { killJournal } from './kill-journal.ts';

export interface SoakOptions {
  readonly kills: number;
  readonly flips: number;
  /** The number of the first flip; worlds are named after it too. */
  readonly from: number;
  /** Nothing begins after so many seconds. */
  readonly seconds?: number;
}

type Kill = (seed: string, kills: number, random: Random, figures: Figures) => Promise<void>;

/** What is killed, and how large a share of the kills. */
const KILLED: readonly (readonly [Kill, number])[] = [
  [killIndex, 0.45],
  [killForget, 0.15],
  [killExport, 0.15],
  [killJournal, 0.25],
];
/** A world is killed so often, then another begins. */
const KILLS = 30;

/** Kills first, then flips, as many at a time as there are cores. */
export async function soak(options: SoakOptions, figures: Figures): Promise<void> {
  const { kills, flips, from, seconds = Number.POSITIVE_INFINITY } = options;
  const end = performance.now() + seconds * 1000;
  const jobs = KILLED.flatMap(([kill, share], sort) => {
    const all = Math.round(kills * share);
    return Array.from({ length: Math.ceil(all / KILLS) }, (_, i) => async () => {
      const seed = `${from} ${sort} ${i}`;
      await kill(seed, Math.min(KILLS, all - i * KILLS), new Random(seed), figures);
    });
  });
  await inLanes(jobs, end);
  if (flips === 0) return;
  const undamaged = await prepare(`flips ${from}`);
  try {
    await inLanes(
      Array.from({ length: flips }, (_, i) => (lane: number) => flip(undamaged, from + i, lane, figures)),
      end,
    );
  } finally {
    undamaged.world.remove();
  }
}

async function inLanes(jobs: readonly ((lane: number) => Promise<void>)[], end: number): Promise<void> {
  const waiting = [...jobs];
  await Promise.all(
    Array.from({ length: availableParallelism() }, async (_, lane) => {
      for (let job = waiting.shift(); job && performance.now() < end; job = waiting.shift()) await job(lane);
    }),
  );
}
