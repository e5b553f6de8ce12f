import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { History } from '../../src/history/index.ts';
import { leaveRoom } from '../../src/ingest/give-back-memory.ts';
import { indexProjects } from '../../src/ingest/index-projects.ts';
import type { LogFile } from '../../src/sources/index.ts';
import { SqliteIndex } from '../../src/stores/sqlite/index-db.ts';
import { user } from '../kit/transcript.ts';
import { BIN, Place } from './kit.ts';

const lines = (count: number, id: string, text = 'text '): string =>
  Array.from(
    { length: count },
    (_, i) =>
      `${JSON.stringify(user(`${id}${i}`, i === 0 ? null : `${id}${i - 1}`, `${text.repeat(100)}${i}`, { cwd: '/r' }))}\n`,
  ).join('');

const digestOf = async (path: string): Promise<string> => {
  const store = SqliteIndex.open(path);
  const digest = await store.digest();
  await store.close();
  return digest;
};

/** Of an index that is made of the files alone, undisturbed. */
async function undisturbed(place: Place): Promise<string> {
  const path = join(place.folder, 'undisturbed.db');
  const store = SqliteIndex.open(path);
  await indexProjects(History.open({ roots: [place.root] }), store, { workers: 0 });
  await store.close();
  return digestOf(path);
}

const indexOf = (place: Place): string => join(place.home, 'index.db');
const asides = (place: Place): string[] => readdirSync(place.home).filter((name) => name.includes('damaged-'));

describe('M9 two that index at once', () => {
  test('end with the index of one', async () => {
    const place = new Place();
    for (let i = 0; i < 12; i++) place.write(`p${i}/s${i}.jsonl`, lines(300, `${i}-`));
    const run = (): Promise<number | null> =>
      new Promise((resolve) => {
        const env = { ...process.env, SKEIN_HOME: place.home };
        spawn(process.execPath, [BIN, 'index', '--root', place.root], { env, stdio: 'ignore' }).on('close', resolve);
      });
    const codes = await Promise.all([run(), run()]);
    expect(codes.every((code) => code === 0 || code === 2)).toBe(true);
    expect(codes).toContain(0);
    expect(await digestOf(indexOf(place))).toBe(await undisturbed(place));
  });
});

describe('M7 a damaged index beside a sound archive', () => {
  test('is rebuilt by the next index that meets the damage; the archive stays where it is', async () => {
    const place = new Place();
    const log = place.write('-r/aaaa.jsonl', lines(600, 'u'));
    expect(place.skein('index', '--root', place.root).code).toBe(0);
    const handle = openSync(indexOf(place), 'r+');
    // All pages but the first two: wherever a run looks, it meets them.
    for (let at = 8192; at < statSync(indexOf(place)).size; at += 4096)
      writeSync(handle, Buffer.alloc(300, 0xa5), 0, 300, at);
    closeSync(handle);
    expect(place.skein('sessions', '--root', place.root)).toMatchObject({
      code: 0,
      out: expect.stringContaining('aaaa'),
    });
    expect(place.skein('show', 'aaaa', '--root', place.root)).toMatchObject({ code: 0, err: '' });
    rmSync(log);
    place.write('-r/bbbb.jsonl', lines(10, 'v'));
    const { err, code } = place.skein('index', '--root', place.root);
    expect({ err, code }).toEqual({ err: expect.not.stringContaining('archive'), code: 0 });
    expect(asides(place)).toEqual([]);
    for (const id of ['aaaa', 'bbbb']) expect(place.skein('sessions', '--root', place.root).out).toContain(id);
    expect(existsSync(`${indexOf(place)}.damaged`)).toBe(false);
  });

  test('an older one is rebuilt from files and archive, and says what an undisturbed one says', async () => {
    const place = new Place();
    const log = place.write('-r/aaaa.jsonl', lines(50, 'u'));
    place.write('-r/bbbb.jsonl', lines(50, 'v'));
    const digest = await undisturbed(place);
    place.skein('index', '--root', place.root);
    rmSync(log);
    const db = new DatabaseSync(indexOf(place));
    db.exec('drop table messages; pragma user_version = 0');
    db.close();
    expect(place.skein('index', '--root', place.root)).toMatchObject({ code: 0, err: '' });
    // Rebuilt with one file from the archive: the same rows.
    expect(await digestOf(indexOf(place))).toBe(digest);
  });
});

