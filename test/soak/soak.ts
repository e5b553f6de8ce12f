import { availableParallelism } from 'node:os';
import { Random } from '../../bench/generate/random.ts';
import type { Figures } from './figures.ts';
import { flip, prepare } from './flip-bits.ts';
import { killExport } from './kill-export.ts';
import { killForget } from './kill-forget.ts';
import { killIndex } from './kill-index.ts';
import type { KillJob } from './kill-job.ts';
import { killJournal } from './kill-journal.ts';

export interface SoakOptions {
  readonly kills: number;
  readonly flips: number;
  /** The number of the first flip; worlds are named after it too. */
  readonly from: number;
  /** Nothing begins after so many seconds. */
  readonly seconds?: number;
}

type Kill = (job: KillJob) => Promise<void>;

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
  const isOver = (): boolean => performance.now() >= end;
  const jobs = KILLED.flatMap(([kill, share], sort) => {
    const all = Math.round(kills * share);
    return Array.from({ length: Math.ceil(all / KILLS) }, (_, i) => async () => {
      const seed = `${from} ${sort} ${i}`;
      const some = Math.min(KILLS, all - i * KILLS);
      await kill({ seed, kills: some, random: new Random(seed), figures, isOver });
    });
  });
  await inLanes(jobs, isOver);
  if (flips === 0) return;
  const undamaged = await prepare('flips');
  try {
    await inLanes(
      Array.from({ length: flips }, (_, i) => (lane: number) => flip(undamaged, from + i, lane, figures)),
      isOver,
    );
  } finally {
    undamaged.world.remove();
  }
}

async function inLanes(jobs: readonly ((lane: number) => Promise<void>)[], isOver: () => boolean): Promise<void> {
  const waiting = [...jobs];
  await Promise.all(
    Array.from({ length: availableParallelism() }, async (_, lane) => {
      for (let job = waiting.shift(); job && !isOver(); job = waiting.shift()) await job(lane);
    }),
  );
}
