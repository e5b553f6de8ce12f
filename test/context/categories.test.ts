import { describe, expect, test } from 'vitest';
import { sumTokens } from '../../src/context/index.ts';
import {
  assistant,
  attachment,
  bashEscape,
  command,
  meta,
  notification,
  queue,
  system,
  teammate,
  toolResult,
  toolUse,
  user,
} from '../kit/transcript.ts';
import { claudeContext, tell } from './view.ts';

const text = (tokens: number): string => 'word'.repeat(tokens);
const usage = (input: number, cacheRead = 0, cacheWrite = 0) => ({
  input_tokens: input,
  output_tokens: 15,
  cache_read_input_tokens: cacheRead,
  cache_creation_input_tokens: cacheWrite,
});

describe('C15: what is in the window', () => {
  test('C15 each response says what came in since the one before, and what it added itself', () => {
    const { view } = claudeContext([
      user('u1', null, text(10)),
      assistant('a1', 'u1', [{ type: 'thinking', thinking: text(2) }, toolUse('T', 'Read', { file_path: '/r/a.ts' })]),
      user('r1', 'a1', [toolResult('T', text(100))]),
      assistant('a2', 'r1', text(7)),
      user('u2', 'a2', text(3)),
    ]);
    const [first, second] = view.responses;
    expect(tell(first?.added ?? [])).toEqual(['u1 text user_messages 10']);
    expect(tell(first?.answer ?? [])).toEqual(['a1 thinking thinking_and_text 2', 'a1 call tool_outputs 7']);
    expect(second?.added).toMatchObject([
      { record: 'a1', call: 'T', label: 'Read /r/a.ts', tokens: 100, role: 'tool' },
    ]);
    expect(second?.total).toMatchObject({ user_messages: 10, tool_outputs: 107, thinking_and_text: 2 });
    expect(tell(view.phases[0]?.rest ?? [])).toEqual(['u2 text user_messages 3']);
  });

  test('C15 the final answer counts as thinking and text', () => {
    const { view } = claudeContext([user('u1', null, text(10)), assistant('a1', 'u1', text(7))]);
    expect(view.phases[0]?.total).toMatchObject({ user_messages: 10, thinking_and_text: 7 });
  });

  test('C15 the total is held against what the response reports, and the difference is told', () => {
    const { view } = claudeContext([
      user('u1', null, text(10)),
      assistant('a1', 'u1', text(7), { usage: usage(3, 12_000, 500) }),
    ]);
    expect(view.responses[0]).toMatchObject({ reported: 12_503, notAttributed: 12_493 });
  });

  test('C15 a response that reports nothing is held against nothing', () => {
    const { view } = claudeContext([user('u1', null), assistant('a1', 'u1', 'limit', { usage: usage(0) })]);
    expect(view.responses[0]).toMatchObject({ reported: null, notAttributed: null });
  });

  test.each([
    ['a prompt', user('x', 'u1', text(5)), 'user_messages'],
    ['a shell escape', bashEscape('x', 'u1'), 'user_messages'],
    ['a command', command('x', 'u1', '/deploy', 'now'), 'user_messages'],
    ['a message of a teammate', teammate('x', 'u1'), 'task_coordination'],
    ['a notification', notification('x', 'u1'), 'task_coordination'],
    ['a call of a team tool', assistant('x', 'u1', [toolUse('T', 'SendMessage', { to: 'bob' })]), 'task_coordination'],
    ['another call', assistant('x', 'u1', [toolUse('T', 'Bash', { command: 'ls' })]), 'tool_outputs'],
    ['an answer', assistant('x', 'u1', 'done'), 'thinking_and_text'],
    ['an interruption', user('x', 'u1', [{ type: 'text', text: '[Request interrupted by user]' }]), 'system'],
    ['a reminder', user('x', 'u1', '<system-reminder>be kind</system-reminder>'), 'system'],
    [
      'what a hook adds',
      attachment('x', 'u1', { type: 'hook_additional_context', hookName: 'Stop', content: ['more'] }),
      'system',
    ],
    [
      'a file named with @',
      attachment('x', 'u1', {
        type: 'file',
        filename: '/r/a.ts',
        content: { type: 'text', file: { filePath: '/r/a.ts', content: text(50) } },
      }),
      'mentioned_files',
    ],
    [
      'a memory file of a folder',
      attachment('x', 'u1', {
        type: 'nested_memory',
        path: '/r/src/CLAUDE.md',
        content: { path: '/r/src/CLAUDE.md', type: 'Project', content: text(50) },
      }),
      'claude_md',
    ],
    [
      'memory files in a reminder',
      user('x', 'u1', '<system-reminder># claudeMd\nContents of /r/CLAUDE.md (project):\nuse tabs</system-reminder>'),
      'claude_md',
    ],
  ])('C15 %s counts once, in its category', (_what, line, category) => {
    const before = claudeContext([user('u1', null, 'go')]).at().categories;
    const { categories } = claudeContext([user('u1', null, 'go'), line]).at();
    const grown = Object.entries(categories).filter(([name, tokens]) => tokens !== before[name as keyof typeof before]);
    expect(grown.map(([name]) => name)).toEqual([category]);
  });

  test('C15 nothing is invented: a memory file that the log does not show counts 0', () => {
    const { categories } = claudeContext([user('u1', null, 'read CLAUDE.md'), assistant('a1', 'u1')]).at();
    expect(categories.claude_md).toBe(0);
  });

  test('C15 files in one reminder are told apart', () => {
    const reminder = `<system-reminder>\nContents of /h/.claude/CLAUDE.md (user):\n${text(10)}\nContents of /r/CLAUDE.md (project):\n${text(20)}</system-reminder>`;
    const { messages } = claudeContext([user('u1', null, `${reminder}\nhello`)]).at();
    const parts = messages.flatMap((message) => message.parts);
    expect(parts.map(({ label }) => label)).toEqual(['/h/.claude/CLAUDE.md', '/r/CLAUDE.md', 'hello']);
  });

  test.each([
    ['what took how long', system('x', 'u1', 'turn_duration', { durationMs: 5 })],
    [
      'a hook that only went well',
      attachment('x', 'u1', { type: 'hook_success', hookName: 'PostToolUse:Edit', content: text(9) }),
    ],
    ['a prompt that still waits', queue('enqueue', text(9))],
  ])('C15 %s is not in the window', (_what, line) => {
    expect(claudeContext([user('u1', null, 'go'), line]).at('u1').tokens).toBe(1);
    expect(sumTokens(claudeContext([user('u1', null, 'go'), line]).at().categories)).toBe(1);
  });

  test('C15 a result that stands in a line with what the human says counts once', () => {
    const { categories } = claudeContext([
      assistant('a1', null, [toolUse('T', 'Read', {})]),
      user('r1', 'a1', [toolResult('T', text(100)), { type: 'text', text: text(5) }]),
    ]).at();
    expect(categories).toMatchObject({ tool_outputs: 102, user_messages: 5 });
  });

  test('C15 a picture counts as one, wherever its bytes stand', () => {
    const data = Buffer.from(Array.from({ length: 30_000 }, (_, i) => (i * 7919) % 251)).toString('base64');
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } };
    const { categories } = claudeContext([
      user('u1', null, [image]),
      assistant('a1', 'u1', [toolUse('T', 'Read', {})]),
      user('r1', 'a1', [toolResult('T', [image])]),
    ]).at();
    expect(categories.user_messages).toBe(1200);
    expect(categories.tool_outputs).toBeGreaterThan(1200);
    expect(categories.tool_outputs).toBeLessThan(1250);
  });

  test('C15 the text of a skill belongs to its call', () => {
    const { categories } = claudeContext([
      assistant('a1', null, [toolUse('T', 'Skill', { skill: 'pdf' })]),
      user('r1', 'a1', [toolResult('T', 'Launching skill: pdf')]),
      meta('m1', 'r1', text(200), { sourceToolUseID: 'T' }),
    ]).at();
    expect(categories).toMatchObject({ user_messages: 0, system: 0 });
    expect(categories.tool_outputs).toBeGreaterThan(200);
  });
});
