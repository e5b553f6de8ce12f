import type { Paint } from '../terminal/style.ts';
import { formatTime } from '../views/text/format-time.ts';
import { printableLine } from '../views/text/printable.ts';
import { cutToWidth, keepEnd, widthOf } from '../views/text/width.ts';
import { drawRow } from './draw-row.ts';
import type { TreeScreen } from './tree-screen.ts';

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

export interface Frame {
  readonly lines: readonly string[];
  /** Where typing goes on; null: nothing is typed. */
  readonly cursor: { readonly x: number; readonly y: number } | null;
}

/** Columns of one level of the tree. */
const LEVEL = 3;

/**
 * The whole screen, as many lines as it has rows and none as wide as it is (a terminal would wrap it):
 *
 *     Fix the red test                                  title, where there is room
 *     ❯ • user: Fix the red test                        the tree
 *     1/12 · default · 2026-11-02 19:30 · 29ccd257      where one is, or what is asked
 *     ↑↓ move · ←→ fold · / search · …                  the keys
 */
export function drawScreen(screen: TreeScreen, { columns, rows }: ScreenSize, paint: Paint): Frame {
  const width = Math.max(1, columns - 1);
  const [hasTitle, hasHelp] = [rows >= 7, rows >= 4];
  const height = Math.max(1, rows - 1 - Number(hasTitle) - Number(hasHelp));
  const { selector } = screen;
  screen.height = height;
  screen.shift = shiftFor(selector.rows.depth[selector.selected] ?? 0, screen.shift, width);
  const look = {
    columns: width,
    shift: screen.shift,
    noTools: selector.mode === 'no-tools',
    query: selector.query,
    paint,
  };
  const list = selector.page(height).map((row) => drawRow(row, selector.rows, look));
  if (list.length === 0) list.push(paint(['dim'], cutToWidth(`  ${emptyText(screen)}`, width)));
  while (list.length < height) list.push('');
  const status = drawStatus(screen, width, paint);
  const lines = [
    ...(hasTitle ? [titleLine(screen, width, paint)] : []),
    ...list,
    status.text,
    ...(hasHelp ? [paint(['dim'], helpLine(screen, width))] : []),
  ].slice(0, Math.max(1, rows));
  const y = Number(hasTitle) + height;
  return { lines, cursor: status.column === null || y >= lines.length ? null : { x: status.column, y } };
}

function titleLine({ options }: TreeScreen, width: number, paint: Paint): string {
  const id = `  ${printableLine(options.id).slice(0, 8)}`;
  const title = cutToWidth(printableLine(options.title), Math.max(0, width - widthOf(id)));
  return paint(['bold'], title) + paint(['dim'], cutToWidth(id, width));
}

/** The selected row begins in the left part of the screen, however deep it is; small moves do not scroll. */
function shiftFor(depth: number, shift: number, width: number): number {
  const most = Math.max(1, Math.floor((width * 0.4) / LEVEL));
  if (depth - shift > most) return depth - Math.max(1, Math.floor((width * 0.3) / LEVEL));
  if (depth - shift < 1 && shift > 0) return Math.max(0, depth - Math.max(1, Math.floor((width * 0.15) / LEVEL)));
  return shift;
}

function emptyText({ selector }: TreeScreen): string {
  if (selector.nodes.length === 0) return 'Nothing was said in this session';
  if (selector.found && !selector.found.isDone) return 'Searching…';
  return selector.found ? 'Nothing found' : `Nothing to show with the filter ${selector.mode}`;
}

function drawStatus(screen: TreeScreen, width: number, paint: Paint): { text: string; column: number | null } {
  const { question, message, selector } = screen;
  if (message !== null) return { text: paint(['yellow'], cutToWidth(printableLine(message), width)), column: null };
  if (question?.about === 'branch')
    return { text: paint(['yellow'], cutToWidth(`${screen.options.branch}  enter yes · esc no`, width)), column: null };
  if (question) return typedLine('Label: ', question.text, '', width, paint);
  const place = placeOf(screen);
  if (!screen.isSearching) return { text: paint(['dim'], cutToWidth(place, width)), column: null };
  return typedLine('Search: ', selector.query, `  ${place}`, width, paint);
}

/** What is typed keeps its end in sight. */
function typedLine(ask: string, text: string, after: string, width: number, paint: Paint) {
  const room = Math.max(1, width - widthOf(ask) - 1);
  const shown = keepEnd(printableLine(text) + (/\s$/.test(text) ? ' ' : ''), room);
  const column = widthOf(ask) + widthOf(shown);
  const rest = cutToWidth(after, Math.max(0, width - column - 1));
  return { text: `${paint(['bold'], ask)}${shown}${paint(['dim'], rest)}`, column: Math.min(column, width) };
}

function placeOf({ selector }: TreeScreen): string {
  const { found, length, mode, selectedNode } = selector;
  const number = (count: number): string => count.toLocaleString('en-US');
  const id = selectedNode?.annotation?.key ?? selectedNode?.record?.id ?? '';
  const time = selectedNode?.annotation?.time ?? selectedNode?.record?.time ?? null;
  return [
    found
      ? `${number(found.count)} found${found.isDone ? '' : '…'}`
      : `${number(selector.selected + 1)}/${number(length)}`,
    mode,
    formatTime(time),
    printableLine(id.slice(id.lastIndexOf('/') + 1)).slice(0, 8),
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

/** The keys. Where there is no room for all, those that are needed least are left out first. */
function helpLine({ question, isSearching, options }: TreeScreen, width: number): string {
  const isTree = options.shows === 'tree';
  const keys: (readonly [need: number, text: string])[] =
    question?.about === 'label'
      ? [
          [1, 'enter save'],
          [2, 'esc back'],
          [3, 'empty takes it away'],
        ]
      : [
          [1, '↑↓ move'],
          [2, isTree ? 'enter open' : 'enter branch before it'],
          ...(isSearching ? [] : [[4, '/ search'] as const]),
          [5, '^O filter'],
          ...(isSearching || !isTree ? [] : [[6, '←→ fold'] as const]),
          ...(isSearching ? [] : [[7, 'L label'] as const, [8, 'b branch'] as const]),
          [9, 'pgup pgdn page'],
          [3, isSearching ? 'esc clear' : 'esc leave'],
        ];
  for (let need = keys.length; need > 0; need--) {
    const needed = keys.map(([each]) => each).sort((a, b) => a - b)[need - 1] ?? 0;
    const line = keys.flatMap(([each, text]) => (each <= needed ? [text] : [])).join('  ');
    if (widthOf(line) <= width) return line;
  }
  return '';
}
