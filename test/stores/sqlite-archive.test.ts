import { randomBytes } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { lockForWriting, SqliteArchive, salvage } from '../../src/stores/sqlite/index.ts';
import { archiveSteps } from '../../src/stores/sqlite/schema.ts';
import { BLOCK, FULL } from '../../src/stores/store.ts';
import { tempFolder } from '../kit/temp.ts';
import { append, contentOf, testArchive } from './archive-contract.ts';

const inFolder = (folder: string): string => join(folder, 'archive.db');

describe('an archive in SQLite', () => {
  testArchive(() => {
    const path = inFolder(tempFolder());
    return { open: async () => SqliteArchive.open(path) };
  });

  test('M9 what somebody read stays as it was when the file grows', async () => {
    const archive = SqliteArchive.open(inFolder(tempFolder()));
    const bytes = randomBytes(FULL - 1000);
    const [file] = await archive.apply({ at: 1, appends: [append({ bytes })] });
    const read = archive.readKept(file?.id ?? 0, 0, bytes.length);
    await archive.apply({ at: 2, appends: [append({ offset: bytes.length, bytes: Buffer.from('more\n') })] });
    expect(Buffer.compare(read, bytes)).toBe(0);
    await archive.close();
  });

  test('M14 all of a file in pieces: the same bytes, each given back when the next is asked for, or nobody asks', async () => {
    const archive = SqliteArchive.open(inFolder(tempFolder()));
    const bytes = randomBytes(3 * BLOCK - 17);
    const [file] = await archive.apply({ at: 1, appends: [append({ bytes })] });
    const id = file?.id ?? 0;
    const read = archive.readKept(id, 0, 1000);
    const pieces: Uint8Array[] = [];
    const copies: Buffer[] = [];
    for (const piece of archive.passKept(id)) {
      expect(pieces.every(({ length }) => length === 0)).toBe(true);
      pieces.push(piece);
      copies.push(Buffer.from(piece));
    }
    for (const piece of archive.passKept(id)) {
      pieces.push(piece);
      break;
    }
    expect(Buffer.compare(Buffer.concat(copies), bytes)).toBe(0);
    expect(pieces.map(({ length }) => length)).toEqual([0, 0, 0, 0]);
    expect(Buffer.compare(read, bytes.subarray(0, 1000))).toBe(0);
    expect([...archive.passKept(id + 1)]).toEqual([]);
    await archive.close();
  });

  test('M7 after a sync its file alone holds everything, while it is open', async () => {
    const archive = SqliteArchive.open(inFolder(tempFolder()));
    const bytes = randomBytes(2 * BLOCK + 17);
    await archive.apply({ at: 1, appends: [append({ bytes })] });
    await archive.sync();
    const alone = inFolder(tempFolder());
    copyFileSync((await archive.share()).path, alone);
    const copy = SqliteArchive.open(alone);
    const [file] = await copy.files();
    expect(Buffer.compare(await contentOf(copy, file), bytes)).toBe(0);
    await Promise.all([archive.close(), copy.close()]);
  });

  test('M9 what a failed batch had begun to write is not taken for archived', async () => {
    const path = inFolder(tempFolder());
    const archive = SqliteArchive.open(path);
    await archive.apply({ at: 1, appends: [append({ bytes: Buffer.from('first\n') })] });
    const raw = new DatabaseSync(path);
    raw.exec(`create trigger no before insert on file when new.path = 'bad' begin select raise(abort, 'no'); end`);
    const lost = append({ offset: 6, bytes: Buffer.from('lost\n') });
    await expect(archive.apply({ at: 1, appends: [lost, append({ path: 'bad' })] })).rejects.toThrow('no');
    raw.exec('drop trigger no');
    raw.close();
    const [file] = await archive.apply({ at: 1, appends: [append({ offset: 6, bytes: Buffer.from('second\n') })] });
    expect((await contentOf(archive, file)).toString()).toBe('first\nsecond\n');
    expect(await archive.verify()).toEqual([]);
    await archive.close();
  });

  test('M8 only its owner may read its files', async () => {
    const folder = join(tempFolder(), 'data');
    const archive = SqliteArchive.open(inFolder(folder));
    await archive.apply({ at: 1, appends: [append({ bytes: Buffer.from('a') })] });
    const modes = readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600, 0o600, 0o600]);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    await archive.close();
  });

  test('M9 a reader sees the last whole state while a writer is in the middle of a batch', async () => {
    const path = inFolder(tempFolder());
    const writer = SqliteArchive.open(path);
    await writer.apply({ at: 1, appends: [append({ bytes: Buffer.from('a') })] });
    const raw = new DatabaseSync(path);
    raw.exec(`begin immediate; update file set size = 99`);
    const reader = SqliteArchive.openForReading(path);
    expect(await reader.files()).toMatchObject([{ size: 1 }]);
    raw.close();
    await reader.close();
    await writer.close();
  });

  test('M6 an archive with an older schema is brought up to date in place', async () => {
    const path = inFolder(tempFolder());
    const old = new DatabaseSync(path);
    old.exec(`${archiveSteps[0]}; pragma user_version = 1;`);
    old.exec(
      `insert into file values (7, '/root', 'claude-code', 'p', 'e.jsonl', 0, 'log', 0, 0, 0, 0, 0, 1, 1, null, null)`,
    );
    old.close();
    const archive = SqliteArchive.open(path);
    await archive.apply({ at: 1, appends: [append({ bytes: Buffer.from('a') })] });
    expect((await archive.files()).map(({ path }) => path)).toEqual(['e.jsonl', 's.jsonl']);
    expect((await archive.tombstones()).size).toBe(0);
    await archive.close();
  });

  test('M6 an archive of a newer Skein is left alone', () => {
    const path = inFolder(tempFolder());
    const newer = new DatabaseSync(path);
    newer.exec('pragma user_version = 99');
    newer.close();
    expect(() => SqliteArchive.open(path)).toThrow('newer Skein');
  });

  test('attack E only a lock that somebody holds is told as one: a folder that may not be written is told as that', () => {
    const home = tempFolder();
    lockForWriting(home).release();
    writeFileSync(join(home, 'writer.lock'), 'no database, and long enough to be looked at as one '.repeat(100));
    expect(() => lockForWriting(home)).toThrow(`${join(home, 'writer.lock')} is damaged`);
  });

  test('M9 a second writer is told who writes, and a writer that ended leaves no lock behind', () => {
    const home = tempFolder();
    const lock = lockForWriting(home);
    expect(() => lockForWriting(home)).toThrow(`Another Skein (process ${process.pid}) is writing to ${home}`);
    lock.release();
    lockForWriting(home).release();
  });
});

