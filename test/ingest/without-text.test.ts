import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { indexProjects, sourcesOf } from '../../src/ingest/index-projects.ts';
import { LiveIndex } from '../../src/ingest/live-index.ts';
import type { TreeSource } from '../../src/ingest/project-index.ts';
import { parseQuery } from '../../src/search/index.ts';
import type { IndexBatch } from '../../src/stores/index.ts';
import { SqliteIndex } from '../../src/stores/sqlite/index-db.ts';
import { countRows, IndexFolder } from '../kit/index-folder.ts';
import { assistant, bytesOf, user } from '../kit/transcript.ts';

let folder: IndexFolder;
beforeEach(() => {
  folder = new IndexFolder();
  for (const id of ['a', 'b', 'c'])
    folder.write(id, {
      [`${id}.jsonl`]: [
        user(`${id}1`, null, `prompt of ${id}`, { cwd: `/${id}` }),
        assistant(`${id}2`, `${id}1`, { type: 'text', text: 'an answer' }),
      ],
    });
});
afterEach(() => folder.remove());

const open = (text?: boolean): SqliteIndex => SqliteIndex.open(folder.db(), { text });

async function indexed(text: boolean, workers = 0): Promise<SqliteIndex> {
  const store = open(text);
  await indexProjects(folder.history(), store, { workers });
  return store;
}

const find = async (store: SqliteIndex): Promise<number> =>
  (await store.search({ clause: parseQuery('answer') })).documents;

describe('M7 an index without full text', () => {
  test.each([0, 1])('has all rows, each tree complete, and no text (threads: %i)', async (workers) => {
    const store = await indexed(false, workers);
    expect(await store.hasText()).toBe(false);
    expect((await store.trees()).map(({ complete }) => complete)).toEqual([true, true, true]);
    expect((await store.sessions()).map(({ title }) => title).sort()).toEqual([
      'prompt of a',
      'prompt of b',
      'prompt of c',
    ]);
    expect(await find(store)).toBe(0);
    await store.close();
  });

  test('one that is to have it, or not to, is rebuilt beside the old one; who does not say takes it as it is', async () => {
    await (await indexed(false)).close();
    const asItIs = open();
    expect([asItIs.unfit, await asItIs.hasText()]).toEqual([null, false]);
    await asItIs.close();
    const store = await indexed(true);
    expect([store.unfit, await store.hasText(), await find(store)]).toEqual(['other text', true, 6]);
    await store.close();
    const again = await indexed(false);
    expect([again.unfit, await again.hasText(), await find(again)]).toEqual(['other text', false, 0]);
    await again.close();
  });

  test('M7 nothing is left of a rebuild that was interrupted, when the index is wanted as it is again', async () => {
    await (await indexed(true)).close();
    const beside = (): string[] => readdirSync(folder.path).filter((name) => name.startsWith('index.db.next'));
    await open(false).close();
    expect(beside()).toContain('index.db.next');
    await open(true).close();
    expect(beside()).toEqual([]);
  });

  test('M9 what was interrupted goes on: trees that are written are not read again', async () => {
    const store = open(false);
    const failing = countRows(store, ({ tree }: IndexBatch) => {
      if (tree.key.endsWith('/c')) throw new Error('full');
    });
    await expect(indexProjects(folder.history(), failing.store, { workers: 0 })).rejects.toThrow('full');
    const complete = (await store.trees()).filter((tree) => tree.complete).length;
    const { trees } = await indexProjects(folder.history(), store, { workers: 0 });
    expect(trees).toBe(3 - complete);
    expect((await store.trees()).every((tree) => tree.complete)).toBe(true);
    await store.close();
  });

  test('M9 an append adds its rows, and nothing else is read', async () => {
    const store = await indexed(false);
    const live = new LiveIndex(store);
    const line = bytesOf([user('a3', 'a2', 'one more')]);
    folder.append('a/a.jsonl', line);
    const source = sourcesOf(folder.history()).find(({ key }) => key.endsWith('/a')) as TreeSource;
    expect((await live.update(source)).bytesRead).toBe(line.length);
    expect((await store.sessions({ id: 'a' }))[0]?.messageCount).toBe(3);
    expect(await find(store)).toBe(0);
    await store.close();
  });
});
