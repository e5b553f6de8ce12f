import { appendFileSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BIN, type Home, openHome } from '../kit/home.ts';
import { hasTmux, openTerminal } from '../kit/tmux.ts';
import { user } from '../kit/transcript.ts';

let home: Home;
let log: string;
beforeEach(() => {
  home = openHome();
  log = home.write('.claude/projects/-r/s1.jsonl', [user('u1', null, 'First', { cwd: '/r' })]);
  home.write('.claude/projects/-r/s2.jsonl', [user('v1', null, 'Second', { cwd: '/r' })]);
  home.skein(['index']);
});
afterEach(() => home.remove());

const counts = () => join(home.path, 'counts.json');

/** Bytes of logs that `skein index` read. */
function bytesRead(): number {
  const env = { NODE_OPTIONS: `--import=${resolve('test/kit/count-reads-child.ts')}`, COUNT_READS: counts() };
  expect(home.skein(['index'], env)).toEqual({ out: '', err: '', code: 0 });
  return Object.values(JSON.parse(readFileSync(counts(), 'utf8')) as Record<string, number>).reduce((a, b) => a + b, 0);
}

/** From the index, and from the files alone; the index must be up to date. */
function listed(): string {
  const args = ['sessions', '--json', '--all-threads'];
  const stored = home.skein(args).out;
  expect(stored).toBe(home.skein(args, { SKEIN_HOME: join(home.path, 'nothing') }).out);
  expect(bytesRead()).toBe(0);
  return stored;
}

test('M11 with nothing new no byte of a log is read, not even to tell which project it belongs to', () => {
  expect(bytesRead()).toBe(0);
  expect(bytesRead()).toBe(0);
  appendFileSync(log, `${JSON.stringify(user('u2', 'u1', 'More'))}\n`);
  expect(bytesRead()).toBeGreaterThan(0);
  expect(bytesRead()).toBe(0);
});

test('M9 a file that was rewritten and is longer now is indexed anew', () => {
  const more = [user('n1', null, 'Something else, which is longer', { cwd: '/r' }), user('n2', 'n1', 'x'.repeat(500))];
  home.write('.claude/projects/-r/s1.jsonl', more);
  home.skein(['index']);
  expect(listed()).toContain('Something else');
  expect(listed()).not.toContain('First');
});

test('M9 a file that was only touched is up to date again', () => {
  utimesSync(log, 1e9, 1e9);
  home.skein(['index']);
  expect(listed()).toContain('First');
});

test('M8 a file that was never archived and is gone is in no list', () => {
  writeFileSync(join(home.path, '.local/share/skein/exclude'), '*/s3.jsonl\n');
  const third = home.write('.claude/projects/-r/s3.jsonl', [user('w1', null, 'Third', { cwd: '/r' })]);
  home.skein(['index']);
  rmSync(third);
  home.skein(['index']);
  const { out } = home.skein(['sessions', '--json']);
  expect(out).toContain('Second');
  expect(out).not.toContain('Third');
});

test('M7 an index over two roots says of one of them what lies there', () => {
  const other = join(home.path, 'other/projects');
  home.write('other/projects/-r/s9.jsonl', [user('z1', null, 'Elsewhere', { cwd: '/r' })]);
  const both = ['--root', join(home.path, '.claude/projects'), '--root', other];
  home.skein(['index', ...both]);
  expect(home.skein(['sessions', '--json', ...both]).out).toContain('Elsewhere');
  expect(home.skein(['sessions', '--json', '--root', other]).out).not.toContain('First');
  expect(home.skein(['sessions', '--json']).out).not.toContain('Elsewhere');
});

test.each([[['index']], [['index', '--verify']]])(
  'M7 nothing is left open: no log of SQLite stays after %j',
  (args) => {
    rmSync(log);
    appendFileSync(join(home.path, '.claude/projects/-r/s2.jsonl'), `${JSON.stringify(user('v2', 'v1', 'More'))}\n`);
    expect(home.skein(args)).toEqual({ out: '', err: '', code: 0 });
    const files = readdirSync(join(home.path, '.local/share/skein'));
    expect(files).toContain('archive.db');
    expect(files.filter((name) => /-(?:wal|shm)$/.test(name))).toEqual([]);
    expect(home.skein(['sessions', '--json']).out).toContain('First');
  },
);

test.skipIf(!hasTmux)('M11 who watches with nothing new is told that everything was looked at', async () => {
  const terminal = openTerminal([process.execPath, BIN, 'index', '--watch'], { cwd: home.path, env: home.env });
  expect(await terminal.shows(/read in/)).toMatch(/^2 files: nothing new\. /);
  terminal.close();
});
