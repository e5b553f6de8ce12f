import { styleText } from 'node:util';
import { largest } from '../model/index.ts';
import { printableLine } from '../views/text/printable.ts';
import { cutToWidth, padTo, widthOf } from '../views/text/width.ts';

export interface Column {
  readonly title: string;
  readonly align?: 'right';
  /** Takes what the others leave. */
  readonly flexible?: boolean;
}

/** Rows as a table that fits the terminal; into a file nothing is cut. */
export function formatTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width = terminalWidth(),
): string {
  const widths = columns.map(({ title }, i) =>
    largest(
      rows.map((row) => widthOf(row[i] ?? '')),
      widthOf(title),
    ),
  );
  const gaps = 2 * (columns.length - 1);
  const flexible = columns.findIndex((column) => column.flexible);
  const fixed = widths.reduce((sum, each, i) => (i === flexible ? sum : sum + each), gaps);
  if (flexible >= 0) widths[flexible] = Math.max(12, Math.min(widths[flexible] ?? 0, width - fixed));
  const line = (cells: readonly string[]): string =>
    columns
      .map((column, i) => {
        const cell = cutToWidth(cells[i] ?? '', widths[i] ?? 0);
        const space = ' '.repeat(Math.max(0, (widths[i] ?? 0) - widthOf(cell)));
        return column.align === 'right' ? space + cell : i === columns.length - 1 ? cell : padTo(cell, widths[i] ?? 0);
      })
      .join('  ')
      .trimEnd();
  return [bold(line(columns.map(({ title }) => title))), ...rows.map(line)].join('\n');
}

const terminalWidth = (): number => (process.stdout.isTTY ? (process.stdout.columns ?? 80) : Number.MAX_SAFE_INTEGER);

type Style = Parameters<typeof styleText>[0];

/** Colour only where a person looks (`NO_COLOR` honoured). */
export const paint = (style: Style, text: string): string =>
  process.stdout.isTTY && !process.env.NO_COLOR ? styleText(style, text) : text;
export const bold = (text: string): string => paint('bold', text);
export const dim = (text: string): string => paint('dim', text);

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
