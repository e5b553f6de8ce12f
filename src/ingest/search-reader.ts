import type { Clause, FacetHit, Hit, RankedHit, RankedHits, SearchRequest } from '../search/index.ts';
import type { TextQuery } from '../stores/index.ts';

/** Looks into an index for a search: in this thread (`StoredReader`), or in several others (`ReaderPool`). */
export interface SearchReader {
  /** So many look at once: who gives each of them something to do is answered sooner. */
  readonly threads: number;
  /** What the full text finds, the best first. */
  rank(query: TextQuery, signal?: AbortSignal): Promise<RankedHits>;
  /** For each message 1 if its text has what is looked for, 0 if not. */
  verify(clause: Clause, ids: readonly bigint[], signal?: AbortSignal): Promise<Uint8Array>;
  /** As they are shown, in the same order. */
  hits(wanted: Shown, ranked: readonly RankedHit[], signal?: AbortSignal): Promise<Hit[]>;
  facetHits(ids: readonly bigint[], signal?: AbortSignal): Promise<FacetHit[]>;
}

/** What a snippet depends on. */
export type Shown = Pick<SearchRequest, 'clause' | 'snippet'>;
