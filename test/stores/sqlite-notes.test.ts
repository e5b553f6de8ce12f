import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
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
    raw.exec('drop table note; drop table setting; drop table fact; pragma user_version = 0');
    raw.close();
    const store = SqliteNotes.openForReading(path);
    expect(await store.totals()).toEqual({ labels: 0, stars: 0, notes: 0, settings: 0 });
    await store.close();
    const newer = new DatabaseSync(path);
    const next = noteSteps.length + 1;
    newer.exec(`update fact set value = ${next} where name = 'version'; pragma user_version = ${next}`);
    newer.close();
    expect(() => SqliteNotes.open(path)).toThrow('was written by a newer Skein');
  });

  const texts = async (store: SqliteNotes): Promise<string[]> =>
    (await store.about({ agent: 'claude-code', sessions: ['s1'] })).map(({ text }) => text);
  async function noted(): Promise<string> {
    const path = pathOf(tempFolder());
    const store = SqliteNotes.open(path);
    await store.setSetting('fullText', 'off');
    for (const [time, text] of ['one', 'two', 'three'].entries()) await store.set(note({ record: text, text, time }));
    await store.close();
    return path;
  }

  const harm: Record<string, (path: string) => void> = {
    garbage: (path) => writeFileSync(path, 'this is no database, and long enough to be looked at as one'.repeat(200)),
    emptied: (path) => writeFileSync(path, ''),
    gone: (path) => rmSync(path),
    'one letter of a label is another': (path) =>
      writeFileSync(path, readFileSync(path, 'latin1').replace('three', 'thref'), 'latin1'),
    'the page of the digest': (path) => {
      const raw = new DatabaseSync(path);
      const { rootpage } = raw.prepare(`select rootpage from sqlite_master where name = 'fact'`).get() as {
        rootpage: number;
      };
      raw.close();
      const bytes = readFileSync(path);
      bytes.fill(0xa5, 4096 * (rootpage - 1), 4096 * rootpage);
      writeFileSync(path, bytes);
    },
    'a lower version in the header': (path) => {
      const raw = new DatabaseSync(path);
      raw.exec('pragma user_version = 0');
      raw.close();
    },
  };
  test.each(Object.entries(harm))('attack A7 notes are whole again from their copy: %s', async (_name, damage) => {
    const path = await noted();
    damage(path);
    const reader = SqliteNotes.openForReading(path);
    expect(await texts(reader)).toEqual(['one', 'two', 'three']);
    await reader.close();
    const store = SqliteNotes.open(path);
    expect(await texts(store)).toEqual(['one', 'two', 'three']);
    expect(await store.settings()).toEqual(new Map([['fullText', 'off']]));
    await store.close();
    const again = SqliteNotes.open(path);
    expect(again.healed).toBe(null);
    await again.close();
  });

  test('attack A7 without a copy what can be read of damaged notes is saved', async () => {
    const path = await noted();
    rmSync(path.replace('.db', '.copy'));
    const bytes = readFileSync(path);
    bytes.fill(0xa5, 0, 8192);
    writeFileSync(path, bytes);
    const store = SqliteNotes.open(path);
    expect(store.healed).toMatchObject({ rows: 4, isAll: false });
    expect(await texts(store)).toEqual(['one', 'two', 'three']);
    await store.close();
  });

  test('attack A7 whichever bit is flipped, in the notes or in their copy, nothing of them is lost or said otherwise', async () => {
    const path = await noted();
    for (const damaged of [path, path.replace('.db', '.copy')]) {
      const sound = readFileSync(damaged);
      for (let at = 0; at < sound.length; at += damaged === path ? 251 : 7) {
        const bytes = Buffer.from(sound);
        bytes[at] = (bytes[at] as number) ^ (1 << (at % 8));
        const folder = tempFolder();
        cpSync(join(path, '..'), folder, { recursive: true });
        writeFileSync(join(folder, basename(damaged)), bytes);
        const store = SqliteNotes.open(join(folder, 'notes.db'));
        expect(await texts(store)).toEqual(['one', 'two', 'three']);
        await store.close();
      }
    }
  });

  test('attack A7 what is forgotten is forgotten in the copy too, and does not come back with it', async () => {
    const path = await noted();
    const store = SqliteNotes.open(path);
    await store.forget([{ agent: 'claude-code', sessions: ['s1'] }]);
    await store.close();
    writeFileSync(path, '');
    const again = SqliteNotes.open(path);
    expect(await texts(again)).toEqual([]);
    expect((await again.settings()).size).toBe(1);
    await again.close();
  });
});
