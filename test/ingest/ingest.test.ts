import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isExcluded, parseExclude } from '../../src/ingest/exclude.ts';
import { ingest } from '../../src/ingest/ingest.ts';
import { HEAD } from '../../src/model/index.ts';
import { openRoots } from '../../src/sources/index.ts';
import type { SqliteArchive } from '../../src/stores/sqlite/index.ts';
import { BLOCK } from '../../src/stores/store.ts';
import { tempFolder } from '../kit/temp.ts';
import { Place } from './kit.ts';

const MB = 1024 * 1024;

describe('M7 what is archived', () => {
  test('logs, sidecars, tool results, workflow files, other files of a session, and the history of prompts', async () => {
    const place = new Place();
    const paths = [
      'p/s.jsonl',
      'p/agent-1.jsonl',
      'p/s/subagents/agent-2.jsonl',
      'p/s/subagents/agent-2.meta.json',
      'p/s/tool-results/x.txt',
      'p/s/workflows/run.json',
      'p/s/anything.bin',
    ];
    for (const path of paths) place.write(path, path);
    place.write('../history.jsonl', 'prompts\n');
    await place.index();
    expect(Object.keys(await place.contents()).sort()).toEqual([...paths, '/history.jsonl'].sort());
  });

  test('of Pi the artifacts beside a session, and the blobs', async () => {
    const place = new Place();
    const sessions = join(place.folder, 'pi', 'sessions');
    const stem = '2026-11-02T10-00-00-000Z_abc';
    for (const path of [`--r--/${stem}.jsonl`, `--r--/${stem}/1.bash.log`, '../blobs/0a1b']) {
      mkdirSync(join(sessions, path, '..'), { recursive: true });
      writeFileSync(join(sessions, path), path);
    }
    await place.index({ roots: (await import('../../src/sources/index.ts')).openRoots([sessions]) });
    expect(Object.keys(await place.contents())).toEqual([
      '/blobs/0a1b',
      `--r--/${stem}.jsonl`,
      `--r--/${stem}/1.bash.log`,
    ]);
  });

  test('links are followed inside the root only, pipes and large artifacts are left out, each with a word', async () => {
    const place = new Place();
    place.write('p/s.jsonl', 'a');
    const outside = join(place.folder, 'outside.jsonl');
    writeFileSync(outside, 'secret');
    symlinkSync(outside, join(place.root, 'p', 'link.jsonl'));
    symlinkSync(join(place.root, 'p', 's.jsonl'), join(place.root, 'p', 'inside.jsonl'));
    execFileSync('mkfifo', [join(place.root, 'p', 'pipe.jsonl')]);
    place.write('p/s/huge.bin', '');
    truncateSync(join(place.root, 'p/s/huge.bin'), 65 * MB);
    const { problems } = await place.index();
    expect(Object.keys(await place.contents())).toEqual(['p/inside.jsonl', 'p/s.jsonl']);
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('neither a file nor a folder'),
      expect.stringContaining('leads out of'),
      expect.stringContaining('huge.bin is larger than 64 MB; it is not archived'),
    ]);
  });
});

