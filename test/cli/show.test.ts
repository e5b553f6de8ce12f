import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assistant, type Json, toolResult, toolUse, user } from '../kit/transcript.ts';

const BIN = resolve('bin/skein.cjs');
let home = '';

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'skein-show-'));
  mkdirSync(join(home, '.claude/projects/-r'), { recursive: true });
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const at = (minute: number): Json => ({ timestamp: `2025-01-07T10:${minute}:00.000Z` });

/** What `skein show s1` prints for a session of these lines. */
function show(lines: readonly Json[], ...args: readonly string[]): string {
  writeFileSync(join(home, '.claude/projects/-r/s1.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const env = { PATH: process.env.PATH, HOME: home, TZ: 'Asia/Tokyo' };
  const { stdout, stderr } = spawnSync(process.execPath, [BIN, 'show', 's1', ...args], {
    encoding: 'utf8',
    env,
    maxBuffer: 64e6,
  });
  return stdout + stderr;
}

test('H20 a prompt, an answer and a call with its result, in local time', () => {
  const text = show([
    user('u1', null, 'Hello world', at(30)),
    assistant('a1', 'u1', 'Hi there!', at(31)),
    assistant('a2', 'a1', [toolUse('T', 'Read', { file_path: '/r/file.txt' })], at(31)),
    user('r1', 'a2', [toolResult('T', 'one\ntwo\nthree\nfour')], at(32)),
  ]);
  expect(text).toBe(`[2025-01-07 19:30] <User> Hello world

[2025-01-07 19:31] <Assistant> Hi there!

[2025-01-07 19:31] <Assistant> Read(file.txt)
  ⎿  one
     two
     three
     … +1 line
`);
});

test('H21 errors begin with Error, long commands are cut at their first line', () => {
  const text = show([
    assistant('a1', null, [toolUse('T', 'Bash', { command: 'echo a &&\necho b' })], at(30)),
    user('r1', 'a1', [toolResult('T', 'Exit code 1', true)], at(31)),
  ]);
  expect(text).toBe('[2025-01-07 19:30] <Assistant> Bash(echo a &&…)\n  ⎿  Error: Exit code 1\n');
});

test('H21 terminal escapes, bells and direction marks do not reach the terminal', () => {
  const text = show([user('u1', null, 'a\u001b[31mred\u001b[0m\u001b]0;title\u0007 b\u202e c\u0007', at(30))]);
  expect(text).toBe('[2025-01-07 19:30] <User> ared b c␇\n');
});

test('H15 the active thread is shown, and another by its first record', () => {
  const lines = [
    user('u1', null, 'start', at(30)),
    assistant('a1', 'u1', 'ok', at(31)),
    user('u2', 'a1', 'first way', at(32)),
    assistant('a2', 'u2', 'done', at(33)),
    user('u3', 'a1', 'second way', at(40)),
  ];
  expect(show(lines)).toContain('second way');
  expect(show(lines)).not.toContain('first way');
  expect(show(lines, '--thread', 'u1')).toContain('first way');
  expect(show(lines, '--thread', 'zz')).toContain("No thread found matching 'zz'");
});

test('H21 a result of one line of a megabyte is cut', () => {
  const text = show([
    assistant('a1', null, [toolUse('T', 'Bash', { command: 'cat' })], at(30)),
    user('r1', 'a1', [toolResult('T', 'z'.repeat(1_000_000))], at(31)),
  ]);
  expect(text).toBe(`[2025-01-07 19:30] <Assistant> Bash(cat)\n  ⎿  ${'z'.repeat(500)}…\n`);
});

test('a session of many megabytes goes through a pipe whole and in order', () => {
  const lines = Array.from({ length: 1500 }, (_, i) =>
    user(`u${i}`, i === 0 ? null : `u${i - 1}`, `${i} ${'x'.repeat(3000)}`, at(30)),
  );
  const numbers = show(lines).match(/(?<=<User> )\d+(?= x{3000}$)/gm);
  expect(numbers).toEqual(lines.map((_, i) => `${i}`));
}, 30_000);
