import { describe, expect, test } from 'vitest';
import { sourcesOf } from '../../src/ingest/index-projects.ts';
import { LiveIndex } from '../../src/ingest/live-index.ts';
import type { TreeSource } from '../../src/ingest/project-index.ts';
import { SqliteIndex } from '../../src/stores/sqlite/index-db.ts';
import { IndexFolder, runIndex } from '../kit/index-folder.ts';
import { user } from '../kit/transcript.ts';

test('M10 trees that nobody writes to are let go, and so are the oldest of too many; the store is the same', async () => {
  const folder = new IndexFolder();
  for (const p of ['a', 'b', 'c'])
    folder.write(p, {
      's.jsonl': Array.from({ length: 40 }, (_, i) =>
        user(`${p}${i}`, i === 0 ? null : `${p}${i - 1}`, 'x', { cwd: `/${p}` }),
      ),
    });
  const store = SqliteIndex.open(folder.db());
  const live = new LiveIndex(store, 100);
  const sources = (): TreeSource[] => sourcesOf(folder.history());
  for (const source of sources()) await live.update(source);
  // Three times 40 lines are more than 100.
  expect(live.heldTrees).toBe(2);
  await live.release(Date.now() - 60_000);
  expect(live.heldTrees).toBe(2);
  await live.release(Date.now() + 1);
  expect(live.heldTrees).toBe(0);

  const line = `${JSON.stringify(user('more', 'a39', 'x', { cwd: '/a' }))}\n`;
  folder.append('a/s.jsonl', line);
  const grown = sources().find(({ project }) => project.path === '/a') as TreeSource;
  // Put together again from the store: of the log only the new line is read.
  expect(await live.update(grown)).toMatchObject({ bytesRead: Buffer.byteLength(line) });
  const digest = await store.digest();
  await store.close();
  expect((await runIndex(folder, 'other.db')).digest).toBe(digest);
  folder.remove();
});

test('M12 a tree that is likely to grow is held before it does, as long as there is room', async () => {
  const folder = new IndexFolder();
  for (const p of ['a', 'b', 'c'])
    folder.write(p, { 's.jsonl': Array.from({ length: 40 }, (_, i) => user(`${p}${i}`, null, 'x', { cwd: `/${p}` })) });
  const store = SqliteIndex.open(folder.db());
  const live = new LiveIndex(store, 100);
  const [first, ...others] = sourcesOf(folder.history());
  // Nothing is known of it yet.
  await live.expect(first as TreeSource);
  expect(live.heldTrees).toBe(0);
  for (const source of [first as TreeSource, ...others]) await live.update(source);
  await live.release();
  for (const source of [first as TreeSource, ...others]) await live.expect(source);
  expect([live.heldTrees, live.heldLines]).toEqual([2, 80]);
  // However many lines come, no more than so many are held.
  for (let i = 0; i < 70; i++) {
    const line = `${JSON.stringify(user(`more${i}`, null, 'x', { cwd: '/a' }))}\n`;
    folder.append('a/s.jsonl', line);
    const grown = sourcesOf(folder.history()).find(({ project }) => project.path === '/a') as TreeSource;
    expect(await live.update(grown)).toMatchObject({ bytesRead: Buffer.byteLength(line) });
    expect(live.heldLines).toBeLessThanOrEqual(Math.max(100, 41 + i));
  }
  expect(live.heldTrees).toBe(1);
  await store.close();
  folder.remove();
});