describe('M10 in threads', () => {
  test('the archive is what one thread makes; what is read, saved and not readable is told', async () => {
    const [one, many] = [new Place(), new Place()];
    const contents = { 'p/a.jsonl': 'a\r\n\0', 'p/b.jsonl': 'b\n'.repeat(BLOCK), 'q/c.jsonl': '', 'q/d.jsonl': 'd' };
    for (const place of [one, many]) for (const [name, text] of Object.entries(contents)) place.write(name, text);
    symlinkSync(join(many.root, 'p/loop.jsonl'), join(many.root, 'p/loop.jsonl'));
    await one.index({ threads: 0 });
    const saved = new Set<string>();
    let bytes = 0;
    const ingested = await many.index({
      threads: 2,
      onSaved: (files) => {
        for (const { path } of files) saved.add(path);
      },
      onProgress: (progress) => {
        bytes = progress.bytes;
      },
    });
    expect(await many.contents()).toEqual(await one.contents());
    expect(ingested).toMatchObject({ new: 4, same: 0, bytesRead: bytes });
    expect(ingested.problems).toHaveLength(1);
    expect([...saved].sort()).toEqual(['a.jsonl', 'b.jsonl', 'c.jsonl', 'd.jsonl']);
    appendFileSync(join(many.root, 'p/a.jsonl'), 'more');
    expect(await many.index({ threads: 2 })).toMatchObject({ new: 0, appended: 1, same: 3 });
  });

  test('what the archive refuses ends the run with what it said', async () => {
    const place = new Place();
    place.write('p/a.jsonl', 'a\n');
    await place.with(async (archive) => {
      const refusing: SqliteArchive = Object.create(archive, {
        share: { value: async () => ({ store: 'sqlite', path: join(place.root, 'p/a.jsonl/archive.db') }) },
        files: { value: async () => [] },
        tombstones: { value: async () => new Set() },
      });
      await expect(ingest({ archive: refusing, roots: openRoots([place.root]), threads: 1 })).rejects.toMatchObject({
        code: 'unwritable',
        message: expect.stringMatching(/a\.jsonl\/archive\.db may not be written/),
      });
    });
  });
});

