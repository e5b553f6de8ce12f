import { appendFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openHome } from '../kit/home.ts';
import { assistant, toolResult, toolUse, user } from '../kit/transcript.ts';

const home = openHome();
afterAll(() => home.remove());
const path = home.write('.claude/projects/-r/s1.jsonl', [
  user('u1', null, 'Fix the clock', { cwd: '/r' }),
  assistant('a1', 'u1', [toolUse('T', 'Bash', { command: 'ls' })]),
  user('r1', 'a1', [toolResult('T', 'clock.ts')]),
  assistant('a2', 'r1', 'Done.'),
]);
home.write('.claude/projects/-q/s2.jsonl', [user('v1', null, 'Other project', { cwd: '/q' })]);

const QUERIES = [
  ['sessions', '--json'],
  ['sessions', '--json', '--all-threads', '-p', '/r'],
  ['sessions', '--json', '--on', '2026-01-01'],
  ['sessions', '--json', '--since', '2025-12-01', '--until', '2026-01-01'],
  ['sessions', '--json', '--since', '2026-01-01 00:00', '--until', '2026-01-01 00:01'],
  ['stats', '--json', '--by', 'session', '--until', '2026-01-01'],
  ['projects', '--json'],
  ['stats', '--json', '--by', 'session'],
  ['stats', '--json', '--by', 'model'],
];
const answers = (): unknown[] => QUERIES.map((args) => home.skein(args));
const index = (): string => join(home.path, '.local/share/skein/index.db');

test('M6 lists say the same from the index as from the files, before and after a log grows and goes', () => {
  const fromFiles = answers();
  expect(home.skein(['index']).code).toBe(0);
  expect(existsSync(index())).toBe(true);
  expect(answers()).toEqual(fromFiles);
  appendFileSync(path, `${JSON.stringify(user('u2', 'a2', 'And the tests'))}\n`);
  const grown = answers();
  expect(grown).not.toEqual(fromFiles);
  home.skein(['index']);
  expect(answers()).toEqual(grown);
  rmSync(path);
  home.skein(['index']);
  expect(answers()).toEqual(grown);
});

test('M7 an index that is damaged is as good as none, and made again', () => {
  const before = answers();
  home.write('.local/share/skein/index.db', 'not a database, but long enough to be looked at'.repeat(100));
  expect(answers()).toEqual(before);
  expect(home.skein(['index']).code).toBe(0);
  expect(answers()).toEqual(before);
});

test('M8 what is forgotten is in no list', () => {
  home.skein(['forget', 's1', '--yes']);
  expect(existsSync(index())).toBe(false);
  home.skein(['index']);
  expect(home.skein(['sessions', '--json']).out).not.toContain('s1');
});
