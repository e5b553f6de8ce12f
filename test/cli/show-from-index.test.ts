import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { History, type Session } from '../../src/history/index.ts';
import { indexProjects } from '../../src/ingest/index-projects.ts';
import { storedTrees } from '../../src/ingest/stored-trees.ts';
import { SqliteIndex } from '../../src/stores/sqlite/index-db.ts';
import { openHome } from '../kit/home.ts';
import { IndexFolder } from '../kit/index-folder.ts';
import { projects } from '../kit/random-project.ts';
import { assistant, user } from '../kit/transcript.ts';

const corpus = join(import.meta.dirname, '../../../shared/corpus');

/** Everything a view can ask a session for. */
const askedOf = (session: Session) => ({
  ...session.facts,
  title: session.title,
  messages: session.messageCount,
  opening: session.openingAnnotations(),
  segments: session.rootSegments,
  paths: session.threads.map((thread) => [thread.summary, ...[...thread.records()].map(({ id }) => id)]),
  records: [...session.allRecords()].map((record) => [record, session.content(record, { annotations: true })]),
});

async function expectSameSessions(roots: readonly string[], db: string): Promise<number> {
  const store = SqliteIndex.open(db);
  const stored = storedTrees(store);
  await indexProjects(History.open({ roots }), store, { workers: 0 });
  const read = History.open({ roots }).projects;
  let count = 0;
  for (const [i, project] of History.open({ roots, stored }).projects.entries()) {
    for (const logs of project.logs) expect(logs.read().bytes).toBe(0);
    const fromFiles = read[i]?.sessions() ?? [];
    expect(project.sessions().map(askedOf)).toEqual(fromFiles.map(askedOf));
    const names = (list: readonly { id: string; aliases: readonly string[] }[]) =>
      list.map(({ id, aliases }) => [id, ...aliases].join()).sort();
    expect(names(project.sessionNames())).toEqual(
      names(fromFiles.map(({ id, facts }) => ({ id, aliases: facts.aliases }))),
    );
    count += fromFiles.length;
    project.close();
    read[i]?.close();
  }
  await store.close();
  return count;
}

describe('M6 a session put together from the index is the one in the files', () => {
  test.skipIf(!existsSync(corpus))('on the corpus', async () => {
    const folder = new IndexFolder();
    for (const root of ['claude-code/projects', 'claude-code/cases', 'pi'])
      expect(await expectSameSessions([join(corpus, root)], folder.db(`${basename(root)}.db`))).toBeGreaterThan(0);
    folder.remove();
  });

  test('on random projects', async () => {
    await fc.assert(
      fc.asyncProperty(projects, async (project) => {
        const folder = new IndexFolder(project.format === 'pi' ? 'sessions' : 'projects');
        folder.write('p', project.files);
        await expectSameSessions([folder.file('')], folder.db());
        folder.remove();
      }),
      { numRuns: Number(process.env.FC_RUNS ?? 60) },
    );
  });
});

describe('M6 show, threads, resume and context read what they show', () => {
  const home = openHome();
  afterAll(() => home.remove());
  const filler = 'x'.repeat(3000);
  const session = (id: string, turns: number) =>
    home.write(
      `.claude/projects/-r/${id}.jsonl`,
      Array.from({ length: turns }, (_, i) => [
        user(`${id}-u${i}`, i === 0 ? null : `${id}-a${i - 1}`, `Prompt ${i} ${filler}`, { cwd: '/r', sessionId: id }),
        assistant(`${id}-a${i}`, `${id}-u${i}`, `Answer ${i}`, { sessionId: id }),
      ]).flat(),
    );
  const small = session('aaaa1111', 2);
  const large = session('bbbb2222', 800);
  home.write('.claude/projects/-q/cccc3333.jsonl', [user('q1', null, 'Another project', { cwd: '/q' })]);
  const counts = join(home.path, 'counts.json');
  const counter = resolve('test/kit/count-reads-child.ts');
  const bytesRead = (args: readonly string[]): Record<string, number> => {
    const env = { NODE_OPTIONS: `--import=${counter}`, COUNT_READS: counts };
    expect(home.skein(args, env)).toMatchObject({ code: 0 });
    return JSON.parse(readFileSync(counts, 'utf8'));
  };
  const HEAD = 64 * 1024;
  /** It tells whose a file is. */
  const GLANCE = 4 * 1024;

  test('nothing of other sessions but the first lines that tell the project', () => {
    const args = ['show', 'aaaa', '--as', 'chat'];
    const before = home.skein(args);
    expect(bytesRead(args)[large]).toBeLessThanOrEqual(statSync(large).size + GLANCE);
    home.skein(['index']);
    expect(home.skein(args)).toEqual(before);
    const read = bytesRead(args);
    expect(read[large] ?? 0).toBe(0);
    expect(read[small]).toBeLessThanOrEqual(statSync(small).size + HEAD);
    for (const command of ['threads', 'resume', 'context']) expect(bytesRead([command, 'aaaa'])[large] ?? 0).toBe(0);
    // A part of an id in the middle, and one that no file is called by.
    expect(bytesRead(['show', 'aa11'])[large] ?? 0).toBe(0);
    expect(home.skein(['show', 'nobody']).err).toBe("skein: No session found matching 'nobody'\n");
  });

  test('a file that changed since is read, and so is its project', () => {
    session('dddd4444', 1);
    const args = ['show', 'dddd'];
    expect(bytesRead(args)[large]).toBeLessThanOrEqual(statSync(large).size + GLANCE);
    expect(home.skein(args).out).toContain('Answer 0');
  });
});
