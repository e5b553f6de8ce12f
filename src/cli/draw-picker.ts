import type { Frame } from '../terminal/frame-writer.ts';
import type { Paint, Style } from '../terminal/style.ts';
import { cutToWidth, keepEnd, padTo, widthOf } from '../views/text/width.ts';
import { type Entry, type PickerState, patternsOf } from './picker-state.ts';
import { formatNumber } from './table.ts';

export interface PickerLook {
  readonly title: string;
  readonly columns: number;
  /** More choices may come. */
  readonly isReading: boolean;
  readonly paint: Paint;
}

/** Lines around the list: the prompt and the keys. */
export const FRAME_LINES = 2;

/**
 * The list as lines, none of which reaches the last column (a terminal would wrap it):
 *
 *     Which session? red
 *     ❯ Fix the red test  2026-11-02 19:30 app
 *       Red and blue      2026-11-01 08:12 web
 *       2 of 128  ·  ↑↓ move  ·  enter pick  ·  esc leave
 */
export function drawPicker(state: PickerState, look: PickerLook): Frame {
  const width = Math.max(1, look.columns - 1);
  const title = cutToWidth(look.title, Math.floor(width / 2));
  const room = Math.max(1, width - widthOf(title) - 2);
  const query = keepEnd(state.query, room);
  const shown = state.matches.slice(state.top, state.top + state.page);
  const rows = shown.map((entry, i) => drawRow(entry, state, look, width, state.top + i === state.selected));
  if (rows.length === 0 && !look.isReading) rows.push(look.paint(['dim'], cutToWidth(`  ${nothing(state)}`, width)));
  const typed = query === '' ? look.paint(['dim'], cutToWidth('type to filter', room)) : query;
  return {
    lines: [`${look.paint(['bold'], title)} ${typed}`, ...rows, look.paint(['dim'], footer(state, look, width))],
    column: widthOf(title) + 1 + widthOf(query),
  };
}

const nothing = ({ entries }: PickerState): string => (entries.length === 0 ? 'Nothing to pick' : 'No match');

const GAP = 2;
/** Below this a label says nothing: the detail is left out. */
const NARROW = 24;

function drawRow(entry: Entry, state: PickerState, look: PickerLook, width: number, isSelected: boolean): string {
  const room = width - 2;
  const detailRoom = Math.min(state.detailWidth, Math.floor(room * 0.45));
  const labelRoom = Math.min(state.labelWidth, room - detailRoom - GAP);
  const hasDetail = detailRoom > 0 && labelRoom >= Math.min(NARROW, state.labelWidth);
  const label = cutToWidth(entry.label, hasDetail ? labelRoom : room);
  const detail = hasDetail ? cutToWidth(entry.detail, detailRoom) : '';
  const base: readonly Style[] = isSelected ? ['bold'] : [];
  const marked = mark(label, state.query, base, look);
  const marker = isSelected ? look.paint(['bold', 'cyan'], '❯ ') : '  ';
  if (detail === '') return marker + marked;
  const space = padTo(label, labelRoom + GAP).slice(label.length);
  return marker + marked + space + mark(detail, state.query, isSelected ? [] : ['dim'], look);
}

/** What the words of the query found stands out. */
function mark(text: string, query: string, base: readonly Style[], look: PickerLook): string {
  const found = new Uint8Array(text.length);
  for (const pattern of patternsOf(query))
    for (const { 0: part, index } of text.matchAll(pattern)) found.fill(1, index, index + part.length);
  let out = '';
  for (let from = 0; from < text.length; ) {
    let to = from + 1;
    while (to < text.length && found[to] === found[from]) to++;
    const part = text.slice(from, to);
    out += found[from] ? look.paint(['bold', 'yellow'], part) : look.paint(base, part);
    from = to;
  }
  return out;
}

function footer({ matches, entries }: PickerState, { isReading }: PickerLook, width: number): string {
  const count =
    matches.length === entries.length
      ? formatNumber(entries.length)
      : `${formatNumber(matches.length)} of ${formatNumber(entries.length)}`;
  const start = `  ${count}${isReading ? ', reading…' : ''}`;
  const whole = `${start}  ·  ↑↓ move  ·  enter pick  ·  esc leave`;
  return cutToWidth(widthOf(whole) <= width ? whole : start, width);
}
