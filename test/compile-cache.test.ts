import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'skein-compiled-'));
  // An installed package whose program says one word.
  cpSync(resolve('bin'), join(folder, 'bin'), { recursive: true });
  cpSync(resolve('package.json'), join(folder, 'package.json'));
  program('good');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function program(word: string): void {
  const main = join(folder, 'dist/cli/main.js');
  mkdirSync(dirname(main), { recursive: true });
  writeFileSync(main, `process.stdout.write('${word}');\n`);
}

function skein(env: Readonly<Record<string, string>>): string {
  const own = { HOME: join(folder, 'home'), TMPDIR: join(folder, 'tmp'), PATH: process.env.PATH ?? '', ...env };
  for (const each of [own.HOME, own.TMPDIR]) mkdirSync(each, { recursive: true, mode: 0o700 });
  return spawnSync(process.execPath, [join(folder, 'bin/skein.cjs')], { env: own, encoding: 'utf8' }).stdout;
}

const cache = (): string => join(folder, 'home/.cache/skein/compiled');
const isUsed = (): boolean => existsSync(cache()) && readdirSync(cache()).length > 0;

/** Compiled code of one text under the checksum of another: what somebody else could have put there. */
function poison(where: string): void {
  const files = ['evil', 'good'].map((word) => {
    program(word);
    const kept = join(folder, `kept-${word}`);
    skein({ NODE_COMPILE_CACHE: kept });
    const inside = readdirSync(kept, { recursive: true, encoding: 'utf8' });
    const file = inside.find(
      (each) => lstatSync(join(kept, each)).isFile() && readFileSync(join(kept, each)).includes(word),
    );
    return { file, bytes: readFileSync(join(kept, file ?? '')) };
  });
  const [evil, good] = files;
  if (!evil?.file || !good) throw new Error('nothing was compiled');
  good.bytes.copy(evil.bytes, 12, 12, 16);
  mkdirSync(dirname(join(where, evil.file)), { recursive: true });
  writeFileSync(join(where, evil.file), evil.bytes);
}

test('attack B1: compiled code that somebody put into the temporary folder is not run', () => {
  poison(join(folder, 'tmp/node-compile-cache'));
  expect(skein({})).toBe('good');
});

test('attack B1: it would be run where Node is told to believe it', () => {
  poison(join(folder, 'theirs'));
  expect(skein({ NODE_COMPILE_CACHE: join(folder, 'theirs') })).toBe('evil');
});

test('attack B1: compiled code is kept in a folder that only its owner sees', () => {
  expect(skein({})).toBe('good');
  expect(isUsed()).toBe(true);
  expect([cache(), dirname(cache())].map((each) => lstatSync(each).mode & 0o777)).toEqual([0o700, 0o700]);
});

test('attack B1: nothing is made where NODE_DISABLE_COMPILE_CACHE says so', () => {
  expect(skein({ NODE_DISABLE_COMPILE_CACHE: '1' })).toBe('good');
  expect(existsSync(cache())).toBe(false);
});

test.each([
  ['a link', () => symlinkSync(mkdtempSync(join(folder, 'elsewhere-')), cache())],
  ['open to others', () => chmodSync(mkdir(cache()), 0o777)],
  ['open to a group', () => chmodSync(mkdir(cache()), 0o770)],
  ['in a folder that is open to others', () => [mkdir(cache()), chmodSync(dirname(cache()), 0o777)]],
])('attack B1: there is no cache in a folder that is %s', (_, make) => {
  mkdir(dirname(cache()));
  for (const open of [folder, join(folder, 'home'), join(folder, 'home/.cache')]) chmodSync(open, 0o755);
  make();
  expect(skein({})).toBe('good');
  expect(isUsed()).toBe(false);
});

test('attack B1: a group may write into a folder it does not come to', () => {
  chmodSync(mkdir(join(folder, 'home/.cache')), 0o775);
  chmodSync(join(folder, 'home'), 0o700);
  expect(skein({})).toBe('good');
  expect(isUsed()).toBe(true);
});

const isRoot = process.getuid?.() === 0;
test.runIf(isRoot)(`attack B1: root makes no cache in somebody's home${isRoot ? '' : ' (skipped: not root)'}`, () => {
  mkdir(join(folder, 'home'));
  spawnSync('chown', ['1234', join(folder, 'home')]);
  expect(skein({})).toBe('good');
  expect(existsSync(join(folder, 'home/.cache'))).toBe(false);
});

function mkdir(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}
