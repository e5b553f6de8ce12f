import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assistant, attachment, boundary, compactSummary, toolResult, toolUse, user } from '../kit/transcript.ts';

const BIN = resolve('bin/skein.cjs');
let home = '';

const at = (minute: number) => ({ timestamp: `2026-01-07T10:${minute}:00.000Z` });
const usage = (input: number) => ({ usage: { input_tokens: input, output_tokens: 15 } });

const LINES = [
  user('u1-first', null, 'Fix the \u001b[31mred\u001b[0m test', at(10)),
  assistant('a1', 'u1-first', [toolUse('T', 'Read', { file_path: '/r/a.ts' })], { ...at(11), ...usage(20_000) }),
  user('r1', 'a1', [toolResult('T', 'x'.repeat(400))], at(12)),
  assistant('a2', 'r1', 'Done.', { ...at(13), ...usage(20_200) }),
  boundary('b1', 'a2', at(14)),
  compactSummary('s1', 'b1'),
  user('u2-second', 's1', 'And now?', at(15)),
  assistant('a3', 'u2-second', 'Nothing.', { ...at(16), ...usage(9000) }),
];

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'skein-context-'));
  mkdirSync(join(home, '.claude/projects/-r'), { recursive: true });
  writeFileSync(join(home, '.claude/projects/-r/s1.jsonl'), LINES.map((line) => `${JSON.stringify(line)}\n`).join(''));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const context = (...args: readonly string[]) => skein('context', 's1', ...args);

function skein(...args: readonly string[]) {
  const env = { PATH: process.env.PATH, HOME: home, TZ: 'UTC' };
  const { stdout, stderr, status } = spawnSync(process.execPath, [BIN, ...args], {
    encoding: 'utf8',
    env,
  });
  return { out: stdout, err: stderr, code: status };
}

test('P3 context says what is in the window at a record, by category and in order', () => {
  expect(context('--at', 'a2').out).toBe(`The window after a2, 2026-01-07 10:13
phase 1 of 2 · X

CATEGORY           TOKENS  SHARE
CLAUDE.md files         0    0 %
Mentioned files         0    0 %
Tool outputs          107    1 %
Task coordination       0    0 %
User messages           7    0 %
Thinking and text       2    0 %
System and hooks        0    0 %
Not attributed     20,086   99 %

116 tokens estimated in 4 messages.
20,200 reported for response a2:
114 attributed, 20,086 not.

TOKENS  CATEGORY           KIND    RECORD    WHAT
     7  User messages      text    u1-first  Fix the red test
     7  Tool outputs       call    a1        Read /r/a.ts
   100  Tool outputs       result  a1        Read /r/a.ts
     2  Thinking and text  text    a2        Done.
`);
});

test('P3 context shows the end of the thread unless told otherwise', () => {
  const { out } = context();
  expect(out).toContain('The window after a3, 2026-01-07 10:16');
  expect(out).toContain('phase 2 of 2, after a compaction (20,215 → 9,015 tokens)');
  expect(out).toContain('summary of what was said before');
  expect(out).not.toContain('Fix the red test');
});

test('P4 context as JSON', () => {
  const json = JSON.parse(context('--json', '--at', 'u2').out);
  expect(json).toMatchObject({
    session_id: 's1',
    thread_id: 'u1-first',
    record_uuid: 'u2-second',
    timestamp: '2026-01-07T10:15:00.000Z',
    phase: 2,
    model: 'claude-x',
    tokens: { estimated: 24, window: null, reported: null, not_attributed: null },
    categories: { user_messages: 2, system: 22, tool_outputs: 0 },
    phases: [
      { number: 1, begins: 'start', record_uuid: 'u1-first', tokens_before: null },
      { number: 2, begins: 'compaction', record_uuid: 'b1', tokens_before: 20_215, tokens_after: 9015 },
    ],
    messages: [
      { record_uuid: 'b1', role: 'user', parts: [{ type: 'summary', category: 'system', tokens: 22 }] },
      { record_uuid: 'u2-second', role: 'user', tokens: 2 },
    ],
  });
});

test.each([
  ['nowhere', "skein: No record found matching 'nowhere'\n"],
  ['u', "skein: Ambiguous record 'u'. Matches:\n  - u1-first  user\n  - u2-second  user\n"],
])('H22 a record that %s does not name is told', (name, message) => {
  expect(context('--at', name)).toEqual({ out: '', err: message, code: 1 });
});

test('C15 the chat counts what a hook said before the first prompt, as the context does', () => {
  const hook = { type: 'hook_success', hookName: 'SessionStart:startup', content: 'x'.repeat(400) };
  const lines = [attachment('h1', null, hook), user('u1', 'h1'), assistant('a1', 'u1', 'Hi', usage(500))];
  const file = join(home, 's2.jsonl');
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const { tokens } = JSON.parse(skein('context', file, '--json').out);
  const { items } = JSON.parse(skein('show', file, '--as', 'chat').out);
  const { context: group } = items.at(-1).group;
  expect(group.total.system).toBe(100);
  expect(group.not_attributed).toBe(tokens.not_attributed);
});