describe('M9 a second ingest', () => {
  test('reads nothing when nothing changed', async () => {
    const place = new Place();
    place.write('p/s.jsonl', 'a\n');
    place.write('p/empty.jsonl', '');
    expect(await place.index()).toMatchObject({ new: 2, bytesRead: 2 });
    expect(await place.index()).toMatchObject({ same: 2, new: 0, bytesRead: 0 });
  });

  test('of a file that grew reads what was added, the first 4 KB and the last block', async () => {
    const place = new Place();
    const file = place.write('p/s.jsonl', Buffer.alloc(3 * MB + 1000, 'line\n'));
    await place.index();
    appendFileSync(file, 'added\n');
    expect(await place.index()).toMatchObject({ appended: 1, bytesRead: 6 + HEAD + 1000 });
    expect((await place.contents())['p/s.jsonl']).toBe(readFileSync(file, 'utf8'));
  });

  test.each([
    ['cut off', (file: string) => truncateSync(file, 5)],
    ['emptied', (file: string) => truncateSync(file, 0)],
    ['replaced by another of the same size', (file: string) => replace(file, 'b'.repeat(20_000))],
    ['replaced by a longer one', (file: string) => replace(file, 'b'.repeat(30_000))],
    ['rewritten in place with the same size', (file: string) => overwrite(file, 10_000, 'x')],
    ['rewritten at its beginning and grown', (file: string) => overwrite(file, 0, 'x', 'more')],
    ['rewritten in its last block and grown', (file: string) => overwrite(file, 19_000, 'x', 'more')],
  ])('a file that was %s is read anew, and the old bytes are kept', async (_name, change) => {
    const place = new Place();
    const file = place.write('p/s.jsonl', 'a'.repeat(20_000));
    await place.index();
    change(file);
    later(file);
    expect(await place.index()).toMatchObject({ rewritten: 1 });
    expect(await place.contents()).toEqual({
      'p/s.jsonl': readFileSync(file, 'utf8'),
      'p/s.jsonl~0': 'a'.repeat(20_000),
    });
  });

  test('a file that was only touched, moved over itself or copied back is no new generation', async () => {
    const place = new Place();
    const file = place.write('p/s.jsonl', 'a\n');
    await place.index();
    later(file);
    expect(await place.index()).toMatchObject({ same: 1, rewritten: 0 });
    replace(file, 'a\nb\n');
    expect(await place.index()).toMatchObject({ appended: 1, rewritten: 0 });
    utimesSync(file, 1, 1);
    expect(await place.index()).toMatchObject({ same: 1 });
    expect(await place.index()).toMatchObject({ same: 1, bytesRead: 0 });
    expect(await place.contents()).toEqual({ 'p/s.jsonl': 'a\nb\n' });
  });

  test('a change in the middle that leaves no trace in size and time is found by --verify', async () => {
    const place = new Place();
    const file = place.write('p/s.jsonl', Buffer.alloc(2 * BLOCK, 'a'));
    const { atime, mtime } = statSync(file);
    utimesSync(file, atime, mtime);
    await place.index();
    overwrite(file, BLOCK, 'x');
    utimesSync(file, atime, mtime);
    expect(await place.index()).toMatchObject({ same: 1, bytesRead: 0 });
    expect(await place.index({ verify: true })).toMatchObject({ rewritten: 1 });
    expect((await place.contents())['p/s.jsonl']).toBe(readFileSync(file, 'utf8'));
  });

  test('a file that vanished is marked gone and kept; back again it goes on', async () => {
    const place = new Place();
    const file = place.write('p/s.jsonl', 'a\n');
    place.write('p/t.jsonl', 't\n');
    await place.index();
    renameSync(file, `${place.folder}/away`);
    expect(await place.index()).toMatchObject({ gone: 1, files: 1 });
    expect(await place.index()).toMatchObject({ gone: 0 });
    expect((await place.contents())['p/s.jsonl']).toBe('a\n');
    renameSync(`${place.folder}/away`, file);
    expect(await place.index()).toMatchObject({ back: 1, gone: 0 });
    rmSync(place.root, { recursive: true });
    mkdirSync(place.root);
    expect(await place.index()).toMatchObject({ gone: 2 });
    expect(await place.contents()).toEqual({ 'p/s.jsonl': 'a\n', 'p/t.jsonl': 't\n' });
  });

  test('an ingest of one root says nothing about the files of another', async () => {
    const place = new Place();
    place.write('p/s.jsonl', 'a\n');
    await place.index();
    const other = join(tempFolder(), 'projects');
    mkdirSync(join(other, 'p'), { recursive: true });
    rmSync(place.root, { recursive: true });
    const { openRoots } = await import('../../src/sources/index.ts');
    expect(await place.index({ roots: openRoots([other]) })).toMatchObject({ gone: 0 });
  });

  test('archived bytes that went bad are taken from disk again by --verify, and told when they are lost', async () => {
    const place = new Place();
    const kept = place.write('p/kept.jsonl', 'kept\n');
    const lost = place.write('p/lost.jsonl', 'lost\n');
    await place.index();
    rmSync(lost);
    await place.index();
    const { DatabaseSync } = await import('node:sqlite');
    const database = new DatabaseSync(join(place.home, 'archive.db'));
    database.exec(`update block set data = x'00'`);
    database.close();
    const { problems, rewritten } = await place.index({ verify: true });
    expect(rewritten).toBe(1);
    expect(problems.map(({ message }) => message)).toEqual([
      `The archived copy of ${kept} cannot be read from byte 0 on; it is archived again`,
      `The archived copy of ${lost} cannot be read from byte 0 on; there is nothing on disk to archive it again from`,
    ]);
    const contents = await place.with((archive) => archive.verify());
    expect(contents.map(({ file }) => file?.path)).toEqual(['lost.jsonl']);
  });

  test('a file that cannot be read is told, and the others are archived', async () => {
    const place = new Place();
    place.write('p/a.jsonl', 'a\n');
    symlinkSync(join(place.root, 'p', 'loop.jsonl'), join(place.root, 'p', 'loop.jsonl'));
    const { problems } = await place.index();
    expect(problems).toHaveLength(1);
    expect(Object.keys(await place.contents())).toEqual(['p/a.jsonl']);
  });
});

describe('M11 skein index', () => {
  test('says nothing to a pipe; with --json the figures', () => {
    const place = new Place();
    place.write('p/s.jsonl', 'a\n');
    expect(place.skein('index', '--root', place.root)).toEqual({ out: '', err: '', code: 0 });
    const figures = JSON.parse(place.skein('index', '--root', place.root, '--json').out);
    expect(figures).toMatchObject({ files: 1, same: 1, new: 0, bytes_read: 0, problems: [] });
  });

  test('P3 ends with one line where there is nothing, which says why', () => {
    const place = new Place();
    const { err, code } = place.skein('index', '--root', join(place.folder, 'nowhere'));
    expect(err).toMatch(/^skein: No logs in \S+nowhere: Root \S+nowhere does not exist.*\n$/);
    expect(code).toBe(1);
  });
});

