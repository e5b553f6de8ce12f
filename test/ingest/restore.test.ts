import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { restoreFiles } from '../../src/ingest/index.ts';
import { openRoots } from '../../src/sources/index.ts';
import { user } from '../kit/transcript.ts';
import { append } from '../stores/archive-contract.ts';
import { Place } from './kit.ts';

const CORPUS = join(import.meta.dirname, '../../../shared/corpus');

describe('M7 restore gives identical bytes', () => {
  test('of files with broken lines, CRLF, NUL bytes, no final newline, and of empty ones', async () => {
    const place = new Place();
    const files = {
      'p/broken.jsonl': '{"a":\n}}}\n\u0000\n',
      'p/crlf.jsonl': '{"a":1}\r\n{"b":2}\r\n',
      'p/nul.jsonl': 'a\0b\0\0\n',
      'p/open.jsonl': '{"a":1}\n{"b":',
      'p/empty.jsonl': '',
      'p/bytes.jsonl': Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28, 0x0a, 0xed, 0xa0, 0x80]),
    };
    for (const [path, content] of Object.entries(files)) place.write(path, content);
    await place.index();
    await expectRestored(place, place.root);
  });

  test.each(['claude-code', 'pi'])('of every file of the public corpus: %s', async (agent) => {
    const root = join(CORPUS, agent);
    if (!existsSync(root)) return console.log(`test/ingest/restore.test.ts: there is no ${root}; it is skipped`);
    const place = new Place();
    await place.index({ roots: openRoots([root]) });
    await expectRestored(place, root);
  });

  /** Every archived file, and every file below the root is archived but what belongs to no session. */
  async function expectRestored(place: Place, root: string): Promise<void> {
    const count = await place.with(async (archive) => {
      const files = await archive.files();
      for (const [i, file] of files.entries()) {
        const [path = ''] = await restoreFiles(archive, [file], join(place.folder, `out-${i}`));
        expect(relative(join(place.folder, `out-${i}`), path)).toBe(join(file.project, file.path));
        expect(readFileSync(path).equals(readFileSync(join(file.root, file.project, file.path)))).toBe(true);
      }
      return files.length;
    });
    expect(count).toBe(
      readdirSync(root, { recursive: true, withFileTypes: true }).filter(
        (each) => each.isFile() && each.name !== 'README.md',
      ).length,
    );
  }
});

