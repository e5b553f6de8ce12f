import { expect, test } from 'vitest';
import { renderChat } from '../../../src/views/text/render-chat.ts';
import { chatOf } from '../../kit/chat.ts';
import {
  assistant,
  boundary,
  command,
  interruption,
  type Json,
  stdout,
  toolResult,
  toolUse,
  user,
} from '../../kit/transcript.ts';

/** Without the times. */
const render = (lines: readonly Json[]): string =>
  [...renderChat(chatOf(lines))]
    .join('')
    .replace(/^\[[^\]]+\] /gm, '')
    .replace(/^ {19}/gm, '  ');

test('H20 one line per item, and what stays in view below what the agent did', () => {
  const text = render([
    user('u1', null, 'Hello'),
    assistant('a1', 'u1', [toolUse('T', 'Read', { file_path: '/r/a' })]),
    user('r1', 'a1', [toolResult('T', 'one')]),
    assistant('a2', 'r1', 'Done.\nReally.'),
  ]);
  expect(text).toBe('User    Hello\nAI      1 tool call · X · 4 tokens · 2s\n  Done.\n  Really.\n');
});

test('H20 commands, compactions and interruptions', () => {
  const tokens = (input: number) => ({ usage: { input_tokens: input, output_tokens: 0 } });
  const text = render([
    command('c1', null, '/cost'),
    stdout('o1', 'c1', 'Total: $1'),
    assistant('a1', 'o1', 'ok', tokens(5000)),
    boundary('b1', 'a1'),
    assistant('a2', 'b1', 'on', tokens(100)),
    interruption('i1', 'a2'),
  ]);
  expect(text.split('\n').filter((line) => !line.startsWith('  '))).toEqual([
    'User    /cost',
    'System  /cost: Total: $1',
    'AI      No items · X · 5,000 tokens · 0s',
    'Compact 5,000 → 100 tokens, phase 2',
    'AI      1 message · X · 100 tokens · 1s · interrupted',
    '',
  ]);
  expect(text).toContain('  ⚠ [Request interrupted by user]');
});

test('H21 escapes in prompts, tool names and results do not reach the terminal', () => {
  const evil = '\u001b]0;title\u0007\u001b[31mred\u202e';
  const text = render([
    user('u1', null, evil),
    assistant('a1', 'u1', [toolUse('T', evil)]),
    user('r1', 'a1', [toolResult('T', evil)]),
  ]);
  for (const sign of ['\u001b', '\u0007', '\u202e']) expect(text).not.toContain(sign);
  expect(text).toContain('red');
});
