import { paint } from '../terminal/output.ts';
import { printableLine } from '../views/text/printable.ts';
import { cutToWidth, keepEnd, keepEnds, padTo, widthOf } from '../views/text/width.ts';
import { type Column, fitColumns, GAP } from './fit-columns.ts';

/** Rows as a table that fits the terminal; into a file nothing is left out. */
export function formatTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width = terminalWidth(),
): string {
  const widths = fitColumns(columns, rows, width);
  const shown = columns.flatMap((column, i) => {
    const own = widths[i] ?? null;
    return own === null ? [] : { ...column, i, width: own };
  });
  const isTooWide = shown.reduce((sum, each) => sum + each.width + GAP, -GAP) > width;
  const line = (cells: readonly string[]): string => {
    const whole = shown
      .map((column, at) => fill(cells[column.i] ?? '', column, at === shown.length - 1))
      .join(' '.repeat(GAP));
    return (isTooWide ? cutToWidth(whole, width) : whole).trimEnd();
  };
  return [bold(line(columns.map(({ title }) => title))), ...rows.map(line)].join('\n');
}

function fill(text: string, { align, cut, width }: Column & { readonly width: number }, isLast: boolean): string {
  const cell = (cut === 'start' ? keepEnd : cut === 'middle' ? keepEnds : cutToWidth)(text, width);
  if (align === 'right') return ' '.repeat(Math.max(0, width - widthOf(cell))) + cell;
  return isLast ? cell : padTo(cell, width);
}

const terminalWidth = (): number => (process.stdout.isTTY ? (process.stdout.columns ?? 80) : Number.MAX_SAFE_INTEGER);

export const bold = (text: string): string => paint(['bold'], text);
export const dim = (text: string): string => paint(['dim'], text);

/** Ids are the log's own words: what stands in them must not reach the terminal either. */
export const shortId = (id: string, isWhole = false): string => printableLine(id).slice(0, isWhole ? undefined : 8);

/** Of a record in a session; where the session is a part of the id (`<session>/<entry>`), only the rest tells two apart. */
export const shortRecordId = (id: string, session: string, isWhole = false): string =>
  shortId(!isWhole && id.startsWith(`${session}/`) ? id.slice(session.length + 1) : id, isWhole);

/** `$1.23`; `$1.23+` when the price of a model in it is unknown, `–` when nothing is known. */
export function formatCost({ costUsd, knownCostUsd }: { costUsd: number | null; knownCostUsd: number }): string {
  if (costUsd === null && knownCostUsd === 0) return '–';
  const text = knownCostUsd.toLocaleString('en-US', {
    minimumFractionDigits: 2,
    maximumFractionDigits: knownCostUsd < 0.01 && knownCostUsd > 0 ? 4 : 2,
  });
  return `$${text}${costUsd === null ? '+' : ''}`;
}

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;
export const formatNumber = (count: number): string => count.toLocaleString('en-US');

/** What to type: in a checkout nothing is called `skein` yet. */
export const COMMAND = process.env.npm_lifecycle_event ? 'npm run -s skein --' : 'skein';

export const megabytes = (bytes: number): string =>
  bytes < 1e9 ? `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;

/** The same where little is worth telling too: most appends are a few lines. */
export const formatSize = (bytes: number): string =>
  bytes > 0 && bytes < 1e5 ? `${(bytes / 1000).toFixed(bytes < 1e4 ? 1 : 0)} KB` : megabytes(bytes);