describe('M8 what was forgotten leaves no byte', () => {
  test('neither content nor names nor compressed bytes, in any file, also while it is open', async () => {
    const home = tempFolder();
    const archive = SqliteArchive.open(inFolder(home));
    const secret = randomBytes(BLOCK * 2 + 999);
    const plain = Buffer.from('a line\n');
    const place = { project: '-home-me-secret' };
    for (let i = 0; i < 20; i++) {
      const other = append({ path: `other-${i}.jsonl`, bytes: Buffer.from(`kept ${i}\n`.repeat(400)) });
      await archive.apply({
        at: 1,
        appends: [other, append({ ...place, path: `secret-name-${i}.jsonl`, bytes: plain })],
      });
    }
    await archive.apply({ at: 1, appends: [append({ ...place, path: 'big.jsonl', bytes: secret })] });
    await archive.apply({
      at: 1,
      appends: [append({ ...place, path: 'big.jsonl', offset: secret.length, bytes: plain })],
    });
    const samples = [0, 1000, BLOCK + 5000].map((at) => secret.subarray(at, at + 24));
    const marks = [...samples, Buffer.from('secret-name-'), Buffer.from('-home-me-secret')];
    const count = (): number[] => marks.map((mark) => filesIn(home).filter((bytes) => bytes.includes(mark)).length);
    expect(count().every((found) => found > 0)).toBe(true);
    const secrets = (await archive.files({ older: true })).filter(({ project }) => project === place.project);
    await archive.forget(
      secrets.map(({ id }) => id),
      ['stone'],
    );
    expect(count()).toEqual(marks.map(() => 0));
    await archive.close();
    const again = SqliteArchive.open(inFolder(home));
    expect(await again.files()).toHaveLength(20);
    expect(await again.verify()).toEqual([]);
    expect(count()).toEqual(marks.map(() => 0));
    await again.close();
  });
});

