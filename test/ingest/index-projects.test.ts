import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { History, listSessions } from '../../src/history/index.ts';
import { indexProjects, isCurrent, sourcesOf } from '../../src/ingest/index-projects.ts';
import { LiveIndex } from '../../src/ingest/live-index.ts';
import { packLines, unpackLines } from '../../src/ingest/pack-lines.ts';
import { listStoredSessions, storedLedger } from '../../src/ingest/stored-lists.ts';
import { buildMessages } from '../../src/messages/index.ts';
import { SqliteIndex } from '../../src/stores/sqlite/index-db.ts';
import { Ledger, shippedPrices } from '../../src/usage/index.ts';
import { countRows, IndexFolder, runIndex } from '../kit/index-folder.ts';
import { feedsOf, projects, type RandomProject } from '../kit/random-project.ts';
import { assistant, bytesOf, toolResult, toolUse, user } from '../kit/transcript.ts';

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
      const messages = buildMessages(tree, session.id, (record) => session.content(record), () => null).items;
      const key = `${session.agent} ${project.path}`;
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
    for (const logs of project.logs) for (const record of logs.read().tree.allRecords()) ledger.add(record, project.path);
  return ledger;
}

async function withStore<T>(path: string, use: (store: SqliteIndex) => Promise<T>): Promise<T> {
  const store = SqliteIndex.open(path);
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

describe('M6, P4: lists from the store and from the files never disagree', () => {
  test.skipIf(!existsSync(corpus))('on the corpus', async () => {
    for (const root of ['claude-code/projects', 'claude-code/cases', 'pi']) {
      const history = History.open({ roots: [join(corpus, root)] });
      await withStore(folder.db(`${root.replace('/', '-')}.db`), async (store) => {
        await indexProjects(history, store, { workers: 0 });
        await expectSameLists(history, store);
        expect(await isCurrent(History.open({ roots: [join(corpus, root)] }), store)).toBe(true);
      });
    }
  });

  test('on random projects', async () => {
    await fc.assert(
      fc.asyncProperty(projects, (project) =>
        withProject(project, async (own) => {
          own.write('p', project.files);
          await withStore(own.db(), async (store) => {
            await indexProjects(own.history(), store, { workers: 0 });
            await expectSameLists(own.history(), store);
          });
        }),
      ),
      { numRuns, ...seed },
    );
  });
});

describe('M9: the index is the same in whatever pieces the files came', () => {
  test('lines without content are put back as they were', () => {
    fc.assert(
      fc.property(projects, (project) => {
        for (const { facts, lines } of feedsOf(project))
          expect(unpackLines(packLines(lines), facts.id)).toEqual(lines);
      }),
      { numRuns: numRuns * 3, ...seed },
    );
  });

  test('so do files that are followed with their trees held in memory', async () => {
    await fc.assert(
      fc.asyncProperty(projects, growths, (project, steps) =>
        withProject(project, async (own) => {
          // The working folder of a project may become known late; it is another project then, and not meant here.
          const project0 = { id: 'p', path: '/r', names: ['p'] };
          const follow = async (live: LiveIndex): Promise<void> => {
            for (const source of sourcesOf(own.history())) await live.update({ ...source, key: 'p', project: project0 });
          };
          const digestAfter = (path: string, steps: Growth) =>
            withStore(path, async (store) => {
              const live = new LiveIndex(store);
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
  });

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
  });
});

/** Which file grows next, and by which share of what is missing. */
const growths = fc.array(
  fc.record({ file: fc.nat(7), share: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })), line: fc.boolean() }),
  { maxLength: 8 },
);
type Growth = typeof growths extends fc.Arbitrary<infer T> ? T : never;

/** Writes the files piece by piece, `seen` after each; a piece may end inside a line. */
async function grow(own: IndexFolder, project: RandomProject, steps: Growth, seen: () => Promise<unknown>): Promise<void> {
  const files = Object.entries(project.files).map(([name, content]) => ({ name: `p/${name}`, bytes: bytesOf(content), at: 0 }));
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
  folder.write('p', { 's.jsonl': [user('a', null), assistant('b', 'a', [toolUse('t')]), user('c', 'b', [toolResult('t')])] });
  const first = await runIndex(folder);
  expect(first.written).toBeGreaterThan(5);
  expect(await runIndex(folder)).toMatchObject({ written: 0, trees: 0, bytesRead: 0, digest: first.digest });
});
void countRows;
