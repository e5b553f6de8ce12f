import type { Finding } from '../model/index.ts';
import type { Clause, FacetHit, FoundHit, FoundHits, Hit, RankedHit, SearchRequest } from '../search/index.ts';
import type { TextQuery } from '../stores/index.ts';

/** Looks into an index for a search: in this thread (`StoredReader`), or in several others (`ReaderPool`). */
export interface SearchReader {
  /** So many look at once: who gives each of them something to do is answered sooner. */
  readonly threads: number;
  /** What could not be read so far, and was shown without its text or not at all. */
  readonly problems: readonly Finding[];
  /** What the full text finds, the newest first. */
  find(query: TextQuery, signal?: AbortSignal): Promise<FoundHits>;
  /** How often each thing that is looked for stands in the text of each message; null: it is no hit. */
  verify(clause: Clause, hits: readonly Asked[], signal?: AbortSignal): Promise<(readonly number[] | null)[]>;
  /** As they are shown, in the same order. */
  hits(wanted: Shown, ranked: readonly RankedHit[], signal?: AbortSignal): Promise<Hit[]>;
  facetHits(ids: readonly bigint[], signal?: AbortSignal): Promise<FacetHit[]>;
}

export type Asked = Pick<FoundHit, 'id' | 'told'>;

/** What a snippet depends on. */
export type Shown = Pick<SearchRequest, 'clause' | 'snippet'>;
