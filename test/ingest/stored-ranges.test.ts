import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { History, listSessions, type TimeRange } from '../../src/history/index.ts';
import { indexProjects } from '../../src/ingest/index-projects.ts';
import { PAUSE } from '../../src/ingest/session-sums.ts';
import { isTold, listStoredSessions, storedLedger } from '../../src/ingest/stored-lists.ts';
import { SqliteIndex } from '../../src/stores/sqlite/index-db.ts';
import { Ledger, shippedPrices } from '../../src/usage/index.ts';
import { IndexFolder } from '../kit/index-folder.ts';
import { projects } from '../kit/random-project.ts';
import { user } from '../kit/transcript.ts';

const corpus = join(import.meta.dirname, '../../../shared/corpus');

/** Sessions and sums of a range, both ways. */
async function expectSame(history: History, store: SqliteIndex, range: TimeRange): Promise<void> {
  expect(isTold(range)).toBe(true);
  expect(await listStoredSessions(store, { range, threads: true })).toEqual(
    listSessions(history, { range, threads: true }),
  );
  const ledger = new Ledger();
  for (const project of history.projects)
    for (const logs of project.logs)
      for (const record of logs.read().tree.allRecords())
        if (record.time !== null && record.time >= range.from && record.time < range.to)
          ledger.add(record, project.path);
  expect((await storedLedger(store, { range })).sum(shippedPrices)).toEqual(ledger.sum(shippedPrices));
}

/** When something was said, in all sessions. */
function timesOf(history: History): number[] {
  const times = history.projects.flatMap((project) =>
    project.sessions().flatMap((session) => [...session.allRecords()].flatMap(({ time }) => time ?? [])),
  );
  return [...new Set(times)].sort((a, b) => a - b);
}

async function withIndexed(history: History, run: (store: SqliteIndex) => Promise<void>): Promise<void> {
  const folder = new IndexFolder();
  const store = SqliteIndex.open(folder.db());
  try {
    await indexProjects(history, store, { workers: 0 });
    await run(store);
  } finally {
    await store.close();
    folder.remove();
  }
}

test.skipIf(!existsSync(corpus))('P4 of a range the index says what the files say, on the corpus', async () => {
  for (const root of ['claude-code/projects', 'pi']) {
    const history = History.open({ roots: [join(corpus, root)] });
    await withIndexed(history, async (store) => {
      const times = timesOf(history);
      for (let i = 0; i < times.length; i += Math.ceil(times.length / 5)) {
        const at = times[i] as number;
        for (const [before, after] of [
          [0, PAUSE],
          [1, PAUSE],
          [PAUSE, 0],
          [PAUSE, 1],
          [0, 86_400_000],
          [Number.POSITIVE_INFINITY, 0],
          [0, Number.POSITIVE_INFINITY],
        ] as const)
          await expectSame(history, store, { from: at - before, to: at + after });
      }
    });
  }
});

test('P4 of any range that is not shorter than the pauses that are kept, on random projects', async () => {
  const ranges = fc.array(fc.tuple(fc.nat(), fc.integer({ min: -2, max: 2 }), fc.nat(3 * PAUSE)), {
    minLength: 3,
    maxLength: 3,
  });
  await fc.assert(
    fc.asyncProperty(projects, ranges, async (project, asked) => {
      const folder = new IndexFolder(project.format === 'pi' ? 'sessions' : 'projects');
      try {
        folder.write('p', project.files);
        const history = folder.history();
        const times = timesOf(history);
        await withIndexed(history, async (store) => {
          for (const [which, shift, more] of asked) {
            const from = (times[which % Math.max(1, times.length)] ?? 0) + shift;
            await expectSame(history, store, { from, to: from + PAUSE + more });
            await expectSame(history, store, { from: from - PAUSE - more, to: from });
          }
        });
      } finally {
        folder.remove();
      }
    }),
    { numRuns: Number(process.env.FC_RUNS ?? 60) },
  );
});

test('P4 a session that paused for long is in no range inside the pause', async () => {
  const folder = new IndexFolder();
  const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1, 10, minutes)).toISOString();
  folder.write('p', {
    's.jsonl': [0, 10, 40, 90].map((minutes, i) =>
      user(`u${i}`, i === 0 ? null : `u${i - 1}`, 'x', { cwd: '/r', timestamp: at(minutes) }),
    ),
  });
  const history = folder.history();
  await withIndexed(history, async (store) => {
    const start = Date.UTC(2026, 0, 1, 10);
    for (let from = -30; from < 120; from += 5)
      for (const length of [15, 20, 30])
        await expectSame(history, store, { from: start + from * 60_000, to: start + (from + length) * 60_000 });
    const inside = { from: start + 41 * 60_000, to: start + 89 * 60_000 };
    expect(await listStoredSessions(store, { range: inside })).toEqual([]);
    expect(isTold({ from: start, to: start + PAUSE - 1 })).toBe(false);
  });
  folder.remove();
});
