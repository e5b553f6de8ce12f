import { printableLine } from '../views/text/printable.ts';
import { widthOf } from '../views/text/width.ts';

export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly detail?: string;
}

/** A choice as it is shown and searched: printable, on one line. */
export interface Entry {
  readonly value: string;
  readonly label: string;
  readonly detail: string;
}

/** What an open list shows. The functions below make the next state; nothing here knows a terminal. */
export interface PickerState {
  readonly entries: readonly Entry[];
  readonly query: string;
  readonly matches: readonly Entry[];
  /** Index in `matches`. */
  readonly selected: number;
  /** The first match that is shown, and how many are. */
  readonly top: number;
  readonly page: number;
  /** The widest of each, so that columns stay where they are while the list moves. */
  readonly labelWidth: number;
  readonly detailWidth: number;
}

export const EMPTY: PickerState = {
  entries: [],
  query: '',
  matches: [],
  selected: 0,
  top: 0,
  page: 1,
  labelWidth: 0,
  detailWidth: 0,
};

/** More choices, after those that are there: what is selected stays selected. */
export function addChoices(state: PickerState, choices: readonly Choice[]): PickerState {
  const added = choices.map(({ value, label, detail }) => ({
    value,
    label: printableLine(label),
    detail: printableLine(detail ?? ''),
  }));
  return settle({
    ...state,
    entries: [...state.entries, ...added],
    matches: [...state.matches, ...matching(added, state.query)],
    labelWidth: added.reduce((widest, { label }) => Math.max(widest, widthOf(label)), state.labelWidth),
    detailWidth: added.reduce((widest, { detail }) => Math.max(widest, widthOf(detail)), state.detailWidth),
  });
}

/** Another query: the first match is selected. */
export function setQuery(state: PickerState, query: string): PickerState {
  if (query === state.query) return state;
  return settle({ ...state, query, matches: matching(state.entries, query), selected: 0, top: 0 });
}

export const moveBy = (state: PickerState, rows: number): PickerState =>
  settle({ ...state, selected: state.selected + rows });

export const setPage = (state: PickerState, page: number): PickerState => settle({ ...state, page: Math.max(1, page) });

/** The words of a query, as patterns: the same ones find an entry and mark what was found. */
export const patternsOf = (query: string): RegExp[] =>
  query
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => new RegExp(word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu'));

function matching(entries: readonly Entry[], query: string): readonly Entry[] {
  const patterns = patternsOf(query);
  if (patterns.length === 0) return entries;
  return entries.filter(({ label, detail }) => {
    const text = `${label} ${detail}`;
    return patterns.every((pattern) => text.search(pattern) >= 0);
  });
}

const settle = (state: PickerState): PickerState => ({ ...state, ...keepInView(state, state.matches.length) });

/** The selection stays inside a list of so many, and what is shown moves as little as possible to hold it. */
export function keepInView(
  { selected: wanted, top: before, page }: Pick<PickerState, 'selected' | 'top' | 'page'>,
  count: number,
): Pick<PickerState, 'selected' | 'top'> {
  const selected = Math.max(0, Math.min(count - 1, wanted));
  const lowest = Math.max(0, count - page);
  return { selected, top: Math.min(lowest, Math.max(selected - page + 1, Math.min(selected, before))) };
}
