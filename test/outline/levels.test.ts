import { describe, expect, test } from 'vitest';
import {
  assistant,
  attachment,
  bashEscape,
  boundary,
  command,
  commandText,
  compactSummary,
  interruption,
  type Json,
  meta,
  notification,
  piAssistant,
  piEntry,
  piHeader,
  piUser,
  queue,
  queuedCommand,
  stdout,
  system,
  teammate,
  toolUse,
  user,
} from '../kit/transcript.ts';
import { claudeOutline, piOutline, shapeOf } from './view.ts';

const first = [user('u1', null), assistant('a1', 'u1')];

/** O1 as a table: lines after a prompt and an answer, the id of the node they make, its type and level. */
const LEVELS: readonly (readonly [what: string, lines: readonly Json[], id: string, type: string, level: number])[] = [
  ['the session', [], 'session-s', 'session', 0],
  ['a prompt', [], 'u1', 'user', 1],
  ['an answer', [], 'a1', 'assistant', 2],
  ['a user-defined command', [command('c1', 'a1', '/mine'), meta('m1', 'c1', 'Do this')], 'c1', 'command', 1],
  ['a shell command', [bashEscape('b1', 'a1')], 'b1', 'bash', 1],
  ['a queued prompt', [queuedCommand('q1', 'a1', 'also this')], 'q1', 'user', 1],
  ['a compaction', [boundary('k1', 'a1'), compactSummary('k2', 'k1')], 'k1', 'compaction', 1],
  ['a thought', [assistant('t1', 'a1', [{ type: 'thinking', thinking: 'hm' }])], 't1', 'thinking', 2],
  ['a built-in command', [command('c1', 'a1', '/model'), stdout('o1', 'c1', 'set')], 'c1', 'command', 2],
  ['an interruption', [interruption('i1', 'a1')], 'i1', 'interruption', 2],
  ['a teammate', [teammate('m1', 'a1')], 'm1', 'teammate', 2],
  ['a system line without a level', [system('y1', 'a1', 'note', { content: 'x' })], 'y1', 'system', 2],
  ['a system error', [system('y1', 'a1', 'note', { content: 'x', level: 'error' })], 'y1', 'system', 2],
  ['a system error without text', [system('y1', 'a1', 'api_error', { level: 'error' })], 'y1', 'system', 2],
  ['a system info', [system('y1', 'a1', 'note', { content: 'x', level: 'info' })], 'y1', 'system', 3],
  ['a system warning', [system('y1', 'a1', 'note', { content: 'x', level: 'warning' })], 'y1', 'system', 3],
  ['a suggestion', [system('y1', 'a1', 'note', { content: 'x', level: 'suggestion' })], 'y1', 'system', 3],
  ['a tool', [assistant('t1', 'a1', [toolUse('T')])], 't1', 'tool', 3],
  ['a hook that failed', [attachment('h1', 'a1', { type: 'hook_blocking_error' })], 'h1', 'hook', 3],
  ['a notification', [notification('n1', 'a1')], 'n1', 'notification', 3],
];

