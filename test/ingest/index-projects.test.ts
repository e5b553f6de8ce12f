import { fork } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { History, listSessions } from '../../src/history/index.ts';
import {
  indexHere,
  jobStore,
  numbersFrom,
  type TreeJob,
  TreeRun,
  type Written,
  write,
} from '../../src/ingest/index-jobs.ts';
import { indexProjects, isCurrent, planJobs, sourcesOf, treeKey } from '../../src/ingest/index-projects.ts';
import { LiveIndex } from '../../src/ingest/live-index.ts';
import { LinePacker, packLines, unpackLines } from '../../src/ingest/pack-lines.ts';
import type { TreeSource } from '../../src/ingest/project-index.ts';
import { listStoredSessions, storedLedger } from '../../src/ingest/stored-lists.ts';
import { buildMessages } from '../../src/messages/index.ts';
import type { IndexStore } from '../../src/stores/index.ts';
import { SqliteIndex } from '../../src/stores/sqlite/index-db.ts';
import { Ledger, shippedPrices } from '../../src/usage/index.ts';
import { countOf, countRows, IndexFolder, runIndex } from '../kit/index-folder.ts';
import { feedsOf, projects, type RandomProject } from '../kit/random-project.ts';
import { assistant, bytesOf, toolResult, toolUse, user } from '../kit/transcript.ts';
import { twoProjects } from '../kit/two-projects.ts';

const numRuns = Number(process.env.FC_RUNS ?? 120);
const seed = process.env.FC_SEED ? { seed: Number(process.env.FC_SEED) } : {};
const corpus = join(import.meta.dirname, '../../../shared/corpus');

let folder: IndexFolder;
beforeEach(() => {
  folder = new IndexFolder();
});
afterEach(() => folder.remove());

/** Both ways to every list, compared. */
async function expectSameLists(history: History, store: SqliteIndex): Promise<void> {
  expect(await listStoredSessions(store, { threads: true })).toEqual(listSessions(history, { threads: true }));
  expect((await storedLedger(store)).sum(shippedPrices)).toEqual(ledgerOf(history).sum(shippedPrices));
  for (const project of history.projects) {
    for (const session of project.sessions()) {
      const { tree } = session.logs.read();
      const messages = buildMessages(
        tree,
        session.id,
        (record) => session.content(record),
        () => null,
      ).items;
      const key = treeKey(session.agent, project.path);
      const stored = await store.messages({ tree: key, id: session.id }, { skip: 0, limit: 1_000_000 });
      const bySign = (a: { uuid: string }, b: { uuid: string }) => (a.uuid < b.uuid ? -1 : 1);
      expect(
        stored.items
          .map(({ uuid, parentUuid, type, kind, isSidechain, time, toolName, isError, agent }) => ({
            ...{ uuid, parentUuid, type, kind, isSidechain, time, toolName, isError, agent },
          }))
          .sort(bySign),
      ).toEqual(
        messages
          .map((message) => ({
            uuid: message.uuid,
            parentUuid: message.parentUuid,
            type: message.type,
            kind: message.kind,
            isSidechain: message.isSidechain,
            time: message.timestamp,
            toolName: message.toolName ?? null,
            isError: message.isError ?? null,
            agent: message.agentId ?? null,
          }))
          .sort(bySign),
      );
    }
  }
}

function ledgerOf(history: History): Ledger {
  const ledger = new Ledger();
  for (const project of history.projects)
    for (const logs of project.logs)
      for (const record of logs.read().tree.allRecords()) ledger.add(record, project.path);
  return ledger;
}

