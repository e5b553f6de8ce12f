import { fieldOf, type Scored, scoreOf } from '../score.ts';
import { COUNTED, RANKED } from '../search.ts';
import type { FoundPart } from './search-volumes.ts';
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

/** The newest hits, ranked by relevance and recency (M14); `most`: so many are. However the volumes were divided, it is the same. */
export function rankHits(parts: readonly FoundPart[], most = RANKED): RankedHits {
  const newest = parts
    .flatMap(hitsOf)
    .sort((a, b) => b.time - a.time || (a.id < b.id ? -1 : 1))
    .slice(0, most);
  const field = fieldOf(newest.map(({ scored }) => scored));
  const hits = newest.map(({ id, time, scored }): RankedHit => ({ id, time, score: scoreOf(scored, field) }));
  hits.sort((a, b) => b.score - a.score || b.time - a.time || (a.id < b.id ? -1 : 1));
  const total = parts.reduce((sum, part) => sum + part.total, 0);
  return { hits, total: Math.min(total, COUNTED), isCapped: total > COUNTED };
}

interface Hit {
  readonly id: bigint;
  readonly time: number;
  readonly scored: Scored;
}

function hitsOf({ hits: { ids, times, lengths, types, counts } }: FoundPart): Hit[] {
  const leaves = ids.length === 0 ? 0 : counts.length / ids.length;
  return Array.from(ids, (id, i) => {
    const time = times[i] as number;
    const scored = {
      counts: Array.from(counts.subarray(i * leaves, (i + 1) * leaves)),
      length: lengthOf(lengths[i] as number),
      time: time * 1000,
      type: TYPES[types[i] as number] ?? 'user',
    };
    return { id, time, scored };
  });
}

/** As documents number them. */
export const TYPES = ['user', 'assistant', 'tool_use', 'tool_result'] as const;
