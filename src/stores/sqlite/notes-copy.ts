import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { type CheckedLines, readCheckedLines, writeCheckedLines } from './checked-lines.ts';

/** All notes and settings once more, as text: they are few, and stand nowhere else. */
const copyPath = (notes: string): string => notes.replace(/\.db$/, '.copy');

/** A note (agent, session, record, sort, text, time) or a setting (name, value), as a line of JSON. */
export type NoteRow = readonly ['note', string, string, string, string, string, number];
export type SettingRow = readonly ['setting', string, string];

export function linesOf(database: DatabaseSync): string[] {
  const notes = database.prepare('select * from note order by agent, session, record, sort').all();
  const settings = database.prepare('select name, value from setting order by name').all();
  return [
    ...notes.map(({ agent, session, record, sort, text, time }) => ['note', agent, session, record, sort, text, time]),
    ...settings.map(({ name, value }) => ['setting', name, value]),
  ].map((row) => JSON.stringify(row));
}

export const digestOf = (lines: readonly string[]): string =>
  createHash('sha256').update(lines.join('\n')).digest('hex');

export const readCopy = (notes: string): CheckedLines | null => readCheckedLines(copyPath(notes));
export const writeCopy = (notes: string, lines: readonly string[]): void => writeCheckedLines(copyPath(notes), lines);

export function insertRows(database: DatabaseSync, rows: Iterable<NoteRow | SettingRow>): void {
  const note = database.prepare(
    'insert or replace into note (agent, session, record, sort, text, time) values (?, ?, ?, ?, ?, ?)',
  );
  const setting = database.prepare('insert or replace into setting values (?, ?)');
  for (const [table, ...values] of rows) (table === 'note' ? note : setting).run(...values);
}
