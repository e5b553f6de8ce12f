import type { Random } from '../../bench/generate/random.ts';
import type { Figures } from './figures.ts';

/** So many kills in one world. */
export interface KillJob {
  /** Names the world. */
  readonly seed: string;
  readonly kills: number;
  readonly random: Random;
  readonly figures: Figures;
  /** No more kills then. */
  readonly isOver: () => boolean;
}
