import { largest } from '../model/index.ts';
import { widthOf } from '../views/text/width.ts';

export interface Column {
  readonly title: string;
  readonly align?: 'right';
  /** So wide at most, into a file too. */
  readonly most?: number;
  /** Where a text is cut that is too long; at its end without it. */
  readonly cut?: 'start' | 'middle';
  /** Takes what the others leave: at least so much, as far as it needs it and others may be left out. */
  readonly flexible?: number;
  /** May be left out, the one with the smallest number first; before all others one that says nothing. */
  readonly spare?: number;
}

export const GAP = 2;

/** How wide each column is on a screen; null: it is left out. */
export function fitColumns(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): (number | null)[] {
  const widths: (number | null)[] = columns.map(({ title, most = Number.MAX_SAFE_INTEGER }, i) => {
    const cells = rows.map((row) => widthOf(row[i] ?? ''));
    return Math.min(most, largest(cells, widthOf(title)));
  });
  const flexible = columns.findIndex((column) => column.flexible !== undefined);
  const wanted = widths[flexible] ?? 0;
  const least = Math.min(wanted, columns[flexible]?.flexible ?? 0);
  const room = (): number =>
    widths.reduce<number>(
      (left, each, i) => (each === null ? left : left - GAP - (i === flexible ? 0 : each)),
      width + GAP,
    );
  const spare = columns.flatMap((column, i) =>
    column.spare === undefined ? [] : { i, spare: rows.some((row) => row[i]) ? column.spare : 0 },
  );
  for (const { i } of spare.sort((a, b) => a.spare - b.spare)) if (room() < least) widths[i] = null;
  if (flexible >= 0) widths[flexible] = Math.max(1, Math.min(wanted, room()));
  return widths;
}
