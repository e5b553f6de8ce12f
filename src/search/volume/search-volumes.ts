import { fieldOf, type Scored, scoreOf } from '../score.ts';
import { COUNTED, RANKED } from '../search.ts';
import { type Evidence, matchVolume, type NumberedVolume } from './match-volume.ts';
import type { Leaf, Plan } from './plan.ts';
import type { Postings } from './read-blocks.ts';
import { lengthOf } from './volume.ts';

export interface RankedHit {
  readonly id: bigint;
  readonly score: number;
  /** In seconds; 0: not known. */
  readonly time: number;
}

export interface RankedHits {
  /** The best first. */
  readonly hits: readonly RankedHit[];
  /** How many documents there are; exact up to `COUNTED`. */
  readonly total: number;
  readonly isCapped: boolean;
}

/** The newest hits, ranked by relevance and recency (M14); `most`: so many are. `volumes` begin with the one that has the newest message. */
export function searchVolumes(
  volumes: Iterable<NumberedVolume & { readonly newest: number }>,
  plan: Plan,
  most = RANKED,
): RankedHits {
  const newest = new Newest(most);
  let total = 0;
  for (const volume of volumes) {
    if (total > COUNTED && newest.isFull && volume.newest < newest.oldest) break;
    const evidence: Evidence = new Map();
    const mask = matchVolume(plan, volume, evidence);
    const { dead, times } = volume;
    for (const doc of dead) mask[doc] = 0;
    // Most are older than what is ranked already.
    let least = newest.isFull ? newest.oldest : -1;
    for (let doc = 0; doc < mask.length; doc++) {
      if (mask[doc] === 0) continue;
      total++;
      const time = times[doc] as number;
      if (time <= least) continue;
      newest.add({ time, doc, volume, evidence });
      if (newest.isFull) least = newest.oldest;
    }
  }
  const leaves = [...new Set(newest.all.flatMap(({ evidence }) => [...evidence.keys()]))];
  const scored = newest.all.map((hit) => ({ hit, ...scoredOf(hit, leaves) }));
  const field = fieldOf(scored);
  const hits = scored.map(({ hit: { volume, doc, time }, ...each }): RankedHit => {
    return { id: volume.ids[doc] as bigint, time, score: scoreOf(each, field) };
  });
  hits.sort((a, b) => b.score - a.score || b.time - a.time || (a.id < b.id ? -1 : 1));
  return { hits, total: Math.min(total, COUNTED), isCapped: total > COUNTED };
}

interface Hit {
  readonly time: number;
  readonly doc: number;
  readonly volume: NumberedVolume;
  readonly evidence: Evidence;
}

function scoredOf({ volume, doc, time, evidence }: Hit, leaves: readonly Leaf[]): Scored {
  return {
    counts: leaves.map((leaf) => evidence.get(leaf)?.reduce((sum, postings) => sum + timesIn(postings, doc), 0) ?? 0),
    length: lengthOf(volume.lengths[doc] as number),
    time: time * 1000,
    type: TYPES[volume.types[doc] as number] ?? 'user',
  };
}

/** As documents number them. */
export const TYPES = ['user', 'assistant', 'tool_use', 'tool_result'] as const;

function timesIn({ docs, times }: Postings, doc: number): number {
  let [low, high] = [0, docs.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const at = docs[middle] as number;
    if (at === doc) return times[middle] as number;
    if (at < doc) low = middle + 1;
    else high = middle - 1;
  }
  return 0;
}

/** The newest of all that are offered: a heap with the oldest of them on top. */
class Newest {
  readonly #most: number;
  readonly #heap: Hit[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  get isFull(): boolean {
    return this.#heap.length >= this.#most;
  }

  get oldest(): number {
    return this.#heap[0]?.time ?? 0;
  }

  get all(): readonly Hit[] {
    return this.#heap;
  }

  add(hit: Hit): void {
    const heap = this.#heap;
    if (this.isFull) {
      heap[0] = hit;
      this.#sink();
      return;
    }
    let at = heap.push(hit) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if ((heap[above] as Hit).time <= hit.time) break;
      heap[at] = heap[above] as Hit;
      heap[above] = hit;
      at = above;
    }
  }

  #sink(): void {
    const heap = this.#heap;
    const hit = heap[0] as Hit;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && (heap[below + 1] as Hit).time < (heap[below] as Hit).time) below++;
      if ((heap[below] as Hit).time >= hit.time) break;
      heap[at] = heap[below] as Hit;
      heap[below] = hit;
      at = below;
    }
  }
}
