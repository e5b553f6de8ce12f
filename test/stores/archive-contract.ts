import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { HEAD } from '../../src/model/index.ts';
import { type Append, type Archive, type ArchivedFile, BLOCK, FULL } from '../../src/stores/store.ts';

/** A place where an archive is kept: opened again it holds what was written. */
export interface ArchivePlace {
  open(): Promise<Archive>;
}

/** What every archive does. */
export function testArchive(makePlace: () => ArchivePlace): void {
  const opened = (): Promise<Archive> => makePlace().open();

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['one byte', Buffer.from('x')],
    ['NUL bytes, CRLF, no final newline', Buffer.from('{"a":\0}\r\n\r\nnot json\n\ud800tail')],
    ['exactly a block', randomBytes(BLOCK)],
    ['many blocks', randomBytes(3 * BLOCK + 17)],
  ])('M7 gives back what was written: %s', async (_name, bytes) => {
    const archive = await opened();
    const [file] = await archive.apply({ at: 1, appends: [append({ bytes })] });
    expect(Buffer.compare(await contentOf(archive, file), bytes)).toBe(0);
    expect(file).toMatchObject({ size: bytes.length, crc: crc32(bytes), head: crc32(bytes.subarray(0, HEAD)) });
    await archive.close();
  });

  test('M9 what is appended in pieces of any size is the same as written at once', async () => {
    const archive = await opened();
    const bytes = randomBytes(2 * BLOCK + 1000);
    const cuts = [0, 1, 100, HEAD, HEAD + 1, FULL - 1, FULL, FULL + 5, BLOCK, BLOCK + 5, 2 * BLOCK, 2 * BLOCK + 1000];
    let file: ArchivedFile | undefined;
    for (const [i, from] of cuts.slice(0, -1).entries())
      [file] = await archive.apply({
        at: 1,
        appends: [append({ offset: from, bytes: bytes.subarray(from, cuts[i + 1]) })],
      });
    const [whole] = await archive.apply({ at: 1, appends: [append({ path: 'whole.jsonl', bytes })] });
    expect(Buffer.compare(await contentOf(archive, file), bytes)).toBe(0);
    // Where the last block begins is the store's affair.
    expect({ ...file, id: 0, path: '', tail: null }).toEqual({ ...whole, id: 0, path: '', tail: null });
    expect(crc32(bytes.subarray(file?.tail.start))).toBe(file?.tail.crc);
    expect(await archive.verify()).toEqual([]);
    await archive.close();
  });

  test('M7 what was written is there when it is opened again', async () => {
    const place = makePlace();
    const first = await place.open();
    await first.apply({ at: 1, appends: [append({ bytes: Buffer.from('a\n') })] });
    await first.close();
    const again = await place.open();
    const [file] = await again.files();
    expect((await contentOf(again, file)).toString()).toBe('a\n');
    await again.close();
  });

  test('M9 a batch is written as a whole or not at all', async () => {
    const archive = await opened();
    const wrong = append({ path: 'b.jsonl', offset: 7, bytes: Buffer.from('x') });
    await expect(archive.apply({ at: 1, appends: [append({ bytes: Buffer.from('a') }), wrong] })).rejects.toThrow('7');
    expect(await archive.files()).toEqual([]);
    await archive.close();
  });

  test('M9 bytes from 0 on begin a new generation, and the older one is kept', async () => {
    const archive = await opened();
    await archive.apply({ at: 1, appends: [append({ bytes: Buffer.from('old') })] });
    await archive.apply({ at: 2, appends: [append({ bytes: Buffer.from('new') })] });
    expect(await archive.files()).toMatchObject([{ generation: 1, size: 3, replacedAt: null }]);
    const files = await archive.files({ older: true });
    expect(files).toMatchObject([{ generation: 0, replacedAt: 2 }, { generation: 1 }]);
    expect((await Promise.all(files.map((file) => contentOf(archive, file)))).map(String)).toEqual(['old', 'new']);
    await archive.close();
  });

  test('M9 the same place in another root, agent or project is another file', async () => {
    const archive = await opened();
    const others = [{ root: '/other' }, { agent: 'pi' }, { project: 'q' }, { path: 'other.jsonl' }, {}];
    await archive.apply({ at: 1, appends: others.map((other) => append({ bytes: Buffer.from('a'), ...other })) });
    expect(await archive.files()).toHaveLength(5);
    await archive.close();
  });

  test('M7 a file that is gone is kept, and is there again when it comes back', async () => {
    const archive = await opened();
    const [file] = await archive.apply({ at: 1, appends: [append({ bytes: Buffer.from('a') })] });
    await archive.apply({ at: 5, appends: [], gone: [file?.id ?? 0] });
    await archive.apply({ at: 6, appends: [], gone: [file?.id ?? 0] });
    expect(await archive.files()).toMatchObject([{ goneAt: 5, size: 1 }]);
    await archive.apply({ at: 7, appends: [append({ offset: 1, bytes: Buffer.from('b') })] });
    expect(await archive.files()).toMatchObject([{ goneAt: null, size: 2 }]);
    await archive.close();
  });

  test('M8 forgets files with every generation asked for, and remembers the tombstones', async () => {
    const archive = await opened();
    await archive.apply({ at: 1, appends: [append({ bytes: Buffer.from('old') })] });
    await archive.apply({ at: 2, appends: [append({ bytes: Buffer.from('new') })] });
    await archive.apply({ at: 2, appends: [append({ path: 'kept.jsonl', bytes: Buffer.from('kept') })] });
    const files = await archive.files({ older: true });
    await archive.forget(
      files.filter(({ path }) => path === 's.jsonl').map(({ id }) => id),
      ['stone'],
    );
    expect(await archive.files({ older: true })).toMatchObject([{ path: 'kept.jsonl' }]);
    expect([...(await archive.tombstones())]).toEqual(['stone']);
    await archive.close();
  });

  test('M8 reads any part of a file', async () => {
    const archive = await opened();
    const bytes = randomBytes(2 * BLOCK + 10);
    const [file] = await archive.apply({ at: 1, appends: [append({ bytes })] });
    for (const [offset, length] of [
      [0, 10],
      [BLOCK - 5, 10],
      [BLOCK, BLOCK],
      [2 * BLOCK + 5, 100],
      [3 * BLOCK, 1],
    ] as const) {
      const part = await archive.read(file?.id ?? 0, offset, length);
      expect(Buffer.compare(part, bytes.subarray(offset, offset + length))).toBe(0);
    }
    await archive.close();
  });

  test('M8 sums what it holds', async () => {
    const archive = await opened();
    await archive.apply({ at: 1, appends: [append({ bytes: Buffer.alloc(1000) })] });
    await archive.apply({
      at: 2,
      appends: [
        append({ bytes: Buffer.alloc(500) }),
        append({ path: 's/x.txt', kind: 'artifact', bytes: Buffer.alloc(7) }),
      ],
      run: { startedAt: 1, endedAt: 2 },
    });
    expect(await archive.totals()).toMatchObject({
      ...{ files: 2, bytes: 507, artifacts: 1, artifactBytes: 7, gone: 0, older: 1, olderBytes: 1000 },
      lastRun: { startedAt: 1, endedAt: 2 },
    });
    expect(await archive.verify()).toEqual([]);
    await archive.close();
  });
}

export const append = (more: Partial<Append>): Append => ({
  root: '/root',
  agent: 'claude-code',
  project: 'p',
  path: 's.jsonl',
  kind: 'log',
  offset: 0,
  bytes: new Uint8Array(0),
  inode: 1,
  modified: 1,
  ...more,
});

export async function contentOf(archive: Archive, file: ArchivedFile | undefined): Promise<Buffer> {
  return Buffer.from(await archive.read(file?.id ?? -1, 0, file?.size ?? 0));
}
