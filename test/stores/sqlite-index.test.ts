import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { indexProjects } from '../../src/ingest/index-projects.ts';
import { SqliteIndex } from '../../src/stores/sqlite/index-db.ts';
import { IndexFolder, runIndex } from '../kit/index-folder.ts';
import { assistant, toolResult, toolUse, user } from '../kit/transcript.ts';
import { testIndexStore } from './index-contract.ts';

const own = mkdtempSync(join(tmpdir(), 'skein-contract-'));
testIndexStore(
  'a file of SQLite',
  () => SqliteIndex.open(join(own, 'home/index.db')),
  () => rmSync(join(own, 'home'), { recursive: true }),
);

let folder: IndexFolder;
beforeEach(() => {
  folder = new IndexFolder();
  folder.write('p', {
    's.jsonl': [user('a', null, 'hello xyzzy-secret'), assistant('b', 'a', [toolUse('t', 'Xyzzytool')])],
  });
  folder.write('q', { 'z.jsonl': [user('c', null, 'other', { cwd: '/q' })] });
});
afterEach(() => folder.remove());

describe('M7: an index that cannot be used is rebuilt beside the old one and swapped', () => {
  const spoil: Record<string, (path: string) => void> = {
    'an older schema': (path) => {
      const db = new DatabaseSync(path);
      db.exec('drop table messages; pragma user_version = 0');
      db.close();
    },
    garbage: (path) =>
      writeFileSync(path, 'this is no database at all, it is only text that is long enough to be read'),
    'an empty file': (path) => writeFileSync(path, ''),
    'a cut off file': (path) => writeFileSync(path, readFileSync(path).subarray(0, 6000)),
    'another database': (path) => {
      rmSync(path);
      new DatabaseSync(path).exec('create table x (y)');
    },
  };
  test.each(Object.entries(spoil))('%s', async (_name, damage) => {
    const { digest } = await runIndex(folder);
    damage(folder.db());
    expect((await runIndex(folder)).digest).toBe(digest);
    expect(existsSync(`${folder.db()}.next`)).toBe(false);
    expect(await runIndex(folder)).toMatchObject({ written: 0, digest });
  });

  test('pages full of garbage are noticed when everything is looked at', async () => {
    const { digest } = await runIndex(folder);
    const bytes = readFileSync(folder.db());
    // After the pages that are read to open it.
    bytes.fill(0xa5, 16384 * 3, 16384 * 12);
    writeFileSync(folder.db(), bytes);
    const store = SqliteIndex.open(folder.db(), { verify: true });
    expect(store.unfit).toBe('damaged');
    await indexProjects(folder.history(), store, { workers: 0 });
    expect(await store.digest()).toBe(digest);
    await store.close();
    expect(await runIndex(folder)).toMatchObject({ written: 0, digest });
  });

  test('damage that is met while reading is told, and the next run rebuilds', async () => {
    const { digest } = await runIndex(folder);
    const bytes = readFileSync(folder.db());
    // After the pages that are read to open it.
    bytes.fill(0xa5, 16384 * 3, 16384 * 12);
    writeFileSync(folder.db(), bytes);
    const reader = SqliteIndex.openToRead(folder.db());
    await expect(reader?.digest()).rejects.toMatchObject({ code: 'damaged' });
    await reader?.close();
    expect(await runIndex(folder)).toMatchObject({ digest });
    expect(await runIndex(folder)).toMatchObject({ written: 0, digest });
  });

  test('a rebuild that was interrupted goes on, and the old index stays until then', async () => {
    const { digest } = await runIndex(folder);
    spoil['an older schema']?.(folder.db());
    const old = readFileSync(folder.db());
    const store = SqliteIndex.open(folder.db());
    expect(store.unfit).toBe('older');
    await store.close();
    expect(readFileSync(folder.db()).equals(old)).toBe(true);
    expect(existsSync(`${folder.db()}.next`)).toBe(true);
    expect((await runIndex(folder)).digest).toBe(digest);
  });

  test('who reads is given none that is unfit', async () => {
    expect(SqliteIndex.openToRead(folder.db())).toBe(null);
    await runIndex(folder);
    const store = SqliteIndex.openToRead(folder.db());
    expect((await store?.sessions())?.length).toBe(2);
    await expect(store?.dropTree('x')).rejects.toThrow(/read only/);
    await store?.close();
    spoil.garbage?.(folder.db());
    expect(SqliteIndex.openToRead(folder.db())).toBe(null);
  });
});

test('M8: the index can be read by its owner only, and has the indexes of the seed', async () => {
  await runIndex(folder);
  expect(statSync(folder.db()).mode & 0o777).toBe(0o600);
  const db = new DatabaseSync(folder.db());
  const names = db
    .prepare(`select name from sqlite_master where type = 'index' and sql is not null order by name`)
    .all();
  db.close();
  expect(names.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['messages_by_parent', 'messages_by_sidechain', 'messages_by_type', 'messages_of_session']),
  );
});

test('M8: what hangs on a message is found by indexes alone, also where no row names it as its parent', async () => {
  const calls = [toolUse('t', 'Read'), toolUse('u', 'Read')];
  folder.write('p', {
    's.jsonl': [
      user('a', null, 'hello'),
      assistant('b', 'a', calls),
      user('c', 'b', [toolResult('t'), toolResult('u')]),
    ],
  });
  await runIndex(folder);
  const db = new DatabaseSync(folder.db());
  const children = `select id from messages
    where named_parent = :id or (id > :id and id <= (:id | 255) and parent = :id) order by id`;
  const ids = (sql: string, id: bigint): bigint[] => {
    const statement = db.prepare(sql);
    statement.setReadBigInts(true);
    return statement.all({ ':id': id }).map((row) => row.id as bigint);
  };
  const plan = db.prepare(`explain query plan ${children}`).all({ ':id': 1n });
  expect(plan.map(({ detail }) => detail).join()).toMatch(/messages_by_parent(?!.*SCAN)/s);
  const counts = ids('select id from messages where id <> :id order by time, id', 0n).map((id) => {
    const found = ids(children, id);
    expect(found).toEqual(ids('select id from messages where parent = :id order by id', id));
    return found.length;
  });
  // On the answer its calls, on each call its result, and the first prompt has the answer.
  expect(counts.sort()).toEqual([0, 0, 0, 1, 1, 1, 2]);
  expect(ids('select id from messages where type > 1 and named_parent is not null and id <> :id', 0n)).toEqual([]);
  db.close();
});

test('M8: what is dropped leaves no byte in any file', async () => {
  await runIndex(folder);
  const store = SqliteIndex.open(folder.db());
  const [session] = await store.sessions({ id: 's' });
  const holds = (text: string): boolean =>
    readdirSync(folder.path)
      .filter((name) => name.startsWith('index.db'))
      .some((name) => readFileSync(join(folder.path, name)).includes(text));
  expect(holds('xyzzy')).toBe(true);
  expect(holds('Xyzzytool')).toBe(true);
  await store.dropTree(session?.tree ?? '');
  expect(holds('xyzzy')).toBe(false);
  expect(holds('Xyzzytool')).toBe(false);
  expect((await store.sessions()).map(({ id }) => id)).toEqual(['z']);
  await store.close();
});