describe('M9 a damaged archive', () => {
  /** 40 files, of which some are longer than a block. */
  async function filled(path: string): Promise<Map<string, Buffer>> {
    const archive = SqliteArchive.open(path);
    const contents = new Map<string, Buffer>();
    for (let i = 0; i < 40; i++) {
      const bytes = i === 39 ? Buffer.alloc(0) : randomBytes(i % 10 === 0 ? 2 * BLOCK + 5 : 3000);
      contents.set(`f${i}.jsonl`, bytes);
      await archive.apply({ at: 1, appends: [append({ path: `f${i}.jsonl`, bytes })] });
    }
    await archive.close();
    return contents;
  }

  /** Which files have exactly their bytes, and which have others. */
  async function compare(
    path: string,
    contents: ReadonlyMap<string, Buffer>,
  ): Promise<{ whole: number; wrong: string[] }> {
    const archive = SqliteArchive.open(path);
    let whole = 0;
    const wrong: string[] = [];
    for (const file of await archive.files()) {
      const content = await contentOf(archive, file);
      const original = contents.get(file.path);
      if (original && content.equals(original)) whole++;
      else if (original && !original.subarray(0, content.length).equals(content)) wrong.push(file.path);
    }
    expect(await archive.verify()).toEqual([]);
    await archive.close();
    return { whole, wrong };
  }

  test.each([1, 2, 3, 4, 5, 6])(
    'overwritten in some places, all files but those there are saved (%i)',
    async (seed) => {
      const path = inFolder(tempFolder());
      const contents = await filled(path);
      const pages = Math.floor(statSync(path).size / 8192);
      const handle = openSync(path, 'r+');
      // Never the first page: without the schema nothing can be told.
      for (let i = 0; i < 3; i++)
        writeSync(handle, randomBytes(200), 0, 200, (1 + ((seed * 131 + i * 977) % (pages - 1))) * 8192 + 50);
      closeSync(handle);
      const saved = await salvage(path);
      const { whole, wrong } = await compare(path, contents);
      expect(wrong).toEqual([]);
      expect(whole).toBeGreaterThanOrEqual(20);
      expect(readdirSync(join(path, '..'))).toContain(saved.aside.split('/').at(-1));
    },
  );

  test('cut off, what is before the end is saved', async () => {
    const path = inFolder(tempFolder());
    const contents = await filled(path);
    const handle = openSync(path, 'r+');
    ftruncateSync(handle, Math.floor(statSync(path).size / 2));
    closeSync(handle);
    const saved = await salvage(path);
    const { whole, wrong } = await compare(path, contents);
    expect(wrong).toEqual([]);
    expect(whole).toBeGreaterThan(5);
    expect(saved.incomplete + saved.lost).toBeGreaterThan(0);
  });

  test('M9 a file of which nothing could be read is not told as saved', async () => {
    const path = inFolder(tempFolder());
    const archive = SqliteArchive.open(path);
    for (const name of ['lost.jsonl', 'kept.jsonl', 'empty.jsonl'])
      await archive.apply({
        at: 1,
        appends: [append({ path: name, bytes: Buffer.from(name === 'empty.jsonl' ? '' : name) })],
      });
    await archive.close();
    const database = new DatabaseSync(path);
    database.exec(`update block set data = x'00' where file = (select id from file where path = 'lost.jsonl')`);
    database.close();
    expect(await salvage(path)).toMatchObject({ files: 2, incomplete: 0, lost: 1 });
  });

  test('that is no database at all is set aside, and a new one begins', async () => {
    const path = inFolder(tempFolder());
    await filled(path);
    writeFileSync(path, randomBytes(40_000));
    expect(() => SqliteArchive.open(path)).toThrow('damaged');
    expect(await salvage(path)).toMatchObject({ files: 0, bytes: 0, isDoubtful: true });
    expect((await compare(path, new Map())).whole).toBe(0);
  });

  const overwrite = (path: string, bytes: Uint8Array, at: number): void => {
    const handle = openSync(path, 'r+');
    writeSync(handle, bytes, 0, bytes.length, at);
    closeSync(handle);
  };
  test.each([
    ['its magic', (path: string) => overwrite(path, Buffer.from('s'), 0)],
    ['the size of its pages', (path: string) => overwrite(path, Buffer.from([0x21]), 16)],
    ['its versions', (path: string) => overwrite(path, Buffer.from([9, 9]), 18)],
    ['the page of its schema', (path: string) => overwrite(path, new Uint8Array(8092), 100)],
    ['all of its first page', (path: string) => overwrite(path, randomBytes(8192), 0)],
  ])('attack A2 everything is saved from one of which %s is damaged', async (_name, damage) => {
    const path = inFolder(tempFolder());
    const contents = await filled(path);
    damage(path);
    expect(() => SqliteArchive.open(path)).toThrow('damaged');
    expect(await salvage(path)).toMatchObject({ files: 40, incomplete: 0, lost: 0, isDoubtful: false });
    expect(await compare(path, contents)).toEqual({ whole: 40, wrong: [] });
  });

  test('attack A2 what stands in the log of changes is saved too', async () => {
    const path = inFolder(tempFolder());
    const archive = SqliteArchive.open(path);
    for (let i = 0; i < 5; i++)
      await archive.apply({ at: 1, appends: [append({ path: `f${i}.jsonl`, bytes: randomBytes(30_000) })] });
    const copy = inFolder(tempFolder());
    for (const end of ['', '-wal']) copyFileSync(path + end, copy + end);
    await archive.close();
    overwrite(copy, randomBytes(Math.min(8192, statSync(copy).size)), 0);
    const saved = await salvage(copy);
    expect(saved).toMatchObject({ files: 5, incomplete: 0, lost: 0 });
  });

  test('attack A2 whichever bit is flipped, what can be saved is, and the rest is told', async () => {
    const path = inFolder(tempFolder());
    const archive = SqliteArchive.open(path);
    const contents = new Map<string, Buffer>();
    for (let i = 0; i < 12; i++) {
      const bytes = Buffer.from(`line ${i}\n`.repeat(i === 3 ? 40_000 : 30));
      contents.set(`f${i}.jsonl`, bytes);
      await archive.apply({ at: 1, appends: [append({ path: `f${i}.jsonl`, bytes })] });
    }
    await archive.close();
    const sound = readFileSync(path);
    const wrong: string[] = [];
    // A step that meets every bit of a byte, and all sorts of pages.
    for (let at = 0; at < sound.length; at += 1499) {
      const flipped = inFolder(tempFolder());
      const bytes = Buffer.from(sound);
      bytes[at] = (bytes[at] as number) ^ (1 << (at % 8));
      writeFileSync(flipped, bytes);
      const { files, incomplete, lost } = await salvage(flipped);
      const { whole, wrong: others } = await compare(flipped, contents);
      const isTold = whole === 12 || incomplete + lost > 0;
      if (others.length > 0 || !isTold || whole < 11 || files < 11) wrong.push(`${at}: ${whole} ${others}`);
    }
    expect(wrong).toEqual([]);
  });

  test.each(['f2.jsonl', '-project'])(
    'attack A2 a file keeps its name where a byte of %s is damaged in one of two places',
    async (name) => {
      const path = inFolder(tempFolder());
      const archive = SqliteArchive.open(path);
      const bytes = Buffer.from('content\n');
      await archive.apply({ at: 1, appends: [append({ project: '-project', path: 'f2.jsonl', bytes })] });
      await archive.close();
      const sound = readFileSync(path, 'latin1');
      const places = [...sound.matchAll(new RegExp(name, 'g'))].map(({ index }) => index);
      expect(places).toHaveLength(2);
      for (const at of places) {
        writeFileSync(path, `${sound.slice(0, at + 1)}3${sound.slice(at + 2)}`, 'latin1');
        expect(await salvage(path)).toMatchObject({ files: 1, incomplete: 0, lost: 0 });
        const again = SqliteArchive.open(path);
        expect(await again.files()).toMatchObject([{ project: '-project', path: 'f2.jsonl' }]);
        await again.close();
      }
    },
  );

  test('attack A2 a name that is not what was written is damage, not a name', async () => {
    const path = inFolder(tempFolder());
    const archive = SqliteArchive.open(path);
    await archive.apply({ at: 1, appends: [append({ path: 'f2.jsonl', bytes: Buffer.from('a') })] });
    await archive.close();
    const raw = new DatabaseSync(path);
    raw.exec(`update file set path = 'f3.jsonl'`);
    raw.close();
    const again = SqliteArchive.open(path);
    await expect(again.files()).rejects.toMatchObject({ code: 'damaged' });
    await again.close();
  });

  test.each([0, 1, 2, 3, 7, 2 ** 20])(
    'attack D5 a version of %i in its header, of which nothing else says the same, changes nothing',
    async (version) => {
      const path = inFolder(tempFolder());
      const contents = await filled(path);
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(version);
      overwrite(path, bytes, 60);
      expect((await compare(path, contents)).whole).toBe(40);
      const reader = SqliteArchive.openForReading(path);
      expect(await reader.files()).toHaveLength(40);
      await reader.close();
    },
  );

  test('attack D5 an archive of an older version whose header says still less is brought up to date', async () => {
    const path = inFolder(tempFolder());
    const old = new DatabaseSync(path);
    old.exec(archiveSteps.slice(0, 2).join(';'));
    old.close();
    await SqliteArchive.open(path).close();
    const archive = SqliteArchive.open(path);
    expect((await archive.totals()).files).toBe(0);
    await archive.close();
  });

  test('killed while it is saved, the next try has all of it; killed after that, it is found', async () => {
    const path = inFolder(tempFolder());
    const contents = await filled(path);
    writeFileSync(path.replace('.db', '.saving.db'), 'half of it');
    await salvage(path);
    expect((await compare(path, contents)).whole).toBe(40);
    renameSync(path, path.replace('.db', '.saving.db'));
    expect((await compare(path, contents)).whole).toBe(40);
  });

  test('a generation that is gone and one that was replaced stay what they were', async () => {
    const path = inFolder(tempFolder());
    const archive = SqliteArchive.open(path);
    await archive.apply({ at: 1, appends: [append({ bytes: Buffer.from('old') })] });
    const [file] = await archive.apply({ at: 2, appends: [append({ bytes: Buffer.from('new') })] });
    await archive.apply({ at: 3, appends: [], gone: [file?.id ?? 0] });
    await archive.forget([], ['stone']);
    await archive.close();
    await salvage(path);
    const again = SqliteArchive.open(path);
    expect(await again.files({ older: true })).toMatchObject([
      { generation: 0 },
      { generation: 1, goneAt: 3, size: 3 },
    ]);
    expect([...(await again.tombstones())]).toEqual(['stone']);
    await again.close();
  });
});

const filesIn = (folder: string): Buffer[] => readdirSync(folder).map((name) => readFileSync(join(folder, name)));