describe('O1 levels', () => {
  test.each(LEVELS)('%s', (_what, lines, id, type, level) => {
    const { at } = claudeOutline([...first, ...lines]);
    expect(at(id)).toMatchObject({ type, level });
  });

  test('a prompt that still waits at the end stands on the level of prompts', () => {
    const { all } = claudeOutline([...first, queue('enqueue', 'later')]);
    expect(all.at(-1)).toMatchObject({ type: 'user', level: 1, text: 'later' });
  });

  test('the summary of a branch', () => {
    const { at } = piOutline([
      piHeader('S'),
      piUser('u1', null),
      piEntry('branch_summary', 'x1', 'u1', { summary: 'before', fromId: 'u1' }),
      piAssistant('a1', 'x1'),
    ]);
    expect(at('S/x1')).toMatchObject({ type: 'branch_summary', level: 1 });
  });

  test('O1 an error before the first record stands below the session; what else stands there only on request', () => {
    const lines = [
      system('y0', null, 'api_error', { content: 'boom', level: 'error' }),
      attachment('h0', 'y0', { type: 'skill_listing', content: 'x' }),
      user('u1', 'h0'),
    ];
    expect(shapeOf(claudeOutline(lines).outline.root)).toBe('session-s(y0 u1)');
    expect(claudeOutline(lines).at('y0')).toMatchObject({ type: 'system', level: 2, text: 'boom' });
    expect(shapeOf(claudeOutline(lines, { verbose: true }).outline.root)).toBe('session-s(y0(h0) u1)');
  });

  test('other annotations only on request', () => {
    const lines = [...first, attachment('h1', 'a1', { type: 'skill_listing', content: 'x' })];
    expect(claudeOutline(lines).all.map(({ id }) => id)).toEqual(['session-s', 'u1', 'a1']);
    expect(claudeOutline(lines, { verbose: true }).at('h1')).toMatchObject({ type: 'annotation', level: 3 });
  });

  test('an answer without a prompt stands below the session, a prompt never below an answer', () => {
    const { outline } = claudeOutline([assistant('a1', null), user('u1', 'a1'), assistant('a2', 'u1')]);
    expect(shapeOf(outline.root)).toBe('session-s(a1 u1(a2))');
  });

  test('a prompt of a command that was expanded is part of the command', () => {
    const { at } = claudeOutline([...first, user('c1', 'a1', commandText('/mine')), meta('m1', 'c1', 'Do this')]);
    expect(at('c1').aliases).toContain('m1');
  });
});

describe('O1 branches', () => {
  const forked = [
    user('u1', null),
    assistant('a1', 'u1'),
    user('u2', 'a1', 'left'),
    assistant('a2', 'u2'),
    user('u3', 'a1', 'right'),
    assistant('a3', 'u3'),
    user('u4', 'a3', 'right left'),
    assistant('a4', 'u4'),
    user('u5', 'a3', 'right right'),
    assistant('a5', 'u5'),
  ];

  test('a nested branch is below the branch it forks from, what comes before the first fork below the session', () => {
    const { outline, at } = claudeOutline(forked);
    expect(shapeOf(outline.root)).toBe(
      'session-s(u1(a1) branch-u2(u2(a2)) branch-u3(u3(a3) branch-u4(u4(a4)) branch-u5(u5(a5))))',
    );
    expect(at('branch-u3').level).toBe(0.5);
    expect(at('branch-u5').level).toBeGreaterThan(0.5);
    expect(at('branch-u5').level).toBeLessThan(1);
    expect(at('branch-u3').text).toBe('right');
  });

  test('O8 the branches on the way to the default thread are open', () => {
    expect(claudeOutline(forked).outline.openBranches).toEqual(['branch-u3', 'branch-u5']);
  });

  test('a hundred rewinds, each within the last, keep their places', () => {
    const lines: Json[] = [user('u', null), assistant('a', 'u')];
    let last = 'a';
    for (let i = 0; i < 100; i++) {
      lines.push(user(`x${i}`, last), assistant(`y${i}`, `x${i}`), user(`p${i}`, last), assistant(`q${i}`, `p${i}`));
      last = `q${i}`;
    }
    const { at } = claudeOutline(lines);
    expect(at('branch-p99').ancestry.at(-1)).toBe('branch-p98');
    expect(at('q99').ancestry).toEqual([...at('branch-p99').ancestry, 'branch-p99', 'p99']);
  });
});

describe('O1 C6 sub-agents that no call is known of', () => {
  const side = { isSidechain: true, agentId: 'x' };
  const agent = [user('x1', null, 'look', side), assistant('x2', 'x1', 'seen', side)];
  const shapeWith = (lines: readonly Json[]): string =>
    shapeOf(claudeOutline({ 's.jsonl': lines, 's/subagents/agent-x.jsonl': agent }).outline.root);

  test('O1 C6 each stands on the session, not below the last call', () => {
    const lines = [user('u1', null), assistant('a1', 'u1', [toolUse('T', 'Bash')])];
    expect(shapeWith(lines)).toBe('session-s(u1(a1) subagent-x(x1 x2))');
  });

  test('O1 C6 and not below the last branch', () => {
    const forked = [...first, user('u2', 'a1'), assistant('a2', 'u2'), user('u3', 'a1'), assistant('a3', 'u3')];
    expect(shapeWith(forked)).toBe('session-s(u1(a1) branch-u2(u2(a2)) branch-u3(u3(a3)) subagent-x(x1 x2))');
  });
});