describe('M8 the exclude list', () => {
  const file = {
    cwd: '/home/me/app',
    project: '-home-me-app',
    path: 's.jsonl',
    full: '/h/.claude/projects/-home-me-app/s.jsonl',
  };

  test.each([
    ['-home-me-app', true],
    ['/home/me/app', true],
    ['/home/me', true],
    ['/home/me/app/', true],
    ['/home/*/app', true],
    ['/home/**', true],
    ['-home-me-*', true],
    ['**/s.jsonl', true],
    ['-home-me-app/s.jsonl', true],
    ['# -home-me-app', false],
    ['/home/me/app # mine', true],
    ['/home/me/app#2', false],
    ['/home/me/ap', false],
    ['/home/*', true],
    ['/*/app', false],
    ['home-me-app', false],
    ['', false],
  ])('%s', (pattern, expected) => {
    expect(isExcluded(parseExclude(`# what stays out\n\n${pattern}\n`), file)).toBe(expected);
  });

  test('keeps out what it names; what was archived before stays', async () => {
    const place = new Place();
    place.write('-r-secret/s.jsonl', '{"cwd":"/r/secret"}\n');
    place.write('-r-open/s.jsonl', '{"cwd":"/r/open"}\n');
    await place.index({ exclude: parseExclude('/r/secret') });
    expect(Object.keys(await place.contents())).toEqual(['-r-open/s.jsonl']);
    expect(await place.index({ exclude: parseExclude('/r/open') })).toMatchObject({ new: 1, gone: 0, excluded: 1 });
  });

  test.each([0, 2])(
    'M8 keeps prompts of what it names out of the history of prompts, with %i threads',
    async (threads) => {
      const place = new Place();
      const prompt = (project: string, more = {}): string => `${JSON.stringify({ display: 'x', project, ...more })}\n`;
      const kept = prompt('/r/open', { sessionId: 'a' });
      const history = place.write(
        '../history.jsonl',
        kept + prompt('/r/secret', { sessionId: 'b' }) + prompt('/r/secret'),
      );
      place.write('-r-open/s.jsonl', '{"cwd":"/r/open"}\n');
      const exclude = parseExclude('/r/secret');
      await place.index({ exclude, threads });
      expect((await place.contents())['/history.jsonl']).toBe(kept);
      appendFileSync(history, prompt('/r/secret/in', { sessionId: 'b' }) + kept);
      expect(await place.index({ exclude, threads })).toMatchObject({ appended: 1 });
      expect((await place.contents())['/history.jsonl']).toBe(kept + kept);
      await place.index({ exclude: parseExclude('-r-open'), threads });
      expect(await place.contents()).toMatchObject({ '/history.jsonl~0': kept + kept });
      expect((await place.contents())['/history.jsonl']).not.toContain('open');
    },
  );

  test('stands in a file of the data folder', () => {
    const place = new Place();
    place.write('-r/s.jsonl', '{"cwd":"/r"}\n');
    mkdirSync(place.home);
    writeFileSync(join(place.home, 'exclude'), '/r\n');
    const { out } = place.skein('index', '--json', '--root', place.root);
    expect(JSON.parse(out)).toMatchObject({ files: 0, excluded: 1 });
  });
});

/** A clock that may be coarse must not hide a change. */
function later(file: string): void {
  const time = new Date(Date.now() + 5000);
  utimesSync(file, time, time);
}

function replace(file: string, content: string): void {
  writeFileSync(`${file}.new`, content);
  renameSync(`${file}.new`, file);
}

function overwrite(file: string, at: number, text: string, further = ''): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.from(text), 0, text.length, at);
  closeSync(handle);
  appendFileSync(file, further);
}
