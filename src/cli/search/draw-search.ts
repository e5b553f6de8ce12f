import type { Hit, SnippetPart } from '../../search/index.ts';
import type { Frame } from '../../terminal/frame-writer.ts';
import type { Paint } from '../../terminal/style.ts';
import { formatDay, formatTime } from '../../views/text/format-time.ts';
import { printable, printableLine } from '../../views/text/printable.ts';
import { cutToWidth, keepEnd, padTo, widthOf } from '../../views/text/width.ts';
import { formatNumber, plural, shortId } from '../table.ts';
import { cutParts, NO_TEXT, nameOf, projectName } from './draw-hit.ts';
import type { SearchState } from './search-state.ts';

export interface SearchLook {
  readonly columns: number;
  /** Lines of the preview; 0: none. */
  readonly preview: number;
  readonly paint: Paint;
}

/** Lines around the list: the prompt and the keys. */
export const FRAME_LINES = 2;
/** The rule above the preview, and its head. */
export const PREVIEW_HEAD = 2;

/**
 *     Search clock parser
 *     ❯ 2026-11-02  user         … the clock parser is wrong …
 *       2026-11-01  Bash result  clock.ts: parser error
 *     ──────
 *     Fix the clock  app  29ccd257  2026-11-02 19:30
 *     Please look, the clock parser is wrong since …
 *       2 messages  ·  ↑↓ preview  ·  enter open  ·  esc leave
 */
export function drawSearch(state: SearchState, look: SearchLook): Frame {
  const width = Math.max(1, look.columns - 1);
  const title = cutToWidth(TITLE, Math.floor(width / 2));
  const room = Math.max(1, width - widthOf(title) - 2);
  const query = keepEnd(state.query, room);
  const typed = query === '' ? look.paint(['dim'], cutToWidth(HINT, room)) : query;
  const shown = state.hits.slice(state.top, state.top + state.page);
  const rows = shown.map((hit, i) => drawRow(hit, look, width, state.top + i === state.selected));
  const selected = state.hits[state.selected];
  return {
    lines: [
      `${look.paint(['bold'], title)} ${typed}`,
      ...rows,
      ...(selected && look.preview > 0 ? drawPreview(selected, look, width) : []),
      look.paint(['dim'], cutToWidth(footer(state), width)),
    ],
    column: Math.min(width - 1, widthOf(title) + 1 + widthOf(query)),
  };
}

const TITLE = 'Search';
const HINT = 'words, "phrases", -not, tool:Bash, is:error, file:src/a.ts, after:yesterday';

function drawRow(hit: Hit, look: SearchLook, width: number, isSelected: boolean): string {
  const marker = isSelected ? look.paint(['bold', 'cyan'], '❯ ') : '  ';
  const room = Math.max(0, width - 2);
  const whole = `${formatDay(hit.time)}  ${padTo(cutToWidth(nameOf(hit), NAME), NAME)}  `;
  const head = room > 2 * widthOf(whole) ? whole : '';
  const parts = cutParts(fromFirstMark(hit.snippet), room - widthOf(head));
  const text = drawParts(parts, look) || look.paint(['dim'], cutToWidth(NO_TEXT, room - widthOf(head)));
  return marker + look.paint(isSelected ? ['bold'] : ['dim'], head) + text;
}

const NAME = 12;
const BEFORE_MARK = 20;

/** In a narrow row the mark must be seen: what stands before it is shortened. */
function fromFirstMark(parts: readonly SnippetPart[]): SnippetPart[] {
  const first = parts.findIndex(({ marked }) => marked);
  if (first < 0) return [...parts];
  const before = parts.slice(0, first).reduce((text, part) => text + part.text, '');
  return [{ text: keepEnd(before, BEFORE_MARK), marked: false }, ...parts.slice(first)];
}

const drawParts = (parts: readonly SnippetPart[], look: SearchLook): string =>
  parts.map(({ text, marked }) => look.paint(marked ? ['bold', 'yellow'] : [], text)).join('');

function drawPreview(hit: Hit, look: SearchLook, width: number): string[] {
  const title = printableLine(hit.sessionTitle ?? '(no title)');
  const facts = `  ${projectName(hit)}  ${shortId(hit.session)}  ${formatTime(hit.time)}`;
  const head = cutToWidth(title, Math.max(1, width - widthOf(facts)));
  const lines = wrap(hit.snippet, width).slice(0, look.preview);
  return [
    look.paint(['dim'], '─'.repeat(Math.min(width, 40))),
    look.paint(['bold'], head) + look.paint(['dim'], cutToWidth(facts, Math.max(0, width - widthOf(head)))),
    ...Array.from({ length: look.preview }, (_, i) => drawParts(lines[i] ?? [], look)),
  ];
}

/** Over several lines, between words where that goes. */
function wrap(parts: readonly SnippetPart[], width: number): SnippetPart[][] {
  const lines: SnippetPart[][] = [[]];
  let used = 0;
  for (const { text, marked } of parts) {
    for (const word of printable(text).split(/(?<= )/)) {
      const size = widthOf(word);
      if (used > 0 && used + widthOf(word.trimEnd()) > width) {
        lines.push([]);
        used = 0;
      }
      const piece = size > width ? cutToWidth(word, width) : word;
      lines.at(-1)?.push({ text: used + size > width ? piece.trimEnd() : piece, marked });
      used += Math.min(size, width);
    }
  }
  return lines;
}

function footer({ query, hits, total, isSearching, problem }: SearchState): string {
  if (problem !== null) return `  ${problem}`;
  const keys = '↑↓ preview  ·  enter open  ·  esc leave';
  if (total === null) return isSearching ? '  searching…' : `  type to search  ·  ${keys}`;
  if (total.count === 0 && !isSearching) return `  Nothing found for ${printableLine(query)}`;
  const count = `${total.isEstimated ? 'about ' : total.isCapped ? 'more than ' : ''}${plural(total.count, 'message')}`;
  const best = hits.length < total.count ? `, the best ${formatNumber(hits.length)}` : '';
  return `  ${count}${best}${isSearching ? ', searching…' : ''}  ·  ${keys}`;
}