describe('skein restore', () => {
  const line = (uuid: string, more = {}): string =>
    `${JSON.stringify(user(uuid, null, 'hello', { cwd: '/r', timestamp: '2026-01-01T00:00:00.000Z', ...more }))}\n`;

  test('M7 writes the files of a session below their project folder, also when they are gone from disk', async () => {
    const place = new Place();
    place.write('-r/aaaa.jsonl', line('u1'));
    place.write('-r/aaaa/tool-results/t.txt', 'result');
    place.write('-r/bbbb.jsonl', line('u2'));
    await place.index();
    rmSync(place.root, { recursive: true });
    const out = join(place.folder, 'out');
    expect(place.skein('restore', 'aa', '-o', out)).toMatchObject({ code: 0, err: '' });
    expect(tree(out)).toEqual(['-r/aaaa.jsonl', '-r/aaaa/tool-results/t.txt']);
    expect(readFileSync(join(out, '-r/aaaa.jsonl'), 'utf8')).toBe(line('u1'));
    expect(place.skein('restore', '-p', '/r', '-o', join(place.folder, 'all')).code).toBe(0);
    expect(tree(join(place.folder, 'all'))).toHaveLength(3);
  });

  test('M7 takes every file of a session that goes over several, sub-agents beside it too', async () => {
    const place = new Place();
    place.write('-r/aaaa.jsonl', line('u1'));
    place.write('-r/bbbb.jsonl', line('u1') + line('u2', { parentUuid: 'u1' }));
    await place.index();
    const out = join(place.folder, 'out');
    place.skein('restore', 'aaaa', '-o', out);
    expect(tree(out)).toEqual(['-r/aaaa.jsonl', '-r/bbbb.jsonl']);
  });

  test('M7 writes over nothing without --force', async () => {
    const place = new Place();
    place.write('-r/aaaa.jsonl', line('u1'));
    await place.index();
    const out = join(place.folder, 'out');
    mkdirSync(join(out, '-r'), { recursive: true });
    writeFileSync(join(out, '-r/aaaa.jsonl'), 'mine');
    expect(place.skein('restore', 'aaaa', '-o', out)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--force'),
    });
    expect(readFileSync(join(out, '-r/aaaa.jsonl'), 'utf8')).toBe('mine');
    expect(place.skein('restore', 'aaaa', '-o', out, '--force').code).toBe(0);
    expect(readFileSync(join(out, '-r/aaaa.jsonl'), 'utf8')).toBe(line('u1'));
  });

  test('M7 brings back what is missing beside what is still there, and leaves alone what the agent went on with', async () => {
    const place = new Place();
    const lost = place.write('-r/aaaa.jsonl', line('u1'));
    place.write('-r/bbbb.jsonl', line('u2'));
    const grown = place.write('-r/cccc.jsonl', line('u3'));
    await place.index();
    rmSync(lost);
    writeFileSync(grown, line('u3') + line('u4'));
    expect(place.skein('restore', '-p', '/r', '-o', place.root)).toEqual({
      out: `${lost}\n`,
      err: 'skein: 2 files are there already\n',
      code: 0,
    });
    expect(readFileSync(lost, 'utf8')).toBe(line('u1'));
    expect(readFileSync(grown, 'utf8')).toBe(line('u3') + line('u4'));
  });

  test('M9 --older writes what stood in a file before it was rewritten', async () => {
    const place = new Place();
    place.write('-r/aaaa.jsonl', line('u1') + line('u2'));
    await place.index();
    place.write('-r/aaaa.jsonl', line('u3'));
    await place.index();
    const out = join(place.folder, 'out');
    place.skein('restore', 'aaaa', '-o', out, '--older');
    expect(readFileSync(join(out, '-r/aaaa.jsonl~0'), 'utf8')).toBe(line('u1') + line('u2'));
  });

  test.each([
    { project: '..', path: 'x.jsonl' },
    { project: 'p', path: '../../x.jsonl' },
    { project: 'p', path: 'a/../../x.jsonl' },
    { project: 'p', path: '/x.jsonl' },
    { project: '/p', path: 'x.jsonl' },
    { project: 'p', path: 'a\0.jsonl' },
    { project: '.', path: '.' },
  ])('M7 never leaves its folder: $project and $path', async (names) => {
    const place = new Place();
    await place.with(async (archive) => {
      const files = await archive.apply({ at: 1, appends: [append({ ...names, bytes: Buffer.from('x') })] });
      await expect(restoreFiles(archive, files, join(place.folder, 'deep', 'out'))).rejects.toThrow('not restored');
    });
    expect(tree(place.folder).filter((path) => !path.startsWith('data'))).toEqual([]);
  });

  test('M7 never follows a link out of its folder', async () => {
    const place = new Place();
    const out = join(place.folder, 'out');
    const outside = join(place.folder, 'outside');
    mkdirSync(out);
    mkdirSync(outside);
    symlinkSync(outside, join(out, 'p'));
    await place.with(async (archive) => {
      const files = await archive.apply({
        at: 1,
        appends: [append({ path: 's/deep/x.txt', bytes: Buffer.from('x') })],
      });
      await expect(restoreFiles(archive, files, out, { force: true })).rejects.toThrow('leads out of');
    });
    expect(readdirSync(outside)).toEqual([]);
  });
});

test('M7 a file that cannot be read from the archive keeps its place on disk, and the others are restored', async () => {
  const place = new Place();
  for (const path of ['p/a.jsonl', 'p/b.jsonl']) place.write(path, path);
  await place.index();
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(join(place.home, 'archive.db'));
  database.exec(`update block set data = x'00' where file = (select id from file where path = 'a.jsonl')`);
  database.close();
  place.write('p/a.jsonl', 'mine');
  await place.with(async (archive) => {
    await expect(restoreFiles(archive, await archive.files(), place.root, { force: true })).rejects.toThrow(
      '1 of 2 files',
    );
  });
  expect(readFileSync(join(place.root, 'p/a.jsonl'), 'utf8')).toBe('mine');
  expect(tree(place.root)).toEqual(['p/a.jsonl', 'p/b.jsonl']);
});

const tree = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
