import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { indexProjects, sourcesOf } from '../../src/ingest/index-projects.ts';
import { IndexedSearch } from '../../src/ingest/indexed-search.ts';
import { LiveIndex } from '../../src/ingest/live-index.ts';
import type { TreeSource } from '../../src/ingest/project-index.ts';
import { ReaderPool } from '../../src/ingest/reader-pool.ts';
import { StoredReader } from '../../src/ingest/stored-reader.ts';
import { divideVolumes, joinParts, parseQuery } from '../../src/search/index.ts';
import { SqliteIndex } from '../../src/stores/sqlite/index-db.ts';
import { IndexFolder } from '../kit/index-folder.ts';
import { assistant, toolResult, toolUse, user } from '../kit/transcript.ts';

/** Each line its own volume, until they are put together: 25 lines are ten volumes. */
const LINES = 25;

const QUERIES = [
  ...['clock', 'clock tick', 'tick OR pendulum', 'clock -tick', 'prompt*', 'p*', '"the clock"', '"clock ticks"'],
  ...[
    'type:user clock',
    'type:prompt',
    'tool:Bash',
    'is:error',
    'after:2020-01-01',
    'session:s',
    'nowhere',
    '-clock',
    'a7 OR "the a7"',
  ],
];

let folder: IndexFolder;
let store: SqliteIndex;
const pools: ReaderPool[] = [];

beforeEach(async () => {
  folder = new IndexFolder();
  store = SqliteIndex.open(folder.db());
  const live = new LiveIndex(store);
  for (let i = 0; i < LINES; i++) {
    folder.append('p/s.jsonl', `${JSON.stringify(lineOf(i))}\n`);
    await live.update(sourcesOf(folder.history())[0] as TreeSource);
  }
});

afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close();
  await store.close();
  folder.remove();
});

function lineOf(i: number): object {
  const before = i === 0 ? null : `m${i - 1}`;
  // Several within one second, some at the same moment.
  const at = { timestamp: new Date(Date.UTC(2026, 4, 1) + (i >> 1) * 300).toISOString() };
  if (i % 5 === 3) return assistant(`m${i}`, before, [toolUse(`T${i}`, 'Bash', { command: `tick a${i}` })], at);
  if (i % 5 === 4) return user(`m${i}`, before, [toolResult(`T${i - 1}`, `the clock ticks a${i}`, i % 2 === 0)], at);
  return user(`m${i}`, before, `prompt${i} the clock ${i % 2 ? 'tick' : 'pendulum'} a${i % 9}`, at);
}

function openPool(threads: number): ReaderPool {
  const pool = new ReaderPool(folder.history().projects, { index: folder.db(), archive: null, threads });
  pools.push(pool);
  return pool;
}

async function volumesLookedInto(query: string): Promise<number> {
  let asked = 0;
  const isOver = () => ++asked === 0;
  await store.search({ clause: parseQuery(query) }, { isOver });
  return asked;
}

describe('M14 readers in threads', () => {
  test('one, two or three of them say what this thread says: hits, their order and scores, counts, facets', async () => {
    const here = new IndexedSearch(new StoredReader(folder.history().projects, store));
    const others = [1, 2, 3].map((threads) => new IndexedSearch(openPool(threads)));
    for (const query of QUERIES) {
      const request = { clause: parseQuery(query), limit: 7, facets: true };
      const said = await here.search(request);
      for (const other of others) expect(await other.search(request), query).toEqual(said);
    }
    expect((await here.search({ clause: parseQuery('clock'), limit: 7 })).total).toBe(20);
  });

  test('what is written while they are open is found', async () => {
    const search = new IndexedSearch(openPool(2));
    const count = async () => (await search.search({ clause: parseQuery('zebra OR clock'), limit: 100 })).total;
    expect(await count()).toBe(20);
    folder.append('p/s.jsonl', `${JSON.stringify(user('z', `m${LINES - 1}`, 'a zebra'))}\n`);
    await indexProjects(folder.history(), store, { workers: 0 });
    expect(await count()).toBe(21);
  });

  test('a search that was ended rejects with the reason and looks into nothing; the next one is answered', async () => {
    const pool = openPool(2);
    const search = new IndexedSearch(pool);
    const request = { clause: parseQuery('clock'), limit: 7 };
    const controller = new AbortController();
    // The threads are not there yet: when they are, nobody waits any more.
    const ended = search.search(request, { signal: controller.signal });
    const reason = new Error('somebody typed on');
    controller.abort(reason);
    await expect(ended).rejects.toBe(reason);
    await expect(search.search(request, { signal: controller.signal })).rejects.toBe(reason);
    expect((await search.search(request)).total).toBe(20);
    expect(pool.looked).toBe(await volumesLookedInto('clock'));
  });

  test('between two volumes a search can be ended', async () => {
    let asked = 0;
    const search = store.search({ clause: parseQuery('clock') }, { isOver: () => ++asked > 3 });
    await expect(search).rejects.toThrow('ended');
    expect(asked).toBe(4);
    expect(await volumesLookedInto('clock')).toBeGreaterThan(4);
  });

  test('a thread that ended is replaced; an index that is not there is an error', async () => {
    const pool = openPool(2);
    const search = new IndexedSearch(pool);
    await search.search({ clause: parseQuery('clock'), limit: 7 });
    await pool.close();
    expect((await search.search({ clause: parseQuery('clock'), limit: 7 })).total).toBe(20);
    const nowhere = new ReaderPool([], { index: folder.db('none.db'), archive: null, threads: 1 });
    pools.push(nowhere);
    const asked = new IndexedSearch(nowhere).search({ clause: parseQuery('clock'), limit: 7 });
    await expect(asked).rejects.toThrow('cannot be read');
  });

  test('however volumes are divided, the same is ranked; every volume is in one portion', async () => {
    const volumes = fc.array(fc.record({ number: fc.nat(), size: fc.nat(1000) }), { maxLength: 40 });
    fc.assert(
      fc.property(volumes, fc.integer({ min: 1, max: 6 }), (all, of) => {
        const portions = Array.from({ length: of }, (_, index) => divideVolumes(all, { index, of }));
        expect(new Set(portions.flat())).toEqual(new Set(all));
        expect(portions.flat().length).toBe(all.length);
      }),
    );
    for (const newest of [3, 1000])
      for (const query of QUERIES) {
        const asked = { clause: parseQuery(query), newest };
        const whole = joinParts([await store.search(asked)], newest);
        for (const of of [2, 5]) {
          const portions = Array.from({ length: of }, (_, index) => store.search(asked, { portion: { index, of } }));
          expect(joinParts(await Promise.all(portions), newest), query).toEqual(whole);
        }
      }
  });
});
