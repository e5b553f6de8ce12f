import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { History } from '../../src/history/index.ts';
import type { FoundFile } from '../../src/ingest/find-archivable.ts';
import { HandOver, orderOf } from '../../src/ingest/hand-over.ts';
import { inParallel } from '../../src/ingest/in-parallel.ts';
import { indexProjects } from '../../src/ingest/index-projects.ts';
import { beginIngest } from '../../src/ingest/ingest.ts';
import type { SaveJob } from '../../src/ingest/save-files.ts';
import { setFailed, setSaved, setSavedBytes, waitUntilSaved } from '../../src/ingest/saved-flags.ts';
import { type LogFile, openRoots } from '../../src/sources/index.ts';
import { SqliteArchive } from '../../src/stores/sqlite/index.ts';
import { SqliteIndex } from '../../src/stores/sqlite/index-db.ts';
import { PROMPT_SPAN } from '../../src/stores/sqlite/index-schema.ts';
import type { ArchivedFile } from '../../src/stores/store.ts';
import { countRows } from '../kit/index-folder.ts';
import { user } from '../kit/transcript.ts';
import { BIN, Place } from './kit.ts';

/** A log of so many megabytes, of which half is left when it is compressed. */
const log = (id: string, megabytes: number): string =>
  Array.from({ length: megabytes * 8 }, (_, i) => {
    const text = `prompt ${i} ${randomBytes(65_000).toString('hex')}`;
    return `${JSON.stringify(user(`${id}${i}`, i === 0 ? null : `${id}${i - 1}`, text, { cwd: `/${id}` }))}\n`;
  }).join('');

/** Files of the index that the archive does not have so far or in the same generation; null before there is an index. */
async function missing({ home, root }: Place): Promise<string[] | null> {
  const index = existsSync(join(home, 'index.db')) ? SqliteIndex.openToRead(join(home, 'index.db')) : null;
  if (!index) return null;
  const archive = SqliteArchive.openForReading(join(home, 'archive.db'));
  const files = await index.files();
  await index.close();
  const archived = new Map((await archive.files()).map((file) => [join(root, file.project, file.path), file]));
  await archive.close();
  return files.flatMap(({ path, size, generation }) => {
    const kept = archived.get(path);
    return kept && kept.size >= size && kept.generation === generation ? [] : [path];
  });
}

async function digestOf(path: string): Promise<string> {
  const store = SqliteIndex.open(path);
  const digest = await store.digest();
  await store.close();
  return digest;
}

/** Of an index that is made when everything is archived. */
async function afterwards(place: Place): Promise<string> {
  const path = join(place.folder, 'afterwards.db');
  const store = SqliteIndex.open(path);
  await indexProjects(History.open({ roots: [place.root] }), store, { workers: 0, generationOf: () => 0 });
  await store.close();
  return digestOf(path);
}

