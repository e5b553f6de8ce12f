import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, realpathSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempFolder } from './kit/temp.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const pkg = JSON.parse(read('package.json'));

test('P5: the lock file names no download address', () => {
  expect(read('package-lock.json')).not.toMatch(/"resolved"|https?:\/\/[^"]*\.tgz/);
});

test('P5: the lock file lets every dependency install under an older Node (`npm run lock` makes it so)', () => {
  const entries = Object.entries<{ engines?: unknown }>(JSON.parse(read('package-lock.json')).packages);
  expect(entries.flatMap(([location, entry]) => (location && entry.engines ? [location] : []))).toEqual([]);
});

describe('P5: the launcher', () => {
  test.each(['18.20.8', '20.20.2', '22.21.1'])('says in one line what it needs under Node %s', (version) => {
    const { status, stdout, stderr } = launchUnder(version);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^skein needs Node\.js 22\.22 or newer, this is [\d.]+\. .+\n$/);
    expect(stderr).toContain(version);
  });

  test.each(['22.22.0', '24.0.0'])('lets Node %s through', (version) => {
    expect(launchUnder(version).stderr).not.toContain('skein needs');
  });

  function launchUnder(version: string) {
    const launcher = JSON.stringify(join(root, pkg.bin.skein));
    const script = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });
      process.argv.push(${launcher}, '--version'); require(${launcher});`;
    return spawnSync('node', ['--eval', script], { encoding: 'utf8' });
  }
});

test('P5: every entry point of the package is built from a file of src', () => {
  const targets = Object.values<{ types: string; default: string }>(pkg.exports).flatMap((entry) => [
    entry.default.replace(/\.js$/, ''),
    entry.types.replace(/\.d\.ts$/, ''),
  ]);
  const sources = targets.map((target) => target.replace('./dist/', 'src/')).map((target) => `${target}.ts`);
  expect(sources.filter((source) => !existsSync(join(root, source)))).toEqual([]);
});

test('P5: every entry point is in the package that npm packs, with its types', () => {
  const folder = tempFolder();
  const needed = [
    ...pkg.files,
    'package.json',
    'scripts',
    'src',
    'tsconfig.base.json',
    'tsconfig.build.json',
    'tsconfig.json',
  ];
  for (const name of needed) if (name !== 'dist') cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(realpathSync(join(root, 'node_modules')), join(folder, 'node_modules'));
  const words = ['pack', '--dry-run', '--json', '--offline'];
  const { status, stdout, stderr } = spawnSync('npm', words, { cwd: folder, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  const packed = [...stdout.matchAll(/"path": "(.+)"/g)].map((match) => match[1]);
  const targets = Object.values<Record<string, string>>(pkg.exports).flatMap((entry) => Object.values(entry));
  expect(
    [pkg.bin.skein, ...targets].map((target) => join(target)).filter((target) => !packed.includes(target)),
  ).toEqual([]);
}, 180_000);

test('P5: .ci/run runs the test command of the README', () => {
  const blocks = [...read('README.md').matchAll(/^```\w*\n(.*?)^```/gms)].map((match) => match[1] ?? '');
  const lines = blocks.flatMap((block) => block.split('\n')).map((line) => line.trim());
  expect(lines).toContain('npm ci && npm test');
  expect(read('.ci/run').trimEnd().split('\n').at(-1)).toBe('npm ci && npm test');
  expect(statSync(join(root, '.ci/run')).mode & 0o111).not.toBe(0);
});
