import { History } from '../../src/history/index.ts';
import { ScanSearch } from '../../src/history/scan/scan-search.ts';
import { type Found, type Pattern, parseQuery, type SearchRequest } from '../../src/search/index.ts';

/** What answers the searches of a test. */
export interface Searching {
  /** A query in the language. */
  find(query: string, more?: Partial<SearchRequest>): Promise<Found>;
  pattern(as: Pattern['as'], text: string): Promise<Found>;
}

/** Everything below some roots, searched by reading it. */
export function searchRoots(roots: readonly string[], options: { readonly threads?: number } = {}): Searching {
  const search = new ScanSearch(History.open({ roots }).projects, { threads: options.threads ?? 0 });
  return {
    find: (query, more = {}) => search.search({ clause: parseQuery(query), limit: 1000, ...more }),
    pattern: (as, text) => search.search({ clause: null, pattern: { as, text }, limit: 1000 }),
  };
}

/** Ids of the messages, in an order that does not depend on scores. */
export const idsOf = ({ hits }: Found): string[] => hits.map(({ uuid }) => uuid).sort();