describe('M10 an index that is made while files are archived', () => {
  test('M9 has of a file only what is archived, and begins before all are', async () => {
    const place = new Place();
    for (const id of ['a', 'b', 'c', 'd']) place.write(`-${id}/s.jsonl`, log(id, id === 'a' ? 7 : 10));
    place.write('-a/s/subagents/agent-x.jsonl', log('x', 1));
    place.write('-a/s/tool-results/result.txt', 'artifact');
    const [archive, reader] = ['archive.db', 'archive.db'].map((name) => SqliteArchive.open(join(place.home, name)));
    const store = SqliteIndex.open(join(place.home, 'index.db'));
    const [early, beginnings]: [string[], string[][]] = [[], []];
    const recording = countRows(store, ({ files = [] }) => {
      const archived = new Map(reader?.keptFiles().map((file) => [join(place.root, file.project, file.path), file]));
      for (const { path, size } of files) if (archived.get(path)?.size !== size) early.push(path);
      beginnings.push([...archived.keys()]);
    });
    const roots = openRoots([place.root]);
    const ingesting = await beginIngest({ archive: archive as SqliteArchive, roots, threads: 1 });
    await indexProjects(History.open({ roots: [place.root] }), recording.store, { ...ingesting, workers: 0 });
    expect(early).toEqual([]);
    // Of the smallest project everything is archived when it begins, of the last one nothing.
    expect(beginnings[0]?.filter((path) => path.includes('/-a/'))).toHaveLength(3);
    expect(beginnings[0]?.length).toBeLessThan(6);
    expect(beginnings.at(-1)).toHaveLength(6);
    expect(await ingesting.end).toMatchObject({ new: 6, problems: [] });
    for (const each of [archive, reader, store]) await each?.close();
    expect(await missing(place)).toEqual([]);
    expect(await digestOf(join(place.home, 'index.db'))).toBe(await afterwards(place));
  });

  test('M9 is read file by file in another thread, each when it is archived', async () => {
    const place = new Place();
    const ids = ['a', 'b', 'c'];
    for (const id of ids) place.write(`-p/${id}.jsonl`, log(id, 1));
    const store = SqliteIndex.open(join(place.home, 'index.db'));
    const flags = new Int32Array(new SharedArrayBuffer(ids.length * Int32Array.BYTES_PER_ELEMENT));
    const whenBegun = async (files: readonly LogFile[]) => ({
      flags: flags.buffer,
      // The last of them was archived before.
      places: new Map(files.slice(0, 2).map(({ facts }, i) => [facts.id, i])),
    });
    const generationOf = ({ path }: LogFile) => (path.endsWith('c.jsonl') ? 5 : null);
    const history = History.open({ roots: [place.root] });
    const indexed = indexProjects(history, store, { workers: 1, generationOf, whenBegun });
    // Also those of which it has something, and not all.
    const db = new DatabaseSync(join(place.home, 'index.db'), { readOnly: true });
    const seen = async (count: number) => {
      const read = db.prepare(`select count(distinct id / ${PROMPT_SPAN}) as read from prompts`);
      const files = (): number => (read.get() as { read: number }).read;
      while (files() < count) await new Promise((resolve) => setTimeout(resolve, 5));
      await new Promise((resolve) => setTimeout(resolve, 100));
      return files();
    };
    expect(await seen(0)).toBe(0);
    setSaved(flags, 0, 3);
    expect(await seen(1)).toBe(1);
    // The second one could not be read when it was to be archived.
    setSaved(flags, 1, null);
    await indexed;
    expect(await seen(3)).toBe(3);
    db.close();
    const generations = (await store.files()).map(({ path, generation }) => [path.slice(-7), generation]);
    expect(Object.fromEntries(generations)).toEqual({ 'a.jsonl': 3, 'b.jsonl': 0, 'c.jsonl': 5 });
    await store.close();
  });

  test('M9 has nothing of a file that was not archived when archiving fails, however far it came', async () => {
    const place = new Place();
    for (const id of ['a', 'b']) place.write(`-p/${id}.jsonl`, log(id, 1));
    const store = SqliteIndex.open(join(place.home, 'index.db'));
    const flags = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
    const whenBegun = async (files: readonly LogFile[]) => ({
      flags: flags.buffer,
      places: new Map(files.map(({ facts }, i) => [facts.id, i])),
    });
    const history = History.open({ roots: [place.root] });
    const indexed = indexProjects(history, store, { workers: 1, whenBegun });
    setSaved(flags, 0, 0);
    setFailed(flags);
    await expect(indexed).rejects.toMatchObject({ code: 'unwritable' });
    expect((await store.files()).filter(({ path }) => path.endsWith('b.jsonl'))).toEqual([]);
    await store.close();
  });

  test('M9 reads a long file as far as it is archived, while the rest is on its way', async () => {
    const place = new Place();
    const whole = Buffer.from(log('a', 6));
    const path = place.write('-p/a.jsonl', '');
    const put = (bytes: Uint8Array): void => {
      // Not cut off meanwhile: the part that is archived may still be read.
      writeFileSync(path, bytes, { flag: 'r+' });
      utimesSync(path, 1e9, 1e9);
    };
    // Who reads more than is archived gets NUL bytes.
    const archived = 3 * 1024 * 1024;
    put(Buffer.concat([whole.subarray(0, archived), Buffer.alloc(whole.length - archived)]));
    const store = SqliteIndex.open(join(place.home, 'index.db'));
    const flags = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    setSavedBytes(flags, 0, archived);
    const whenBegun = async (files: readonly LogFile[]) => ({
      flags: flags.buffer,
      places: new Map(files.map(({ facts }) => [facts.id, 0])),
    });
    const indexed = indexProjects(History.open({ roots: [place.root] }), store, { workers: 1, whenBegun });
    const db = new DatabaseSync(join(place.home, 'index.db'), { readOnly: true });
    const prompts = (): number =>
      (db.prepare('select count(*) as prompts from prompts').get() as { prompts: number }).prompts;
    while (prompts() < 8) await new Promise((resolve) => setTimeout(resolve, 5));
    put(whole);
    setSaved(flags, 0, 0);
    await indexed;
    expect(prompts()).toBe(48);
    db.close();
    await store.close();
    expect(await digestOf(join(place.home, 'index.db'))).toBe(await afterwards(place));
  });

  test('M9 tells how far a file is archived, unless it is archived twice', async () => {
    const file = (project: string, name: string): FoundFile => ({
      ...{ root: '/r', agent: 'claude-code', project, path: name, full: `/r/${name}`, kind: 'log' },
      ...{ size: 10_000, inode: 1, modified: 1 },
    });
    const found = [file('p', 'once'), file('p', 'twice'), file('q', 'twice')];
    const jobs = found.map((each): SaveJob => ({ file: each, known: undefined, repair: false }));
    const handOver = new HandOver(found, jobs, 1, () => 4);
    const logs = ['once', 'twice'].map((name) => ({ path: `/r/${name}`, facts: { id: name } }) as unknown as LogFile);
    const begun = handOver.whenBegun(logs.slice(0, 1));
    const told = async (size: number): Promise<number[]> => {
      handOver.savedBytes(found.map((each) => ({ ...each, size }) as unknown as ArchivedFile));
      const { flags } = await begun;
      return [...new Int32Array(flags)];
    };
    // Whole pages of 4096 bytes; then its generation.
    expect(await told(4095)).toEqual([0, 0]);
    expect(await told(9000)).toEqual([-2, 0]);
    const [saved = 0, twice] = await told(10_000);
    expect([saved > 1, twice]).toEqual([true, 0]);
    handOver.end();
    expect([...new Int32Array((await begun).flags)]).toEqual([saved, 1]);
  });

  test('M9 begins when what lies beside the logs is archived, which comes first', async () => {
    const file = (path: string, kind: FoundFile['kind']): FoundFile => ({
      ...{ root: '/r', agent: 'claude-code', project: 'p', path, full: `/r/p/${path}`, kind },
      ...{ size: 1, inode: 1, modified: 1 },
    });
    const found = [file('a.jsonl', 'log'), file('a/tool-results/x.txt', 'artifact'), file('b.jsonl', 'log')];
    const jobs = orderOf(found.map((each): SaveJob => ({ file: each, known: undefined, repair: false })));
    expect(jobs.map((job) => job.file.path)).toEqual(['a/tool-results/x.txt', 'a.jsonl', 'b.jsonl']);
    const handOver = new HandOver(found, jobs, 1, () => 0);
    let hasBegun = false;
    const log = { path: '/r/p/a.jsonl', facts: { id: 'a' } } as unknown as LogFile;
    const begun = handOver.whenBegun([log]).then(() => {
      hasBegun = true;
    });
    handOver.saved(jobs.slice(1));
    await new Promise((resolve) => setImmediate(resolve));
    expect(hasBegun).toBe(false);
    handOver.saved(jobs.slice(0, 1));
    await begun;
    expect(hasBegun).toBe(true);
  });

  test('M9 waits for a file that is archived twice, with a folder and one inside of it, until both are', async () => {
    const file = (project: string, name: string): FoundFile => ({
      ...{ root: '/r', agent: 'claude-code', project, path: name, full: `/r/p/q/${name}`, kind: 'log' },
      ...{ size: 1, inode: 1, modified: 1 },
    });
    const jobs = [file('q', 'x'), file('p', 'x'), file('p', 'z')].map((found): SaveJob => {
      return { file: found, known: undefined, repair: false };
    });
    const files = jobs.map((job) => job.file);
    const handOver = new HandOver(files, jobs, 1, () => 0);
    const logs = ['x', 'z'].map((name) => ({ path: `/r/p/q/${name}`, facts: { id: name } }) as unknown as LogFile);
    handOver.saved(jobs.slice(0, 1));
    handOver.saved(jobs.slice(2));
    const { flags, places } = await handOver.whenBegun(logs);
    const states = () => ['x', 'z'].map((id) => new Int32Array(flags)[places.get(id) as number]);
    expect(states()).toEqual([0, expect.any(Number)]);
    expect(waitUntilSaved({ flags, places }, 'z')).toBe(0);
    handOver.saved(jobs.slice(1, 2));
    expect(waitUntilSaved({ flags, places }, 'x')).toBe(0);
  });

  test('M9 knows how often a file was replaced, also where that is found out only now', async () => {
    const place = new Place();
    for (const id of ['a', 'b']) place.write(`-${id}/s.jsonl`, log(id, 1));
    await place.index();
    place.write('-b/s.jsonl', log('n', 1));
    const run = async () => {
      const store = SqliteIndex.open(join(place.home, 'index.db'));
      const generations = await place.with(async (archive) => {
        const ingesting = await beginIngest({ archive, roots: openRoots([place.root]), threads: 2 });
        await indexProjects(History.open({ roots: [place.root] }), store, { ...ingesting, workers: 0 });
        await ingesting.end;
        return (await store.files()).map(({ path, generation }) => [path.slice(place.root.length), generation]);
      });
      await store.close();
      return Object.fromEntries(generations);
    };
    // An index that is new, and one that is brought up to date.
    expect(await run()).toEqual({ '/-a/s.jsonl': 0, '/-b/s.jsonl': 1 });
    place.write('-a/s.jsonl', log('m', 1));
    expect(await run()).toEqual({ '/-a/s.jsonl': 1, '/-b/s.jsonl': 1 });
    expect(await missing(place)).toEqual([]);
  });

  test('M9 ends with what the archive says when that fails', async () => {
    const place = new Place();
    const path = place.write('-a/s.jsonl', log('a', 1));
    const store = SqliteIndex.open(join(place.home, 'index.db'));
    await place.with(async (archive) => {
      const refusing: SqliteArchive = Object.create(archive, {
        share: { value: async () => ({ store: 'sqlite', path: join(path, 'archive.db') }) },
        files: { value: async () => [] },
        tombstones: { value: async () => new Set() },
      });
      const ingesting = await beginIngest({ archive: refusing, roots: openRoots([place.root]), threads: 2 });
      const options = { ...ingesting, beside: ingesting.threads, workers: 1 };
      const refusal = { code: 'unwritable', message: expect.stringContaining('may not be written') };
      await expect(indexProjects(History.open({ roots: [place.root] }), store, options)).rejects.toMatchObject(refusal);
      await expect(ingesting.end).rejects.toMatchObject(refusal);
      await Promise.all(ingesting.threads);
    });
    expect(await store.files()).toEqual([]);
    await store.close();
  });
});

