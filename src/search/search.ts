import type { Finding } from '../model/index.ts';
import type { Wanted } from './matcher.ts';
import type { SnippetPart } from './snippet.ts';

/**
 * Whatever answers a search: reading all files (`history/scan/`), or an index. What is found must be the same.
 */
export interface Search {
  /** `onFound` is told what is known so far, as often as more is. Ended by `signal`, it rejects with its reason. */
  search(request: SearchRequest, run?: SearchRun): Promise<Found>;
}

export interface SearchRequest extends Wanted {
  /** So many of the best. */
  readonly limit: number;
  readonly facets?: boolean;
  /** All hits are compared with their texts, as far as they are counted, though it takes longer: then their number is right. */
  readonly exact?: boolean;
  /** About so many characters around what was found. */
  readonly snippet?: number;
  /** Paths of projects; all without it. */
  readonly projects?: readonly string[];
}

export interface SearchRun {
  readonly signal?: AbortSignal;
  readonly onFound?: (found: Found) => void;
}

export interface Found {
  /** The newest `RANKED` hits, the best first, `limit` of them. */
  readonly hits: readonly Hit[];
  /** Messages. More than `COUNTED` are not counted. */
  readonly total: number;
  readonly isCapped: boolean;
  /** Not all were compared with their texts: there may be fewer, also in facets. */
  readonly isEstimated: boolean;
  /** Over the newest `FACETED` hits; null unless asked for. */
  readonly facets: Facets | null;
  /** What could not be read. */
  readonly problems: readonly Finding[];
}

/** A message that was found. */
export interface Hit {
  readonly project: { readonly id: string; readonly path: string };
  readonly session: string;
  readonly sessionTitle: string | null;
  readonly agent: string;
  readonly uuid: string;
  /** The record it belongs to. */
  readonly record: string;
  readonly subagent: string | null;
  readonly type: string;
  readonly kind: string;
  readonly tool: string | null;
  readonly model: string | null;
  readonly isError: boolean;
  readonly time: number | null;
  readonly score: number;
  readonly snippet: readonly SnippetPart[];
}

/** How many hits have each value, the most frequent first. */
export interface Facets {
  readonly project: readonly Facet[];
  readonly type: readonly Facet[];
  readonly tool: readonly Facet[];
  readonly model: readonly Facet[];
}
export interface Facet {
  readonly value: string;
  readonly count: number;
}

export const RANKED = 1000;
export const FACETED = 2000;
export const COUNTED = 10_000;
