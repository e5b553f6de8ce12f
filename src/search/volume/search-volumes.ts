import { COUNTED, RANKED } from '../search.ts';
import { countBits, Scratch } from './bits.ts';
import { type NumberedVolume, VolumeMatch } from './match-volume.ts';
import { type CountLeaf, type HitColumns, NewestHits } from './newest-hits.ts';
import type { Leaf, Plan } from './plan.ts';

/** What some volumes have of what a query finds. */
export interface FoundPart {
  /** The newest hits, in no order. */
  readonly hits: HitColumns;
  /** All hits; exact up to `COUNTED`. */
  readonly total: number;
}

/** The newest hits and their number. `volumes` begin with the one that has the newest message. */
export function searchVolumes(
  volumes: Iterable<NumberedVolume & { readonly newest: number }>,
  plan: Plan,
  most = RANKED,
): FoundPart {
  const leaves = rankedLeaves(plan);
  const newest = new NewestHits(most, leaves.length);
  let total = 0;
  for (const volume of volumes) {
    if (total > COUNTED && newest.isFull && volume.newest < newest.oldest) break;
    const matched = new VolumeMatch(volume, SCRATCH);
    const found = matched.match(plan, volume.alive);
    total += countBits(found);
    const count: CountLeaf = (leaf, slots, counts) => matched.count(leaves[leaf] as Leaf, slots, counts);
    newest.add(volume, found, count, SCRATCH);
    SCRATCH.clear();
  }
  return { hits: newest.take(), total };
}

const SCRATCH = new Scratch();

/** Those that say something about rank: what must not be there does not. */
function rankedLeaves(plan: Plan): Leaf[] {
  if (plan.as === 'and' || plan.as === 'or') return plan.of.flatMap(rankedLeaves);
  return plan.as === 'leaf' ? [plan] : [];
}