describe('M9 a disk that does not play along with the index', () => {
  const inside = (script: string, place: Place) =>
    spawnSync('unshare', ['-rm', 'bash', '-c', script, 'bash', place.root], {
      encoding: 'utf8',
      env: { ...process.env, SKEIN_HOME: place.home, NODE: process.execPath, BIN },
    });
  const canMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'x', '/mnt']).status === 0;
  const because = canMount ? '' : ' (skipped: this machine does not let a test mount anything)';

  test.skipIf(!canMount)(`full: one line, lists from the files, and it goes on with more room${because}`, () => {
    const place = new Place();
    // The archive is small, and the index is not.
    place.write('-r/aaaa.jsonl', lines(3000, 'u', 'same text '));
    mkdirSync(place.home);
    const { stdout, stderr } = inside(
      `mount -t tmpfs -o size=2m x "$SKEIN_HOME"
       "$NODE" "$BIN" index --root "$1"; echo "code $?"
       "$NODE" "$BIN" sessions --json --root "$1" > "$1/../files.json"
       mount -o remount,size=64m "$SKEIN_HOME"
       "$NODE" "$BIN" index --root "$1"; echo "code $?"
       "$NODE" "$BIN" sessions --json --root "$1" | cmp - "$1/../files.json" && echo same`,
      place,
    );
    expect(stderr).toMatch(/^skein: No space is left for \S+index\.db; .* Make room and run it again\n$/);
    expect(stdout).toBe('code 2\ncode 0\nsame\n');
  });

  test.skipIf(!canMount)(`read only: lists and sessions are there all the same${because}`, () => {
    const place = new Place();
    place.write('-r/aaaa.jsonl', lines(5, 'u'));
    place.skein('index', '--root', place.root);
    const { stdout, stderr } = inside(
      `mount --bind "$SKEIN_HOME" "$SKEIN_HOME" && mount -o remount,ro,bind "$SKEIN_HOME"
       "$NODE" "$BIN" sessions --root "$1" | grep -c aaaa
       "$NODE" "$BIN" show aaaa --root "$1" | grep -c 'text 4'
       "$NODE" "$BIN" status --root "$1" | grep -c '^Findings'
       rm "$1/-r/aaaa.jsonl"
       "$NODE" "$BIN" sessions --root "$1" | grep -c aaaa`,
      place,
    );
    expect({ stdout, stderr }).toEqual({ stdout: '1\n1\n1\n1\n', stderr: '' });
  });
});

