import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { noteSteps, SqliteNotes } from '../../src/stores/sqlite/notes.ts';
import { tempFolder } from '../kit/temp.ts';
import { note, testNotes } from './notes-contract.ts';

const pathOf = (folder: string): string => join(folder, 'data', 'notes.db');

describe('notes in SQLite', () => {
  testNotes(() => {
    const path = pathOf(tempFolder());
    return { open: async () => SqliteNotes.open(path) };
  });

  test('M8 only their owner may read them', async () => {
    const path = pathOf(tempFolder());
    const store = SqliteNotes.open(path);
    await store.set(note());
    const modes = readdirSync(join(path, '..')).map((name) => statSync(join(path, '..', name)).mode & 0o777);
    expect(new Set(modes)).toEqual(new Set([0o600]));
    await store.close();
  });

  test('M8 no byte of what is forgotten, changed or taken away before stays in any file', async () => {
    const folder = tempFolder();
    const store = SqliteNotes.open(pathOf(folder));
    for (let i = 0; i < 200; i++) await store.set(note({ record: `r${i}`, text: `SECRET${i} ${'x'.repeat(300)}` }));
    await store.set(note({ record: 'r7', text: 'SECRET changed' }));
    await store.set(note({ record: 'r8', text: '' }));
    await store.set(note({ session: 'kept', text: 'KEPT' }));
    await store.forget([{ agent: 'claude-code', sessions: ['s1'] }]);
    const bytes = readdirSync(join(folder, 'data')).map((name) => readFileSync(join(folder, 'data', name), 'latin1'));
    expect(bytes.join('')).toContain('KEPT');
    expect(bytes.join('')).not.toContain('SECRET');
    await store.close();
  });

  test('M6 notes of an older version are brought up to date in place, those of a newer one are left alone', async () => {
    const path = pathOf(tempFolder());
    await SqliteNotes.open(path).close();
    const raw = new DatabaseSync(path);
    raw.exec('drop table note; drop table setting; pragma user_version = 0');
    raw.close();
    const store = SqliteNotes.openForReading(path);
    expect(await store.totals()).toEqual({ labels: 0, stars: 0, notes: 0, settings: 0 });
    await store.close();
    const newer = new DatabaseSync(path);
    newer.exec(`pragma user_version = ${noteSteps.length + 1}`);
    newer.close();
    expect(() => SqliteNotes.open(path)).toThrow('was written by a newer Skein');
  });

  test('M7 damaged notes are told, not replaced', () => {
    const path = pathOf(tempFolder());
    const store = SqliteNotes.open(path);
    void store.close();
    writeFileSync(path, 'this is no database, and long enough to be looked at as one'.repeat(200));
    expect(() => SqliteNotes.open(path)).toThrow('is damaged; move it away');
    expect(readFileSync(path, 'latin1')).toContain('this is no database');
  });
});