describe('M9 skein index, with so much to archive that it indexes beside', () => {
  const written = (): Place => {
    const place = new Place();
    for (const id of ['a', 'b', 'c', 'd', 'e']) place.write(`-${id}/s.jsonl`, log(id, 8));
    for (const id of ['f', 'g', 'h']) place.write(`-e/${id}.jsonl`, log(id, 6));
    return place;
  };

  test('killed at any moment has indexed nothing that is not archived, and the next run ends as if undisturbed', async () => {
    const place = written();
    let died = 0;
    for (let i = 0; i < 8; i++) {
      if (i === 4) rmSync(place.home, { recursive: true });
      if (await killed(place, 250 + 150 * (i % 4))) died++;
      expect((await missing(place)) ?? []).toEqual([]);
    }
    expect(died).toBeGreaterThan(0);
    expect(place.skein('index', '--root', place.root)).toMatchObject({ code: 0, err: '' });
    expect(await missing(place)).toEqual([]);
    expect(await digestOf(join(place.home, 'index.db'))).toBe(await afterwards(place));
    expect(await place.with((archive) => archive.verify())).toEqual([]);
  });

  test('M9 a folder and one inside of it, a pipe in place of a log: both are told or read, and nobody waits for ever', () => {
    const place = written();
    for (const id of ['x', 'y']) place.write(`-a/s/subagents/agent-${id}.jsonl`, log(id, 6));
    const both = ['--root', place.root, '--root', join(place.root, '-a/s')];
    expect(place.skein('index', ...both)).toMatchObject({ code: 0, err: '' });
    rmSync(join(place.root, '-b/s.jsonl'));
    spawnSync('mkfifo', [join(place.root, '-b/s.jsonl')]);
    rmSync(place.home, { recursive: true });
    expect(place.skein('index', '--root', place.root)).toMatchObject({ code: 0 });
    expect(place.skein('sessions', '--root', place.root, '--json').code).toBe(0);
  });

  test('M8 leaves out what is excluded, and rebuilds an index that was damaged', async () => {
    const place = written();
    mkdirSync(place.home);
    writeFileSync(join(place.home, 'exclude'), '-b/*\n');
    writeFileSync(join(place.home, 'index.db'), randomBytes(100_000));
    const { out, code } = place.skein('index', '--root', place.root, '--json');
    expect({ ...JSON.parse(out), code }).toMatchObject({ new: 7, excluded: 1, problems: [], code: 0 });
    const index = SqliteIndex.openToRead(join(place.home, 'index.db'));
    const projects = new Set((await index?.files())?.map(({ facts }) => facts.project));
    expect([...projects].sort()).toEqual(['-a', '-c', '-d', '-e']);
    await index?.close();
  });

  const canMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'x', '/mnt']).status === 0;
  const because = canMount ? '' : ' (skipped: this machine does not let a test mount anything)';

  test.skipIf(!canMount)(`on a disk that gets full says so in one line, and goes on with more room${because}`, () => {
    const place = written();
    mkdirSync(place.home);
    const { stdout, stderr } = spawnSync(
      'unshare',
      [
        ...['-rm', 'bash', '-c'],
        `mount -t tmpfs -o size=12m x "$SKEIN_HOME"
         "$NODE" "$BIN" index --root "$1"; echo "code $?"
         mount -o remount,size=200m "$SKEIN_HOME"
         "$NODE" "$BIN" index --root "$1"; echo "code $?"
         "$NODE" "$BIN" sessions --root "$1" | grep -c 'prompt 0'`,
        ...['bash', place.root],
      ],
      { encoding: 'utf8', env: { ...process.env, SKEIN_HOME: place.home, NODE: process.execPath, BIN } },
    );
    expect(stderr).toMatch(/^skein: No space is left for \S+archive\.db; .* Make room and run it again\n$/);
    expect(stdout).toBe('code 2\ncode 0\n8\n');
  });

  /** Whether it was killed before it was done. */
  function killed({ home, root }: Place, after: number): Promise<boolean> {
    return new Promise((resolve) => {
      const env = { ...process.env, SKEIN_HOME: home };
      const child = spawn(process.execPath, [BIN, 'index', '--root', root], { env, stdio: 'ignore' });
      setTimeout(() => child.kill('SIGKILL'), after);
      child.on('close', (_code, signal) => resolve(signal === 'SIGKILL'));
    });
  }
});

test('M10 jobs begin when they are ready and a lane is free that others had', async () => {
  const [first, second, lane] = [0, 1, 2].map(() => Promise.withResolvers<void>());
  const ready = { a: first?.promise, b: second?.promise, c: Promise.resolve() };
  const done: string[] = [];
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const all = inParallel(
    Object.keys(ready) as (keyof typeof ready)[],
    {
      ...{ lanes: 1, lent: [lane?.promise as Promise<void>], memory: 1, memoryOf: () => 1 },
      whenReady: async (job) => ready[job],
    },
    async (job) => void done.push(job),
  );
  await turn();
  expect(done).toEqual([]);
  lane?.resolve();
  await turn();
  expect(done).toEqual(['c']);
  second?.resolve();
  await turn();
  expect(done).toEqual(['c', 'b']);
  first?.reject(new Error('not saved'));
  await expect(all).rejects.toThrow('not saved');
});
