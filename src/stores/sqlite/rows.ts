import { crc32 } from 'node:zlib';
import type { ArchivedFile, FileKind } from '../store.ts';

export const COLUMNS =
  'id, root, agent, project, path, generation, kind, size, crc, head, tail_start, tail_crc, inode, modified, replaced_at, gone_at';

export interface Row {
  readonly id: number;
  readonly root: string;
  readonly agent: string;
  readonly project: string;
  readonly path: string;
  readonly generation: number;
  readonly kind: FileKind;
  readonly size: number;
  readonly crc: number;
  readonly head: number;
  readonly tail_start: number;
  readonly tail_crc: number;
  readonly inode: number;
  readonly modified: number;
  readonly replaced_at: number | null;
  readonly gone_at: number | null;
}

/** As it is stored: SQLite notices damage of its own structure only, not of what stands in it. */
export interface SummedRow extends Row {
  readonly sum: number;
}

export const ROW_NAMES = COLUMNS.split(', ') as (keyof Row)[];

/** Of everything else in the row. */
export const sumOf = (row: Row): number => sumOfValues(ROW_NAMES.map((name) => row[name]));

export const sumOfValues = (values: readonly unknown[]): number => crc32(JSON.stringify(values));

export const isSound = (row: SummedRow): boolean => row.sum === sumOf(row);

export const fileOf = ({ tail_start, tail_crc, replaced_at, gone_at, ...same }: Row): ArchivedFile => ({
  ...same,
  tail: { start: tail_start, crc: tail_crc },
  replacedAt: replaced_at,
  goneAt: gone_at,
});
