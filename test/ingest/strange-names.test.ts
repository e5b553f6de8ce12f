import fs, { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { History } from '../../src/history/index.ts';
import { restoreFiles, watch } from '../../src/ingest/index.ts';
import { nameOf, onDisk } from '../../src/sources/byte-names.ts';
import { openRoots } from '../../src/sources/index.ts';
import { user } from '../kit/transcript.ts';
import { Place } from './kit.ts';

const line = (id: string, text = id): string => `${JSON.stringify(user(id, null, text, { cwd: `/${id}` }))}\n`;

/** A path with bytes that are no UTF-8: `\xfc` is ü in Latin-1. */
const bytes = (path: string): Buffer => Buffer.from(path, 'latin1');
const canBeWritten = process.platform === 'linux';

describe.skipIf(!canBeWritten)('attack A1 names that are not UTF-8', () => {
  function strange(): Place {
    const place = new Place();
    place.write('-plain/aaaa1111.jsonl', line('plain'));
    const folder = bytes(`${place.root}/-home-m\xfcller`);
    mkdirSync(folder);
    writeFileSync(Buffer.concat([folder, bytes('/bbbb2222.jsonl')]), line('folder'));
    writeFileSync(bytes(`${place.root}/-plain/cccc\xff3333.jsonl`), line('file'));
    return place;
  }

  test.each([
    'index',
    'index --verify',
    'sessions',
    'status',
    'search folder',
    'check',
    'show bbbb',
    'export --all -o out',
  ])('attack A1 skein %s goes on, without a word about them', (command) => {
    const place = strange();
    const args = command.split(' ');
    const { err, code } = place.skein(
      ...args.map((arg) => (arg === 'out' ? join(place.folder, arg) : arg)),
      '--root',
      place.root,
    );
    expect({ err, code }).toEqual({ err: expect.not.stringMatching(/unexpected|left out/), code: 0 });
  });

  test('attack A1 they are archived, listed and searched like any other', async () => {
    const place = strange();
    expect(await place.index()).toMatchObject({ new: 3, problems: [] });
    expect(await place.index({ verify: true })).toMatchObject({ same: 3, problems: [] });
    const { projects } = History.open({ roots: [place.root] });
    expect(projects.flatMap((each) => each.sessions().map(({ title }) => title)).sort()).toEqual([
      'file',
      'folder',
      'plain',
    ]);
  });

  test('attack A1 they are restored byte for byte, names included, after they are gone', async () => {
    const place = strange();
    await place.index();
    rmSync(place.root, { recursive: true });
    mkdirSync(place.root);
    expect(await place.index()).toMatchObject({ gone: 3 });
    const out = join(place.folder, 'out');
    await place.with(async (archive) => restoreFiles(archive, await archive.files(), out));
    expect(readFileSync(bytes(`${out}/-home-m\xfcller/bbbb2222.jsonl`), 'utf8')).toContain('folder');
    expect(readFileSync(bytes(`${out}/-plain/cccc\xff3333.jsonl`), 'utf8')).toContain('file');
  });

  test('attack A1 what is written to them is archived while it is watched', async () => {
    const place = strange();
    const stop = new AbortController();
    const saved: string[] = [];
    const done = place.with((archive) =>
      watch({
        archive,
        signal: stop.signal,
        findRoots: () => openRoots([place.root]),
        readExclude: () => [],
        onIngested: () => writeFileSync(bytes(`${place.root}/-home-m\xfcller/dd\xe9.jsonl`), line('later')),
        onSaved: (files) => {
          saved.push(...files.map(({ path }) => path));
          if (saved.includes(nameOf(bytes('dd\xe9.jsonl')))) stop.abort();
        },
      }),
    );
    await done;
    expect(saved).toContain(nameOf(bytes('dd\xe9.jsonl')));
  });
});

test.each([
  ['plain', 'name.jsonl'],
  ['Latin-1', 'm\xfcller'],
  ['half a character', '\xe4\xbd'],
  ['a character that stands for a byte', Buffer.from('\u{10fefc}').toString('latin1')],
  ['all of them', '\xf4\x8f\xbb\xbc\xff a \xc3\xbc'],
])('attack A1 every name is turned back byte for byte: %s', (_name, latin1) => {
  expect(Buffer.from(onDisk(nameOf(bytes(latin1))))).toEqual(bytes(latin1));
});

test('attack A1 folders that come, go and are renamed while everything is listed stop nothing', async () => {
  const place = new Place();
  place.write('-stays/aaaa1111.jsonl', line('stays'));
  const folders = Array.from({ length: 5 }, (_, i) => join(place.root, `-p${i}`));
  const churn = (i: number): void => {
    const folder = folders[i % folders.length] as string;
    if (i % 3 === 0) rmSync(folder, { recursive: true, force: true });
    else if (i % 3 === 1) place.write(`-p${i % folders.length}/s${i}.jsonl`, line(`s${i}`));
    else
      try {
        renameSync(folder, `${folder}-renamed-${i}`);
      } catch {
        // Gone already.
      }
  };
  const { calls, restore } = interruptListing(churn);
  try {
    for (let i = 0; i < 40; i++) {
      await place.index({ threads: 0 });
      for (const project of History.open({ roots: [place.root] }).projects) project.sessions();
    }
  } finally {
    restore();
  }
  expect(calls()).toBeGreaterThan(100);
  expect(Object.keys(await place.contents())).toContain('-stays/aaaa1111.jsonl');
});

/** After every listing of a folder something happens to what was listed. */
function interruptListing(happens: (time: number) => void): { calls(): number; restore(): void } {
  const original = fs.readdirSync;
  let calls = 0;
  const install = (readdir: unknown): void => {
    fs.readdirSync = readdir as typeof fs.readdirSync;
    syncBuiltinESMExports();
  };
  install((...args: Parameters<typeof original>) => {
    const listed = original(...args);
    happens(calls++);
    return listed;
  });
  return { calls: () => calls, restore: () => install(original) };
}