async function withStore<T>(path: string, use: (store: SqliteIndex) => Promise<T>, text = true): Promise<T> {
  const store = SqliteIndex.open(path, { text });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

function folderOf(project: RandomProject): IndexFolder {
  return new IndexFolder(project.format === 'pi' ? 'sessions' : 'projects');
}

async function withProject<T>(project: RandomProject, use: (folder: IndexFolder) => Promise<T>): Promise<T> {
  const own = folderOf(project);
  try {
    return await use(own);
  } finally {
    own.remove();
  }
}

describe.each([
  ['', true],
  [', without full text', false],
] as const)('M6, P4: lists from the store and from the files never disagree%s', (_, text) => {
  test.skipIf(!existsSync(corpus))('on the corpus', async () => {
    for (const root of ['claude-code/projects', 'claude-code/cases', 'pi']) {
      const history = History.open({ roots: [join(corpus, root)] });
      const use = async (store: SqliteIndex): Promise<void> => {
        await indexProjects(history, store, { workers: 0 });
        await expectSameLists(history, store);
        expect(await isCurrent(History.open({ roots: [join(corpus, root)] }), store)).toBe(true);
      };
      await withStore(folder.db(`${root.replace('/', '-')}.db`), use, text);
    }
  });

  test('on random projects', async () => {
    await fc.assert(
      fc.asyncProperty(projects, (project) =>
        withProject(project, async (own) => {
          own.write('p', project.files);
          const use = async (store: SqliteIndex): Promise<void> => {
            await indexProjects(own.history(), store, { workers: 0 });
            await expectSameLists(own.history(), store);
          };
          await withStore(own.db(), use, text);
        }),
      ),
      { numRuns, ...seed },
    );
  }, 3_600_000);
});

describe('M9: the index is the same in whatever pieces the files came', () => {
  test('lines without content are put back as they were', () => {
    fc.assert(
      fc.property(projects, (project) => {
        for (const { facts, lines } of feedsOf(project)) {
          const packer = new LinePacker();
          for (const line of lines) packer.add(line);
          expect(unpackLines(packLines(packer.lines), facts.id)).toEqual(lines);
        }
      }),
      { numRuns: numRuns * 3, ...seed },
    );
  });

  test.each([
    ['their trees', projects, undefined],
    ['only those that are tied to them', twoProjects, 0],
  ])(
    'so do files that are followed with %s held in memory',
    async (_, of, mostLines) => {
      await fc.assert(
        fc.asyncProperty(of, growths, (project, steps) =>
          withProject(project, async (own) => {
            // The working folder of a project may become known late; it is another project then, and not meant here.
            const project0 = { id: 'p', path: '/r', names: ['p'] };
            const follow = async (live: LiveIndex): Promise<void> => {
              for (const source of sourcesOf(own.history()))
                await live.update({ ...source, key: 'p', project: project0 });
            };
            const digestAfter = (path: string, steps: Growth) =>
              withStore(path, async (store) => {
                const live = new LiveIndex(store, mostLines);
                await grow(own, project, steps, () => follow(live));
                await follow(live);
                return store.digest();
              });
            const grown = await digestAfter(own.db(), steps);
            own.clear();
            expect(grown).toBe(await digestAfter(own.db('cold.db'), []));
          }),
        ),
        { numRuns, ...seed },
      );
    },
    3_600_000,
  );

  test('files that grow in pieces, each indexed, end with the digest of one run over the whole', async () => {
    await fc.assert(
      fc.asyncProperty(projects, growths, (project, steps) =>
        withProject(project, async (own) => {
          await grow(own, project, steps, () => runIndex(own));
          const grown = await runIndex(own);
          const cold = await runIndex(own, 'cold.db');
          expect(grown.digest).toBe(cold.digest);
        }),
      ),
      { numRuns, ...seed },
    );
  }, 3_600_000);
});

describe('M10: a tree that is too large for memory is read in islands of files', () => {
  /** Each island is as small as can be. */
  const inIslands = { workers: 0, islandBytes: 1 };

  test('the index is the same as of one tree', async () => {
    await fc.assert(
      fc.asyncProperty(twoProjects, (project) =>
        withProject(project, async (own) => {
          own.write('p', project.files);
          const grouped = await runIndex(own, 'index.db', inIslands);
          const whole = await runIndex(own, 'cold.db');
          expect(grouped.digest).toBe(whole.digest);
          expect(await runIndex(own)).toMatchObject({ trees: 0, digest: whole.digest });
        }),
      ),
      { numRuns, ...seed },
    );
  }, 3_600_000);

  test('also where the files grew, and were replaced, since they were read before', async () => {
    await fc.assert(
      fc.asyncProperty(twoProjects, growths, (project, steps) =>
        withProject(project, async (own) => {
          await grow(own, project, steps, () => runIndex(own, 'index.db', inIslands));
          const grown = await runIndex(own, 'index.db', inIslands);
          expect(grown.digest).toBe((await runIndex(own, 'cold.db')).digest);
        }),
      ),
      { numRuns: numRuns / 2, ...seed },
    );
  }, 3_600_000);

  const session = (id: string, above: string | null = null) => user(id, above, `said by ${id}`, { sessionId: id });
  const jobIn = async (store: SqliteIndex): Promise<TreeJob> => {
    const [job] = await planJobs(sourcesOf(folder.history()), store, () => null);
    return { ...(job as TreeJob), islandBytes: 1 };
  };

  test.each(['for the first time', 'because one grew'])(
    'a line that ties two islands and comes while they are read %s is not missed',
    async (why) => {
      folder.write('p', { '1.jsonl': [session('a')], '2.jsonl': [session('b')], '3.jsonl': [session('c')] });
      const append = (line: object) => folder.append('p/1.jsonl', `${JSON.stringify(line)}\n`);
      if (why === 'because one grew') {
        await runIndex(folder);
        append(session('e', 'a'));
      }
      await withStore(folder.db(), async (store) => {
        const here = jobStore(store);
        let isLate = true;
        const growing = {
          ...here,
          write: async (written: Written) => {
            if (isLate && 'batch' in written && written.batch.sessions?.length) {
              isLate = false;
              append(session('d', 'c'));
            }
            return here.write(written);
          },
        };
        const run = new TreeRun(numbersFrom(await store.reserveVolumes(100)));
        await indexHere(await jobIn(store), growing, run);
        for (const written of run.end()) await write(written, store);
        expect(isLate).toBe(false);
        expect(await store.digest()).toBe((await runIndex(folder, 'cold.db')).digest);
        expect(await isCurrent(folder.history(), store)).toBe(true);
      });
    },
  );

  test('findings of all islands are added up', async () => {
    folder.write('p', {
      '1.jsonl': [session('a', 'nowhere')],
      '2.jsonl': [session('b', 'lost')],
      '3.jsonl': [session('c')],
    });
    const findings = (name: string) => withStore(folder.db(name), (store) => store.findings());
    await runIndex(folder, 'index.db', inIslands);
    await runIndex(folder, 'cold.db');
    const found = await findings('index.db');
    expect(found.warning).toBeGreaterThan(1);
    expect(found).toEqual(await findings('cold.db'));
    folder.append('p/3.jsonl', `${JSON.stringify(session('d', 'somewhere'))}\n`);
    await runIndex(folder, 'index.db', inIslands);
    await runIndex(folder, 'cold.db');
    expect(await findings('index.db')).toEqual(await findings('cold.db'));
    expect((await findings('index.db')).warning).toBeGreaterThan(found.warning);
  });

  test('only the island that grew is put together again', async () => {
    folder.write('p', { '1.jsonl': [session('a')], '2.jsonl': [session('b')] });
    await runIndex(folder, 'index.db', inIslands);
    folder.append('p/1.jsonl', `${JSON.stringify(session('c', 'a'))}\n`);
    // File, chunk, prompt, session, message.
    expect(await runIndex(folder, 'index.db', inIslands)).toMatchObject({ written: 5 });
  });
});

/** Which file grows next, and by which share of what is missing. */
const growths = fc.array(
  fc.record({
    file: fc.nat(7),
    share: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
    line: fc.boolean(),
  }),
  { maxLength: 8 },
);
type Growth = typeof growths extends fc.Arbitrary<infer T> ? T : never;

/** Writes the files piece by piece, `seen` after each; a piece may end inside a line. */
async function grow(
  own: IndexFolder,
  project: RandomProject,
  steps: Growth,
  seen: () => Promise<unknown>,
): Promise<void> {
  const files = Object.entries(project.files).map(([name, content]) => ({
    name: `p/${name}`,
    bytes: bytesOf(content),
    at: 0,
  }));
  for (const { file, share, line } of steps) {
    const next = files[file % files.length];
    if (!next) continue;
    let to = next.at + Math.floor((next.bytes.length - next.at) * (next.name.endsWith('.jsonl') ? share : 1));
    if (line) to = next.bytes.indexOf(10, to) < 0 ? next.bytes.length : next.bytes.indexOf(10, to) + 1;
    own.append(next.name, next.bytes.subarray(next.at, to));
    next.at = to;
    await seen();
  }
  for (const { name, bytes, at } of files) own.append(name, bytes.subarray(at));
}

test('M6: the same files twice write no row', async () => {
  folder.write('p', {
    's.jsonl': [user('a', null), assistant('b', 'a', [toolUse('t')]), user('c', 'b', [toolResult('t')])],
  });
  const first = await runIndex(folder);
  expect(first.written).toBeGreaterThan(5);
  expect(await runIndex(folder)).toMatchObject({ written: 0, trees: 0, bytesRead: 0, digest: first.digest });
});

describe('M9: an append costs what was appended', () => {
  /** A session of 2,000 answers, followed; gives what one more line costs. */
  async function followLong(append: string): Promise<{ rows: number; bytesRead: number; batches: number }> {
    const lines = Array.from({ length: 2000 }, (_, i) =>
      assistant(`a${i}`, i === 0 ? null : `a${i - 1}`, [toolUse(`t${i}`)]),
    );
    folder.write('p', { 's.jsonl': lines });
    return withStore(folder.db(), async (store) => {
      const counted = countRows(store);
      const live = new LiveIndex(counted.store);
      const follow = async () => live.update(sourcesOf(folder.history())[0] as TreeSource);
      await follow();
      const before = counted.rows();
      counted.batches.length = 0;
      folder.append('p/s.jsonl', append);
      const { bytesRead } = await follow();
      expect(before).toBeGreaterThan(4000);
      expect(await store.digest()).toBe((await runIndex(folder, 'cold.db')).digest);
      return { rows: counted.rows(), bytesRead, batches: counted.batches.length };
    });
  }
  const text = (line: object): string => `${JSON.stringify(line)}\n`;

  test('one line is one file, one chunk, one session, and the messages it brings or changes', async () => {
    const prompt = text(user('n', 'a1999', 'next'));
    expect(await followLong(prompt)).toEqual({ rows: 1 + 1 + 1 + 1 + 1, bytesRead: prompt.length, batches: 1 });
  });

  test('a late result changes the record of its call', async () => {
    const result = text(user('n', 'a1999', [toolResult('t7')]));
    const { rows, bytesRead } = await followLong(result);
    // File, chunk, session; the answer, its call, the result, the usage of the answer.
    expect(rows).toBe(3 + 4);
    expect(bytesRead).toBe(result.length);
  });

  test('nothing is read of files that did not grow', async () => {
    folder.write('p', { 's.jsonl': [user('a', null)], 'r.jsonl': [user('x', null)] });
    await runIndex(folder);
    const line = text(user('b', 'a'));
    folder.append('p/s.jsonl', line);
    expect(await runIndex(folder)).toMatchObject({ bytesRead: line.length, trees: 1 });
  });

  test('a line without its newline is read again with its rest', async () => {
    folder.write('p', { 's.jsonl': [user('a', null)] });
    await runIndex(folder);
    const line = text(user('b', 'a', 'torn'));
    for (const piece of [line.slice(0, 20), line.slice(20, -1), '\n']) {
      folder.append('p/s.jsonl', piece);
      await runIndex(folder);
    }
    expect((await runIndex(folder)).digest).toBe((await runIndex(folder, 'cold.db')).digest);
  });
});

describe('M9: files that are not just longer', () => {
  const listed = () =>
    withStore(folder.db(), async (store) => (await store.sessions()).map(({ id, title }) => [id, title]));

  test.each([
    ['shorter', [user('a', null, 'b')]],
    ['of the same length', [user('a', null, 'another 1'), user('b', 'a', 'two')]],
  ])('a file that was written anew is read anew: %s', async (_name, lines) => {
    folder.write('p', {
      's.jsonl': [user('a', null, 'something'), user('b', 'a', 'two')],
      'r.jsonl': [user('c', null, 'r')],
    });
    folder.touch('p/s.jsonl', 1000);
    await runIndex(folder);
    folder.write('p', { 's.jsonl': lines });
    const { digest, bytesRead } = await runIndex(folder);
    expect(digest).toBe((await runIndex(folder, 'cold.db')).digest);
    // Text is written for a tree as a whole: its other file is read again too.
    expect(bytesRead).toBe(bytesOf(lines).length + bytesOf([user('c', null, 'r')]).length);
    expect(await listed()).toContainEqual(['s', lines.length === 1 ? 'b' : 'another 1']);
  });

  test('a file that the archive calls another one is read anew', async () => {
    folder.write('p', { 's.jsonl': [user('a', null, 'one')] });
    await runIndex(folder, 'index.db', { workers: 0, generationOf: () => 1 });
    folder.write('p', { 's.jsonl': [user('x', null, 'quite another one')] });
    await runIndex(folder, 'index.db', { workers: 0, generationOf: () => 2 });
    expect(await listed()).toEqual([['s', 'quite another one']]);
  });

  test('a file that is gone, and in no archive, is in no list', async () => {
    folder.write('p', { 's.jsonl': [user('a', null, 'kept')], 'r.jsonl': [user('b', null, 'r')] });
    await runIndex(folder);
    rmSync(folder.file('p/s.jsonl'));
    folder.append('p/r.jsonl', `${JSON.stringify(user('c', 'b'))}\n`);
    await runIndex(folder);
    expect((await listed()).map(([, title]) => title)).toEqual(['r']);
  });

  test('a later file that continues two sessions makes them one', async () => {
    folder.write('p', { '1.jsonl': [user('a', null, 'first')], '2.jsonl': [user('b', null, 'second')] });
    await runIndex(folder);
    expect(await listed()).toHaveLength(2);
    const { revision, known } = await withStore(folder.db(), async (store) => ({
      revision: await store.revision(),
      known: (await store.sessions()).map(({ id }) => id),
    }));
    folder.write('p', { '3.jsonl': [user('a', null, 'first'), user('b', null, 'second'), user('c', 'b', 'third')] });
    const { digest } = await runIndex(folder);
    expect(digest).toBe((await runIndex(folder, 'cold.db')).digest);
    const [now] = await listed();
    const gone = known.filter((id) => id !== now?.[0]);
    await withStore(folder.db(), async (store) => {
      const { sessions } = await store.changesSince(revision, 100);
      expect(sessions.filter((session) => session.gone).map(({ id }) => id)).toEqual(expect.arrayContaining(gone));
    });
  });

  test('a project whose working folder becomes known is one project', async () => {
    folder.write('p', { 's.jsonl': '{"type":"summary","summary":"x","leafUuid":"a"}\n' });
    await runIndex(folder);
    folder.append('p/s.jsonl', `${JSON.stringify(user('a', null, 'hello'))}\n`);
    const { digest } = await runIndex(folder);
    expect(digest).toBe((await runIndex(folder, 'cold.db')).digest);
  });
});

test('M10: threads write what one thread would have written', async () => {
  for (let i = 0; i < 6; i++)
    folder.write(`p${i}`, {
      's.jsonl': Array.from({ length: 600 }, (_, line) =>
        user(`${i}-${line}`, line === 0 ? null : `${i}-${line - 1}`, 'x', { cwd: `/r${i}` }),
      ),
    });
  const seen: number[] = [];
  const threads = await runIndex(folder, 'threads.db', {
    workers: 2,
    onProgress: ({ treesDone }) => seen.push(treesDone),
  });
  expect(threads.digest).toBe((await runIndex(folder)).digest);
  expect(seen).toEqual([1, 2, 3, 4, 5, 6]);
  for (let i = 0; i < 3; i++)
    folder.append(`p${i}/s.jsonl`, `${JSON.stringify(user(`${i}-n`, `${i}-599`, 'x', { cwd: `/r${i}` }))}\n`);
  expect((await runIndex(folder, 'threads.db', { workers: 2 })).digest).toBe((await runIndex(folder)).digest);
});

test('M10: a long file is written while it is read, and ends as if it had been read at once', async () => {
  const text = 'words that are found again '.repeat(400);
  const turns = Array.from({ length: 150 }, (_, i) => [
    user(`u${i}`, i === 0 ? null : `r${i - 1}`, text),
    assistant(`a${i}`, `u${i}`, 'thinking', { id: `m${i}` }),
    assistant(`b${i}`, `a${i}`, [toolUse(`t${i}`)], { id: `m${i}` }),
    user(`r${i}`, `b${i}`, [toolResult(`t${i}`, text)]),
  ]);
  folder.write('p', { 's.jsonl': turns.flat() });
  const { digest } = await runIndex(folder);
  const store = SqliteIndex.open(folder.db('little.db'));
  const { store: counting, batches } = countRows(store);
  const [job] = await planJobs(sourcesOf(folder.history()), store, () => null);
  const run = new TreeRun(numbersFrom(1), {
    limits: { terms: 20_000, documents: 100, waiting: 5000, lines: 1000, vocabulary: 1000 },
  });
  await indexHere(job as TreeJob, jobStore(counting), run);
  for (const written of run.end()) await write(written, store);
  const withRows = batches.filter(({ messages = [] }) => countOf(messages) > 0).length;
  expect(withRows).toBeGreaterThan(2);
  expect(await store.digest()).toBe(digest);
  await store.close();
});

describe('M10: a thread that cannot go on', () => {
  test('for want of memory begins again with more: lines may be shorter than they look in the middle of a log', async () => {
    const short = (from: number): string =>
      Array.from({ length: 60_000 }, (_, i) => `${JSON.stringify(user(`u${from + i}`, null, 'x'))}\n`).join('');
    const long = JSON.stringify(user('long', null, 'y'.repeat(1_000_000)));
    folder.put('p/s.jsonl', `${short(0)}${long}\n${short(60_000)}`);
    // It is larger, and comes before the other in the same thread; its text is lost with it.
    const texts = Array.from({ length: 40 }, (_, i) => user(`z${i}`, null, 'z '.repeat(500_000), { cwd: '/q' }));
    folder.write('q', { 's.jsonl': texts });
    const { problems, digest } = await runIndex(folder, 'threads.db', { workers: 1 });
    expect(problems).toEqual([]);
    expect(digest).toBe((await runIndex(folder)).digest);
  }, 120_000);

  test('says why', async () => {
    folder.write('p', { 's.jsonl': [user('a', null, 'hello')] });
    const store = SqliteIndex.open(folder.db());
    const refusing: IndexStore = Object.create(store, {
      share: { value: async () => ({ store: 'sqlite', path: join(folder.path, 'no/such/folder/index.db') }) },
      reserveVolumes: { value: async () => 1 },
      trees: { value: async () => [] },
      files: { value: async () => [] },
    });
    await expect(indexProjects(folder.history(), refusing, { workers: 1 })).rejects.toMatchObject({
      code: 'unreadable',
      message: expect.stringMatching(/no\/such\/folder\/index\.db cannot be used/),
    });
    await store.close();
  });
});

test('M9: killed at any moment, the next run ends with the same content', async () => {
  for (let i = 0; i < 12; i++)
    folder.write(`p${i}`, {
      's.jsonl': Array.from({ length: i === 0 ? 4000 : 150 }, (_, line) =>
        assistant(`${i}-${line}`, line === 0 ? null : `${i}-${line - 1}`, [toolUse(`t${i}-${line}`)], {
          cwd: `/r${i}`,
        }),
      ),
    });
  const { digest } = await runIndex(folder, 'undisturbed.db');
  const kills = Number(process.env.KILLS ?? 10);
  let died = 0;
  for (let i = 0; i < kills; i++) {
    if (i % 4 === 0) rmSync(folder.db(), { force: true });
    if (await killed(folder, Math.random() * 250, i % 2 === 0 ? 0 : 2)) died++;
  }
  expect(died).toBeGreaterThan(0);
  expect((await runIndex(folder)).digest).toBe(digest);
}, 3_600_000);

/** Indexes in a process that is killed so many milliseconds after it began; whether it was still at work. */
function killed(own: IndexFolder, after: number, workers: number): Promise<boolean> {
  const child = fork(join(import.meta.dirname, '../kit/index-child.ts'), [own.path, String(workers)], {
    stdio: 'ignore',
  });
  return new Promise((resolve) => {
    child.once('message', () => setTimeout(() => child.kill('SIGKILL'), after));
    child.once('exit', (_code, signal) => resolve(signal === 'SIGKILL'));
  });
}
