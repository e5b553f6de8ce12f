import type { Found, Hit } from '../../search/index.ts';
import { keepInView } from '../picker-state.ts';

/** What the search screen shows. The functions below make the next state; nothing here knows a terminal. */
export interface SearchState {
  readonly query: string;
  readonly hits: readonly Hit[];
  /** Null while nothing was looked for. */
  readonly total: { readonly count: number; readonly isCapped: boolean; readonly isEstimated: boolean } | null;
  readonly selected: number;
  readonly top: number;
  readonly page: number;
  readonly isSearching: boolean;
  /** Why the query cannot be understood. */
  readonly problem: string | null;
}

export const NOTHING_YET: SearchState = {
  query: '',
  hits: [],
  total: null,
  selected: 0,
  top: 0,
  page: 1,
  isSearching: false,
  problem: null,
};

/** Other text: what was found before stays on the screen until more is known. */
export const typeQuery = (state: SearchState, query: string): SearchState => ({
  ...state,
  query,
  isSearching: query.trim() !== '',
  problem: null,
  ...(query.trim() === '' ? { hits: [], total: null, selected: 0, top: 0 } : {}),
});

/** More is known of what the query finds; who has moved to a hit stays on it. */
export function showFound(state: SearchState, found: Found, isDone: boolean): SearchState {
  const current = state.hits[state.selected];
  const place = state.selected === 0 || !current ? -1 : found.hits.findIndex((hit) => isSame(hit, current));
  return settle({
    ...state,
    hits: found.hits,
    total: { count: found.total, isCapped: found.isCapped, isEstimated: found.isEstimated },
    selected: Math.max(0, place),
    isSearching: !isDone,
  });
}

export const showProblem = (state: SearchState, problem: string): SearchState => ({
  ...state,
  problem,
  isSearching: false,
});

export const moveBy = (state: SearchState, rows: number): SearchState =>
  settle({ ...state, selected: state.selected + rows });

export const setPage = (state: SearchState, page: number): SearchState => settle({ ...state, page: Math.max(1, page) });

const isSame = (a: Hit, b: Hit): boolean =>
  a.uuid === b.uuid && a.session === b.session && a.project.path === b.project.path;

const settle = (state: SearchState): SearchState => ({ ...state, ...keepInView(state, state.hits.length) });
