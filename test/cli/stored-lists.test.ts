import { appendFileSync, existsSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { writeProjects } from '../../bench/generate/index.ts';
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
home.write('.claude/projects/-q/s2.jsonl', [
  user('v1', null, 'Other project', { cwd: '/q' }),
  assistant('w1', 'v1', 'Yes.'),
  user('v2', 'w1', 'one way'),
  user('v3', 'w1', 'another way'),
]);

const QUERIES = [
  ['sessions', '--json'],
  ['sessions', '--json', '--all-threads', '-p', '/r'],
  ['sessions', '--all-threads', '-p', '/q'],
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
  const gone = JSON.stringify(answers());
  expect(gone).toContain('archived');
  expect(JSON.parse(gone.replaceAll('\\"archived\\":true,', ''))).toEqual(grown);
  expect(home.skein(['sessions']).out).toMatch(/ s1 +\(archived\) Fix the clock /);
  expect(home.skein(['sessions', '--json']).out.match(/"archived"/g)).toHaveLength(1);
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

describe('P4 byte for byte the same from the index as from the files', () => {
  const WHAT = [
    ['sessions', '--json', '--all-threads'],
    ['sessions', '--limit', '500', '--full-ids'],
    ['projects', '--json'],
    ['stats', '--json', '--by', 'session'],
    ['stats', '--csv', '--by', 'day'],
  ];
  /** Days, months and parts of days on which something was said, and others. */
  const rangesIn = (root: string): string[][] => {
    const rows: { started_at: string | null }[] = JSON.parse(
      home.skein(['sessions', '--json', '--root', root]).out,
    ).items;
    const days = [...new Set(rows.flatMap(({ started_at }) => started_at?.slice(0, 10) ?? []))].sort();
    const [first = '2026-01-01', last = first, middle = first] = [days[0], days.at(-1), days[days.length >> 1]];
    return [
      ['--on', middle],
      ['--on', middle.slice(0, 7)],
      ['--since', middle],
      ['--until', middle],
      ['--since', `${middle} 10:00`, '--until', `${middle} 10:30`],
      ['--since', first, '--until', last],
      ['--on', '1999-01-01'],
    ];
  };
  const expectSame = (root: string): void => {
    const ranges = rangesIn(root);
    const queries = [
      ...WHAT,
      ...ranges.flatMap((range) => [
        ['sessions', '--json', ...range],
        ['stats', '--json', '--by', 'session', ...range],
      ]),
    ].map((query) => [...query, '--root', root]);
    const stored = { SKEIN_HOME: join(home.path, `stored-${basename(root)}`) };
    const fromFiles = queries.map((query) => home.skein(query));
    expect(home.skein(['index', '--root', root], stored).code).toBe(0);
    expect(queries.map((query) => home.skein(query, stored))).toEqual(fromFiles);
  };

  const corpus = resolve('../shared/corpus/claude-code/projects');
  test.skipIf(!existsSync(corpus))('on the corpus, in every range', () => expectSame(corpus), 120_000);

  test('on a generated history, in every range', () => {
    const root = join(home.path, 'generated/projects');
    writeProjects(root, { bytes: 3_000_000, seed: 7, files: 40 });
    expectSame(root);
  }, 120_000);
});
