import { MOST_COUNTED } from '../matcher.ts';
import { fieldOf, type Scored, scoreOf } from '../score.ts';
import { RANKED } from '../search.ts';
import type { FoundPart } from './search-volumes.ts';
import { lengthOf } from './volume.ts';

/** A document that was found, before it is ranked. */
export interface FoundHit {
  readonly id: bigint;
  /** In seconds; 0: not known. */
  readonly time: number;
  readonly scored: Scored;
  /** What was asked about each (`TextQuery.tells`). */
  readonly told: readonly boolean[];
}

export interface FoundHits {
  /** The newest first. */
  readonly hits: readonly FoundHit[];
  /** How many documents there are; exact up to `COUNTED`. */
  readonly total: number;
}

export interface RankedHit extends Pick<FoundHit, 'id' | 'time' | 'told'> {
  readonly score: number;
}

/** The newest of what parts of an index have. However the volumes were divided, it is the same. */
export function joinParts(parts: readonly FoundPart[], most = RANKED): FoundHits {
  return {
    hits: parts.flatMap(hitsOf).sort(byTime).slice(0, most),
    total: parts.reduce((sum, part) => sum + part.total, 0),
  };
}

export const byTime = (a: Pick<FoundHit, 'id' | 'time'>, b: Pick<FoundHit, 'id' | 'time'>): number =>
  b.time - a.time || (a.id < b.id ? -1 : 1);

/** The newest of these, the best first: by relevance and recency (M14). */
export function rankHits(hits: readonly FoundHit[]): RankedHit[] {
  const newest = hits.slice(0, RANKED);
  const field = fieldOf(newest.map(({ scored }) => scored));
  const ranked = newest.map(
    ({ id, time, told, scored }): RankedHit => ({ id, time, told, score: scoreOf(scored, field) }),
  );
  return ranked.sort((a, b) => b.score - a.score || byTime(a, b));
}

function hitsOf({ hits: { ids, times, lengths, types, counts }, leaves }: FoundPart): FoundHit[] {
  const width = ids.length === 0 ? 0 : counts.length / ids.length;
  return Array.from(ids, (id, i) => {
    const time = times[i] as number;
    const columns = Array.from(counts.subarray(i * width, (i + 1) * width));
    const scored = {
      counts: columns.slice(0, leaves).map((count) => Math.min(count, MOST_COUNTED)),
      length: lengthOf(lengths[i] as number),
      time: time * 1000,
      type: TYPES[types[i] as number] ?? 'user',
    };
    return { id, time, scored, told: columns.slice(leaves).map((count) => count > 0) };
  });
}

/** As documents number them. */
export const TYPES = ['user', 'assistant', 'tool_use', 'tool_result'] as const;
