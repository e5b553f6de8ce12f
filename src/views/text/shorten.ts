import { writeJson } from '../../model/index.ts';
import { printable, printableLine } from './printable.ts';
import { cutToWidth } from './width.ts';

const SHOWN_LINES = 3;
/** A line of a megabyte is no preview. */
const LONGEST_LINE = 500;
const VALUE_COLUMNS = 80;

/** `1 line`, `3 lines`. */
export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The first lines, and how many more there are; all of them when verbose. */
export function preview(text: string, verbose: boolean, shown = SHOWN_LINES): string {
  const lines = linesOf(text);
  if (verbose) return lines.join('\n');
  const rest = lines.length - shown;
  const first = lines.slice(0, shown).map(cutLine);
  return (rest > 0 ? [...first, `… +${countOf(rest, 'line')}`] : first).join('\n');
}

/** All lines, without the blank ones around them. */
export function linesOf(text: string): readonly string[] {
  const lines = printable(text).trimEnd().split('\n');
  const first = lines.findIndex((line) => line.trim() !== '');
  if (first < 0) return [];
  // Indentation says something among lines only.
  return first === lines.length - 1 ? [lines[first]?.trimStart() ?? ''] : lines.slice(first);
}

/** As an editor counts them: the last line may end with a break. */
export const lineCount = (text: string): number => (text === '' ? 0 : text.replace(/\n$/, '').split('\n').length);

/** A head that says it all, with the whole text below when verbose. */
export const withBody = (head: string, body: unknown, verbose: boolean): string =>
  verbose && typeof body === 'string' ? [head, ...linesOf(body)].join('\n') : head;

export function cutLine(line: string): string {
  if (line.length <= LONGEST_LINE) return line;
  // Half a surrogate pair would be sent as a broken character.
  return `${line.slice(0, LONGEST_LINE).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** A value on one line and not longer than a line: text as it is, `{key, key}`, `[3 items]`. */
export function shortValue(value: unknown): string {
  if (typeof value === 'string') return cutToWidth(printableLine(value), VALUE_COLUMNS);
  if (Array.isArray(value)) return `[${countOf(value.length, 'item')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  return cutToWidth(`{${Object.keys(value).map(printableLine).join(', ')}}`, VALUE_COLUMNS);
}

export const wholeValue = (value: unknown): string =>
  typeof value === 'string' ? linesOf(value).join('\n') : printable(writeJson(value));

export const baseName = (path: string): string =>
  printableLine(path.split(/[\\/]/).findLast((part) => part.trim() !== '') ?? path);
