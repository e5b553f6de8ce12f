import { COUNTED, RANKED } from '../search.ts';
import { countBits, eachBit, Scratch } from './bits.ts';
import { type NumberedVolume, VolumeMatch } from './match-volume.ts';
import { type CountColumn, type HitColumns, NewestHits } from './newest-hits.ts';
import type { Leaf, Plan } from './plan.ts';

/** What some volumes have of what a query finds. */
export interface FoundPart {
  /** The newest hits, in no order. */
  readonly hits: HitColumns;
  /** Of the columns of counts so many are those of leaves; the others say what was asked about each. */
  readonly leaves: number;
  /** All hits; exact up to `COUNTED`. */
  readonly total: number;
}

/** The newest hits and their number. `volumes` begin with the one that has the newest message; `tells`: whether each hit is one of these, too. */
export function searchVolumes(
  volumes: Iterable<NumberedVolume & { readonly newest: number }>,
  plan: Plan,
  most = RANKED,
  tells: readonly Plan[] = [],
): FoundPart {
  const leaves = rankedLeaves(plan);
  const newest = new NewestHits(most, leaves.length + tells.length);
  let total = 0;
  for (const volume of volumes) {
    if (total > COUNTED && newest.isFull && volume.newest < newest.oldest) break;
    const matched = new VolumeMatch(volume, SCRATCH);
    const found = matched.match(plan, volume.alive);
    total += countBits(found);
    const count: CountColumn = (column, slots, counts) => {
      const leaf = leaves[column];
      if (leaf) matched.count(leaf, slots, counts);
      else
        eachBit(matched.match(tells[column - leaves.length] as Plan, found), (doc) => {
          const slot = slots[doc] as number;
          if (slot !== 0) counts[slot - 1] = 1;
        });
    };
    newest.add(volume, found, count, SCRATCH);
    SCRATCH.clear();
  }
  return { hits: newest.take(), leaves: leaves.length, total };
}

const SCRATCH = new Scratch();

/** Those that say something about rank: what must not be there does not. */
function rankedLeaves(plan: Plan): Leaf[] {
  if (plan.as === 'and' || plan.as === 'or') return plan.of.flatMap(rankedLeaves);
  return plan.as === 'leaf' ? [plan] : [];
}