describe('attack C4 an index that does not say what was written', () => {
  const logs = (): Place => {
    const place = new Place();
    place.write('-r/aaaa.jsonl', lines(60, 'u', 'hello world '));
    place.write('-r/bbbb.jsonl', lines(60, 'v', 'other words '));
    place.skein('index', '--root', place.root);
    return place;
  };
  const harm: Record<string, string> = {
    'the title of a session': `update prompts set text = replace(text, 'hello', 'hallo')`,
    'its numbers': `update sessions set data = replace(data, '"recordCount":60', '"recordCount":61')`,
    'when it ended': 'update sessions set ended = ended + 1024',
    'JSON that is none': `update sessions set data = replace(data, '"', char(1))`,
    'where files lie': `update files set path = replace(path, 'aaaa', 'aaab')`,
    'how large they are': 'update files set size = size + 1',
    'the project': `update trees set path = '/q'`,
    'packed lines': `update chunks set bytes = zeroblob(length(bytes))`,
    'full text': `update term_blocks set bytes = zeroblob(length(bytes))`,
  };
  const asks = [
    ['sessions', '--json'],
    ['search', 'hello', '--json'],
    ['show', 'aaaa', '--json'],
    ['stats', '--json'],
  ];
  test.each(Object.entries(harm))('attack C4 %s: every command says what it says without an index', (_name, sql) => {
    const place = logs();
    const said = asks.map((args) => place.skein(...args, '--root', place.root).out);
    const db = new DatabaseSync(indexOf(place));
    db.exec(sql);
    db.close();
    expect(asks.map((args) => place.skein(...args, '--root', place.root).out)).toEqual(said);
    place.write('-r/aaaa.jsonl', lines(61, 'u', 'hello world '));
    expect(place.skein('index', '--root', place.root).code).toBe(0);
    expect(JSON.parse(place.skein('sessions', '--json', '--root', place.root).out).items).toHaveLength(2);
    expect(place.skein('index', '--verify', '--root', place.root)).toMatchObject({ code: 0 });
  });

  test('attack C4 what no plain reading notices is found by --verify, and the index says what the logs say again', async () => {
    const place = logs();
    const digest = await undisturbed(place);
    const verify = ['index', '--verify', '--root', place.root];
    expect(place.skein(...verify)).toEqual({ out: '', err: '', code: 0 });
    const db = new DatabaseSync(indexOf(place));
    db.exec('update usages set output = output + 1; update messages set time = time + 1');
    db.close();
    expect(await digestOf(indexOf(place))).not.toBe(digest);
    expect(place.skein('index', '--root', place.root)).toEqual({ out: '', err: '', code: 0 });
    expect(place.skein(...verify).err).toMatch(/^skein: \S+index\.db did not say what the logs say; it is rebuilt\n$/);
    expect(await digestOf(indexOf(place))).toBe(digest);
  });
});

describe('attack D2: no log keeps the others out of the index', () => {
  test('one with lines of millions of empty lists is indexed, named and shown', () => {
    const place = new Place();
    const many = `[${'[],'.repeat(4_000_000)}1]`;
    const line = (uuid: string, parent: string | null): string =>
      JSON.stringify(user(uuid, parent, uuid, { cwd: '/r', toolUseResult: 'MANY' })).replace('"MANY"', many);
    place.write('-r/aaaa.jsonl', `${line('u1', null)}\n${line('u2', 'u1')}\n`);
    place.write('-r/bbbb.jsonl', lines(5, 'v'));
    expect(place.skein('index', '--root', place.root)).toMatchObject({ code: 0, err: '' });
    const run = (...args: string[]): string => place.skein(...args, '--root', place.root).out;
    expect(run('status')).toContain('1 warning');
    expect(run('check')).toMatch(/line_too_long .*too many values.*\n.*aaaa\.jsonl:1/);
    for (const id of ['aaaa', 'bbbb']) expect(run('sessions')).toContain(id);
    for (const form of ['text', 'json', 'chat']) expect(run('show', 'aaaa', '--as', form)).toContain('u2');
  });

  test('one that a thread cannot read is left out and named; the others are there', async () => {
    const place = new Place();
    for (const name of ['a', 'b', 'c'])
      place.write(`-${name}/${name}.jsonl`, lines(5, name).replaceAll('/r', `/${name}`));
    const { projects } = History.open({ roots: [place.root] });
    // No log is known that brings a thread down: this one has a name no file has.
    const broken = projects.map((project) => ({
      ...project,
      logs: project.logs.map(({ format, files }) => ({ format, files: files.map((file) => breakOne(file)) })),
    }));
    const store = SqliteIndex.open(indexOf(place));
    const { problems } = await indexProjects({ projects: broken }, store, { workers: 1 });
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/left out of the index: .*b\.jsonl$/),
    ]);
    expect((await store.sessions()).map(({ id }) => id).sort()).toEqual(['a', 'c']);
    expect((await store.trees()).filter(({ complete }) => !complete)).toMatchObject([{ project: { path: '/b' } }]);
    await store.close();
  });

  const breakOne = (file: LogFile): LogFile =>
    file.path.endsWith('b.jsonl') ? { ...file, facts: { ...file.facts, path: null as unknown as string } } : file;

  test('a thread stops while it has room for one line', () => {
    expect(() => leaveRoom(1)).not.toThrow();
    expect(() => leaveRoom(1e9)).toThrow('not enough memory');
  });
});
