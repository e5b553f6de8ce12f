import {
  appendFileSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nothingExcluded } from '../../src/ingest/exclude.ts';
import { watch } from '../../src/ingest/index.ts';
import { openRoots } from '../../src/sources/index.ts';
import type { Archive, ArchivedFile } from '../../src/stores/store.ts';
import { Place } from './kit.ts';

/** Runs `act` while the place is watched; `saved` waits until a file has so many archived bytes, and gives how long that took. */
async function watching(
  place: Place,
  act: (saved: (path: string, size: number) => Promise<number>, archive: Archive) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const sizes = new Map<string, number>();
  let heard = (): void => undefined;
  const onSaved = (files: readonly ArchivedFile[]): void => {
    for (const { project, path, size } of files) sizes.set(`${project}/${path}`, size);
    heard();
  };
  const saved = async (path: string, size: number): Promise<number> => {
    const start = performance.now();
    while (sizes.get(path) !== size) {
      if (performance.now() - start > 20_000) throw new Error(`${path} has ${sizes.get(path)} bytes, not ${size}`);
      await new Promise<void>((resolve) => {
        heard = resolve;
        setTimeout(resolve, 500);
      });
    }
    return performance.now() - start;
  };
  await place.with(async (archive) => {
    let begun = (): void => undefined;
    const ready = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const done = watch({
      archive,
      signal: stop.signal,
      findRoots: () => openRoots([place.root]),
      readExclude: () => nothingExcluded,
      onIngested: begun,
      onSaved,
    });
    await Promise.race([ready, done]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    try {
      await act(saved, archive);
    } finally {
      stop.abort();
      await done;
    }
  });
}

test('M12 new lines of a file of 100 MB are archived one by one as they come; the bench tells how fast', async () => {
  const place = new Place();
  const file = place.write('p/s.jsonl', '');
  truncateSync(file, 100 * 1024 * 1024);
  await watching(place, async (saved) => {
    const times: number[] = [];
    let size = 100 * 1024 * 1024;
    for (let i = 0; i < 20; i++) {
      const line = `{"line":${i},"text":"${'x'.repeat(500)}"}\n`;
      appendFileSync(file, line);
      size += line.length;
      times.push(await saved('p/s.jsonl', size));
    }
    expect(times).toHaveLength(20);
  });
});

test('M12 new files, new projects and new folders in them are archived while it watches, rewritten ones anew', async () => {
  const place = new Place();
  place.write('p/s.jsonl', 'a\n');
  await watching(place, async (saved) => {
    place.write('p/t.jsonl', 'new\n');
    await saved('p/t.jsonl', 4);
    place.write('q/u.jsonl', 'project\n');
    await saved('q/u.jsonl', 8);
    mkdirSync(join(place.root, 'p/s/tool-results'), { recursive: true });
    writeFileSync(join(place.root, 'p/s/tool-results/x.txt'), 'result');
    await saved('p/s/tool-results/x.txt', 6);
    appendFileSync(join(place.root, 'p/s/tool-results/x.txt'), ' more');
    await saved('p/s/tool-results/x.txt', 11);
    writeFileSync(join(place.root, 'p/s.jsonl'), 'x\n{}\n');
    await saved('p/s.jsonl', 5);
    rmSync(join(place.root, 'q'), { recursive: true });
  });
  expect(await place.contents()).toMatchObject({
    'p/s.jsonl': 'x\n{}\n',
    'p/s.jsonl~0': 'a\n',
    'q/u.jsonl': 'project\n',
  });
});

test('M12 what is appended is read into the same room again and again', async () => {
  const place = new Place();
  const files = ['p/s.jsonl', 'q/t.jsonl'].map((path) => place.write(path, 'begin\n'));
  const rooms = new Set<unknown>();
  await watching(place, async (saved, archive) => {
    const apply = archive.apply.bind(archive);
    archive.apply = (batch) => {
      for (const { bytes } of batch.appends) rooms.add(bytes.buffer);
      return apply(batch);
    };
    for (let i = 1; i <= 4; i++) {
      for (const file of files) appendFileSync(file, 'line\n');
      for (const path of ['p/s.jsonl', 'q/t.jsonl']) await saved(path, 6 + 5 * i);
    }
  });
  expect(rooms.size).toBe(1);
});

test('M12 nothing is missed of many files that grow at once', async () => {
  const place = new Place();
  const files = Array.from({ length: 20 }, (_, i) => place.write(`p${i % 3}/s${i}.jsonl`, 'begin\n'));
  await watching(place, async (saved) => {
    const handles = files.map((file) => openSync(file, 'a'));
    for (let round = 0; round < 30; round++) {
      for (const handle of handles) writeSync(handle, `line ${round}\n`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    for (const [i, file] of files.entries()) await saved(`p${i % 3}/s${i}.jsonl`, readFileSync(file).length);
  });
  const contents = await place.contents();
  for (const [i, file] of files.entries()) expect(contents[`p${i % 3}/s${i}.jsonl`]).toBe(readFileSync(file, 'utf8'));
  expect(Object.keys(contents)).toHaveLength(20);
});
