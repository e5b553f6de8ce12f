import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { openDatabase, type Schema, savingPath, transaction } from './database.ts';
import { digestOf, insertRows, linesOf, type NoteRow, readCopy, type SettingRow } from './notes-copy.ts';
import { Pages } from './pages.ts';
import { type Cell, readCells } from './read-cells.ts';
import { setAside } from './salvage.ts';

/** What became of notes that were damaged, emptied or gone. */
export interface Healed {
  /** Where the damaged ones lie now; null: they were not moved. */
  readonly aside: string | null;
  readonly rows: number;
  /** Nothing of them is lost. */
  readonly isAll: boolean;
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** To SQLite a file without a byte is a new database; with a copy that says something it is one that was lost. */
export const isLost = (path: string): boolean =>
  sizeOf(path) === 0 && !existsSync(savingPath(path)) && (readCopy(path)?.lines.length ?? 0) > 0;

/** Written anew where they lay. Killed at any moment, the next who opens them finds the old ones or the new. */
export function healNotes(path: string, schema: Schema): Healed {
  const { rows, isAll } = findRows(path);
  const saving = savingPath(path);
  for (const end of ['-wal', '-shm', '']) rmSync(saving + end, { force: true });
  const database = openDatabase(saving, schema);
  fill(database, rows);
  database.close();
  const aside = sizeOf(path) === 0 ? null : setAside(path, new Date());
  renameSync(saving, path);
  return { aside, rows: rows.length, isAll };
}

/** In memory, for who only reads. */
export function notesFromCopy(path: string, schema: Schema): Healed & { readonly database: DatabaseSync } {
  const { rows, isAll } = findRows(path);
  const database = new DatabaseSync(':memory:');
  database.exec(schema.steps.join(';'));
  fill(database, rows);
  return { database, aside: null, rows: rows.length, isAll };
}

function fill(database: DatabaseSync, rows: readonly Found[]): void {
  transaction(database, () => {
    insertRows(database, rows);
    database.prepare(`insert or replace into fact values ('digest', ?)`).run(digestOf(linesOf(database)));
  });
}

type Found = NoteRow | SettingRow;

/** The copy has it all; where it has not, what else can be read. What is newer than it was noted by somebody who was killed. */
function findRows(path: string): { readonly rows: Found[]; readonly isAll: boolean } {
  const copy = readCopy(path);
  const copied = (copy?.lines ?? []).map((line) => JSON.parse(line) as Found);
  const damaged = sizeOf(path) > 0 ? readDamaged(path) : [];
  if (!copy?.isWhole) return { rows: [...damaged, ...copied], isAll: false };
  const newest = copied.reduce((latest, row) => Math.max(latest, timeOf(row)), 0);
  return { rows: [...copied, ...damaged.filter((row) => timeOf(row) > newest)], isAll: true };
}

const timeOf = (row: Found): number => (row[0] === 'note' ? row[6] : 0);

function readDamaged(path: string): Found[] {
  const pages = new Pages(path);
  try {
    const numbers = Array.from({ length: pages.count }, (_, i) => i + 1);
    return numbers.flatMap((number) => {
      const { cells } = readCells(pages, number, (cell) => rowIn(cell) !== null || isOther(cell));
      return cells.map(rowIn).filter((row) => row !== null);
    });
  } finally {
    pages.close();
  }
}

function rowIn({ rowid, values }: Cell): Found | null {
  const texts = values.slice(0, 5).every((value) => typeof value === 'string');
  if (rowid !== null || !texts) return null;
  if (values.length === 6 && Number.isSafeInteger(values[5])) return ['note', ...values] as unknown as NoteRow;
  return values.length === 2 && values[0] !== 'digest' ? (['setting', ...values] as unknown as SettingRow) : null;
}

/** The schema, and what stands about the rest. */
const isOther = ({ values }: Cell): boolean =>
  (values.length === 2 || values.length === 5) && typeof values[0] === 'string';
