import { connectorsOf, type Row, type Rows, wordsOf } from '../selector/index.ts';
import type { Paint, Style } from '../terminal/style.ts';
import { formatTime } from '../views/text/format-time.ts';
import { printableLine } from '../views/text/printable.ts';
import { cutToWidth, widthOf } from '../views/text/width.ts';

export interface RowLook {
  readonly columns: number;
  /** Levels of the tree that are out of sight at the left. */
  readonly shift: number;
  /** Calls are not shown. */
  readonly noTools: boolean;
  readonly query: string;
  readonly paint: Paint;
}

/** Below this a time takes the place of what is said. */
const NARROW = 60;

/**
 * A row in at most `columns` columns:
 *
 *     ❯ │  ├▾ • [checkpoint] 2026-11-02 19:30 user: Fix the red test
 *
 * the cursor, the lines of the forks with the mark of a fold, the mark of the active path, the label, who speaks, what is said.
 */
export function drawRow(row: Row, rows: Rows, look: RowLook): string {
  const { paint, columns } = look;
  const end = row.fold === 'folded' ? `  (${row.below.toLocaleString('en-US')} more)` : '';
  const line = new Line(columns - widthOf(end), paint);
  const dim: readonly Style[] = row.isDim ? ['dim'] : [];
  const isRoot = row.depth === 0;
  line.add(
    row.isSelected ? ['bold', 'cyan'] : dim,
    `${row.isSelected ? '❯' : ' '}${isRoot ? foldMark(row, ' ') : ' '}`,
  );
  const connectors = connectorsOf(rows, row.index, look.shift, columns);
  const isCut = look.shift > 0 && row.depth > 0 && row.depth <= look.shift;
  line.add(['dim'], isCut ? '‹ ' : withFold(connectors, row));
  line.add(row.isActive && !row.isDim ? ['green'] : dim, row.isActive ? '• ' : '');
  if (row.label) {
    line.add(row.isDim ? ['dim', 'yellow'] : ['yellow'], `[${printableLine(row.label.text)}] `);
    if (columns >= NARROW) line.add(['dim'], row.label.time === null ? '' : `${formatTime(row.label.time)} `);
  }
  addText(line, row, look);
  return line.text + paint(['dim'], end);
}

function addText(line: Line, row: Row, look: RowLook): void {
  const { role, text, calls, isError } = row.text;
  const base: readonly Style[] = row.isDim ? ['dim'] : row.isSelected ? ['bold'] : [];
  const tone = isError ? 'red' : TONES.get(role.split(' ')[0] ?? '');
  const words = row.isDim ? [] : wordsOf(look.query);
  line.mark([...base, ...(tone ? [tone] : [])], `${printableLine(role)}: `, words);
  const said = printableLine(text);
  line.mark(base, said, words);
  if (calls.length === 0 || (look.noTools && said !== '')) return;
  line.mark([...base, 'dim'], `${said === '' ? '' : ' '}${saidCalls(calls)}`, words);
}

const saidCalls = (calls: readonly string[]): string => calls.map((call) => `[${printableLine(call)}]`).join(' ');

const TONES: ReadonlyMap<string, Style> = new Map([
  ['user', 'cyan'],
  ['command', 'cyan'],
  ['bash', 'cyan'],
  ['compaction', 'magenta'],
  ['branch', 'magenta'],
  ['agent', 'blue'],
]);

const foldMark = ({ fold }: Row, otherwise: string): string =>
  fold === 'folded' ? '▸' : fold === 'open' ? '▾' : otherwise;

/** The mark of a fold stands in the line that leads to it: `├▾ `. */
const withFold = (connectors: string, row: Row): string =>
  row.fold === null || !/─ $/.test(connectors) ? connectors : `${connectors.slice(0, -2)}${foldMark(row, '─')} `;

/** Pieces that are cut together where the line is full. */
class Line {
  text = '';
  #left: number;
  readonly #paint: Paint;

  constructor(columns: number, paint: Paint) {
    this.#left = columns;
    this.#paint = paint;
  }

  add(styles: readonly Style[], text: string): void {
    if (text === '' || this.#left <= 0) return;
    const cut = cutToWidth(text, this.#left);
    this.#left -= cut === text ? widthOf(cut) : this.#left;
    this.text += this.#paint(styles, cut);
  }

  /** The same, with what was looked for standing out. */
  mark(styles: readonly Style[], text: string, words: readonly string[]): void {
    if (words.length === 0) {
      this.add(styles, text);
      return;
    }
    const cut = cutToWidth(text, Math.max(0, this.#left));
    this.#left -= cut === text ? widthOf(cut) : this.#left;
    let from = 0;
    for (const [start, end] of foundIn(cut, words)) {
      this.text += this.#paint(styles, cut.slice(from, start)) + this.#paint(['bold', 'yellow'], cut.slice(start, end));
      from = end;
    }
    this.text += this.#paint(styles, cut.slice(from));
  }
}

/** Where the words stand, from left to right, without overlaps. Lower case may be longer: then nothing is marked. */
function foundIn(text: string, words: readonly string[]): (readonly [number, number])[] {
  const lower = text.toLowerCase();
  if (lower.length !== text.length) return [];
  const found: [number, number][] = [];
  for (const word of words)
    for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + word.length))
      found.push([at, at + word.length]);
  found.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  return found.filter(([start], i) => found.slice(0, i).every(([, end]) => end <= start));
}