describe('M10 of a tree that is too large only the files are held that are tied to those somebody writes to', () => {
  const line = (id: string, above: string | null, session: string): string =>
    `${JSON.stringify(user(id, above, 'x', { sessionId: session, cwd: '/p' }))}\n`;
  const session = (name: string): string =>
    Array.from({ length: 40 }, (_, i) => line(`${name}${i}`, i === 0 ? null : `${name}${i - 1}`, name)).join('');

  test.each([
    ['a line at the end', line('a40', 'a39', 'a'), 41],
    ['one that ties it to another file', line('a40', 'b39', 'a'), 81],
    ['one whose parent is nowhere', line('a40', 'nowhere', 'a'), 41],
  ])('%s', async (_, added, heldLines) => {
    const folder = new IndexFolder();
    for (const name of ['a', 'b', 'c']) folder.put(`p/${name}.jsonl`, session(name));
    await runIndex(folder);
    const store = SqliteIndex.open(folder.db());
    const live = new LiveIndex(store, 100);
    const grow = async (bytes: string) => {
      folder.append('p/a.jsonl', bytes);
      const [{ files, ...source }] = sourcesOf(folder.history()) as [TreeSource];
      return live.update({ ...source, files: files.filter(({ path }) => path.endsWith('a.jsonl')) });
    };
    expect(await grow(added)).toMatchObject({ bytesRead: added.length });
    expect([live.heldTrees, live.heldLines]).toEqual([1, heldLines]);
    const more = line('a41', 'a40', 'a') + line('a42', 'c39', 'a');
    expect(await grow(more)).toMatchObject({ bytesRead: more.length });
    expect(live.heldLines).toBe(heldLines + 42);
    await live.release();
    const [digest, findings] = [await store.digest(), await store.findings()];
    const [tree] = await store.trees();
    await store.close();
    expect(tree?.complete).toBe(true);
    expect((await runIndex(folder, 'other.db')).digest).toBe(digest);
    const other = SqliteIndex.open(folder.db('other.db'));
    expect(await other.findings()).toEqual(findings);
    await other.close();
    folder.remove();
  });

  test('a file that was replaced is read with all of the tree', async () => {
    const folder = new IndexFolder();
    for (const name of ['a', 'b', 'c']) folder.put(`p/${name}.jsonl`, session(name));
    await runIndex(folder);
    const store = SqliteIndex.open(folder.db());
    const live = new LiveIndex(store, 100);
    folder.put('p/a.jsonl', line('z', null, 'a'));
    await live.update(sourcesOf(folder.history())[0] as TreeSource);
    expect(live.heldLines).toBe(81);
    const digest = await store.digest();
    await store.close();
    expect((await runIndex(folder, 'other.db')).digest).toBe(digest);
    folder.remove();
  });
});

test.each([
  ['a file was replaced', undefined],
  ['one was replaced, of a tree that is too large', 0],
  ['the tree is incomplete', undefined],
])('M9 text of other files is kept when %s: they are asked for', async (why, mostLines) => {
  const folder = new IndexFolder();
  const line = (id: string, session: string): string =>
    `${JSON.stringify(user(id, null, `said ${id}`, { sessionId: session, cwd: '/p' }))}\n`;
  for (const name of ['a', 'b']) folder.put(`p/${name}.jsonl`, line(`${name}0`, name) + line(`${name}1`, name));
  await runIndex(folder);
  const store = SqliteIndex.open(folder.db());
  const [before] = sourcesOf(folder.history()) as [TreeSource];
  if (why.includes('replaced')) folder.put('p/a.jsonl', line('z', 'a'));
  else {
    const tree = { key: before.key, agent: 'claude-code', project: before.project, complete: false };
    await store.apply({ tree });
    folder.append('p/a.jsonl', line('a2', 'a'));
  }
  const [source] = sourcesOf(folder.history()) as [TreeSource];
  const live = new LiveIndex(store, mostLines);
  const written = source.files.filter(({ path }) => path.endsWith('a.jsonl'));
  expect(await live.update({ ...source, files: written })).toEqual({ revision: null, bytesRead: 0, isDone: false });
  expect(await live.update(source)).toMatchObject({ isDone: true });
  const digest = await store.digest();
  await store.close();
  expect((await runIndex(folder, 'other.db')).digest).toBe(digest);
  folder.remove();
});
