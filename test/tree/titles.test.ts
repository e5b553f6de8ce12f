import { describe, expect, test } from 'vitest';
import { claudeCode } from '../../src/formats/claude-code/index.ts';
import type { Title } from '../../src/model/index.ts';
import {
  assistant,
  bashEscape,
  boundary,
  caveat,
  claudeTree,
  command,
  compactSummary,
  dialects,
  digestOf,
  type Files,
  factsOf,
  inEveryOrder,
  interruption,
  type Json,
  linesOf,
  meta,
  notification,
  onlySession,
  piAssistant,
  piEntry,
  piHeader,
  piTree,
  piUser,
  stdout,
  summary,
  system,
  teammate,
  toolResult,
  toolUse,
  user,
} from '../kit/transcript.ts';

const TALK: readonly Json[] = [user('u1', null), assistant('a2', 'u1'), user('u3', 'a2'), assistant('a4', 'u3')];
const summaries = (files: Files): Readonly<Record<string, string | null>> =>
  Object.fromEntries(onlySession(claudeTree(files)).threads.map((thread) => [thread.id, thread.summary]));
const titleOf = (lines: readonly object[]): Title | null => onlySession(claudeTree(lines)).title;
const piTitleOf = (...lines: readonly object[]): Title | null => onlySession(piTree(lines)).title;
const custom = (customTitle: string): Json => ({ type: 'custom-title', customTitle, sessionId: 's' });
const generated = (aiTitle: string): Json => ({ type: 'ai-title', aiTitle, sessionId: 's' });
const worktree = (worktreeName: string): Json => ({
  type: 'worktree-state',
  worktreeSession: { worktreeName, worktreePath: `/w/${worktreeName}`, originalCwd: '/r' },
  sessionId: 's',
});
const slug: Json = { slug: 'calm-blue-river' };

test('H16 a summary is found by its leaf in whatever file it stands', () => {
  expect(summaries({ 'main.jsonl': TALK, 'other.jsonl': [summary('a4', 'S')] })).toEqual({ u1: 'S' });
});

test('H16 a summary is found when the line it names comes after the session was looked at', () => {
  const path = 'gone/subagents/agent-1.jsonl';
  const before = [user('y', null, 'go'), summary('x', 'S')];
  const tree = claudeTree({ 'main.jsonl': TALK, [path]: before });
  expect(tree.session('main').threads[0]?.summary).toBeNull();
  tree.add(factsOf(claudeCode, path), linesOf(claudeCode, path, [system('x', 'a4', 'turn_duration')]));
  expect(tree.session('main').threads[0]?.summary).toBe('S');
});

test('H16 a summary is found in its own file too', () => {
  expect(summaries({ 'main.jsonl': [...TALK, summary('a4', 'S')] })).toEqual({ u1: 'S' });
});

test('H16 a summary of a record in the middle is taken when there is none nearer the end', () => {
  expect(summaries({ 'main.jsonl': TALK, 'other.jsonl': [summary('a2', 'S')] })).toEqual({ u1: 'S' });
});

test('H16 of several summaries a thread takes the one nearest its end', () => {
  const files = { 'main.jsonl': TALK, 'b.jsonl': [summary('u3', 'late'), summary('a2', 'early')] };
  expect(summaries(files)).toEqual({ u1: 'late' });
});

test('H16 a thread without a summary has none', () => {
  expect(summaries({ 'main.jsonl': TALK, 'other.jsonl': [summary('gone', 'S')] })).toEqual({ u1: null });
});

test('H16 each branch has its own summary', () => {
  const lines = [user('u1', null), assistant('a2', 'u1'), user('u3a', 'a2'), user('u3b', 'a2')];
  const files = { 'main.jsonl': lines, 'o.jsonl': [summary('u3a', 'A'), summary('u3b', 'B')] };
  expect(summaries(files)).toEqual({ u1: 'A', u3b: 'B' });
});

test('H16 branches share the summary of a record before the fork', () => {
  const lines = [user('u1', null), assistant('a2', 'u1'), user('u3a', 'a2'), user('u3b', 'a2')];
  const files = { 'main.jsonl': lines, 'o.jsonl': [summary('a2', 'S'), summary('u3b', 'B')] };
  expect(summaries(files)).toEqual({ u1: 'S', u3b: 'B' });
});

test('H16 a summary may name any line of an answer', () => {
  const lines = [user('u1', null), assistant('p1', 'u1', 'a', { id: 'm' }), assistant('p2', 'p1', 'b', { id: 'm' })];
  expect(summaries({ 'main.jsonl': lines, 'o.jsonl': [summary('p2', 'S')] })).toEqual({ u1: 'S' });
});

test.each<readonly [string, Json]>([
  ['a result', user('x', 'a1', [toolResult('A')])],
  ['a skipped line', system('x', 'a1', 'turn_duration')],
])('H16 a summary may name %s', (_name, line) => {
  const lines = [user('u1', null), assistant('a1', 'u1', [toolUse('A')]), line];
  expect(summaries({ 'main.jsonl': lines, 'o.jsonl': [summary('x', 'S')] })).toEqual({ u1: 'S' });
});

test('H16 a summary of a record that two files share is that of the session', () => {
  const files = {
    'a.jsonl': [...TALK, summary('a4', 'S')],
    'b.jsonl': [...TALK.map((line) => ({ ...line, sessionId: 'b' })), user('u5', 'a4')],
  };
  expect(summaries(files)).toEqual({ u1: 'S' });
});

test('H16 a summary is no record and in no thread', () => {
  const tree = claudeTree([...TALK, summary('a4', 'S')]);
  expect(tree.records('s')).toEqual(['u1', 'a2', 'u3', 'a4']);
});

test('H16 a summary that is read before its session is found all the same', () => {
  const files = { 'main.jsonl': TALK, 'a.jsonl': [summary('a4', 'A')], 'z.jsonl': [summary('a4', 'Z')] };
  const [expected, ...others] = [...inEveryOrder(claudeCode, files)].map(digestOf);
  for (const digest of others) expect(digest).toBe(expected);
});

const RANKED: readonly (readonly [Title, readonly Json[]])[] = [
  [{ from: 'custom', text: 'given' }, [custom('given')]],
  [{ from: 'generated', text: 'made' }, [generated('made')]],
  [{ from: 'summary', text: 'summed' }, [summary('a4', 'summed')]],
];

describe.each(
  RANKED.map(([title, lines], rank) => ({ title, lines, worse: RANKED.slice(rank + 1).flatMap(([, more]) => more) })),
)('$title.from', ({ title, lines, worse }) => {
  const talk = TALK.map((line) => ({ ...line, ...slug }));

  test('H16 a title goes before every worse one', () => {
    expect(titleOf([...talk, ...lines, ...worse])).toEqual(title);
  });

  test('H16 a title goes before every worse one that was written later', () => {
    expect(titleOf([...lines, ...talk, ...worse])).toEqual(title);
  });
});

test('H16 without a better title it is the first human prompt, before the slug', () => {
  expect(titleOf(TALK.map((line) => ({ ...line, ...slug })))).toEqual({ from: 'prompt', record: 'u1' });
});

test('H16 without a prompt it is the slug', () => {
  expect(titleOf([command('k', null, '/model'), assistant('a1', 'k', 'x', slug)])).toEqual({
    from: 'slug',
    text: 'calm-blue-river',
  });
});

test('U1, H16 with nothing else a mere command is the title', () => {
  expect(titleOf([command('k', null, '/model')])).toEqual({ from: 'anything', records: ['k'] });
});

test('H16 the last custom title counts', () => {
  expect(titleOf([...TALK, custom('one'), custom('two')])).toEqual({ from: 'custom', text: 'two' });
});

test('H16 an empty custom title is none', () => {
  expect(titleOf([...TALK, custom('one'), custom('')])).toEqual({ from: 'custom', text: 'one' });
  expect(titleOf([...TALK, custom('')])).toEqual({ from: 'prompt', record: 'u1' });
});

test('H16 a custom title equal to the name of the worktree is none', () => {
  expect(titleOf([...TALK, worktree('fix-1'), custom('fix-1')])).toEqual({ from: 'prompt', record: 'u1' });
  expect(titleOf([custom('fix-1'), ...TALK, worktree('fix-1')])).toEqual({ from: 'prompt', record: 'u1' });
});

test('H16 another custom title in a worktree counts', () => {
  expect(titleOf([...TALK, worktree('fix-1'), custom('mine'), custom('fix-1')])).toEqual({
    from: 'custom',
    text: 'mine',
  });
});

test('H16 the last generated title counts', () => {
  expect(titleOf([...TALK, generated('one'), generated('two')])).toEqual({ from: 'generated', text: 'two' });
});

test.each<readonly [string, readonly Json[]]>([
  [
    'its output',
    [
      system('r', 'a4', 'local_command', {
        content: '<local-command-stdout>Session renamed to: new name</local-command-stdout>',
      }),
    ],
  ],
  [
    'the command of newer versions',
    [
      system('r', 'a4', 'local_command', {
        content: '<command-name>/rename</command-name>\n<command-args>new name</command-args>',
      }),
    ],
  ],
  ['the command', [command('r', 'a4', '/rename', 'new name')]],
])('H16 /rename gives the title, known by %s', (_name, lines) => {
  expect(titleOf([...TALK, generated('made'), ...lines])).toMatchObject({ text: 'new name' });
});

const NO_PROMPT: readonly (readonly [string, Json])[] = [
  ['a command', command('x', null, '/model')],
  ['a bash escape', bashEscape('x', null)],
  ['an interruption', interruption('x', null)],
  ['a notification', notification('x', null)],
  ['a teammate message', teammate('x', null)],
  ['a caveat', caveat('x', null)],
  ['an injected text', meta('x', null, 'be kind')],
  ['a reminder', user('x', null, '<system-reminder>be kind</system-reminder>')],
  ['an output', stdout('x', null, 'done')],
  ['a memory note', user('x', null, '<user-memory-input>use tabs</user-memory-input>')],
  ['a compaction', boundary('x', null)],
  ['the summary of a compaction', compactSummary('x', null)],
  ['what another agent said', user('x', null, 'hello', { origin: { kind: 'peer', from: 'bob' } })],
  ['a result nobody asked for', user('x', null, [toolResult('gone')])],
  ['the prompt of a sub-agent', user('x', null, 'look', { isSidechain: true, agentId: 'k' })],
];

test.each(NO_PROMPT)('H16 %s is no title', (_name, line) => {
  expect(titleOf([line, user('u1', 'x', 'the prompt')])).toEqual({ from: 'prompt', record: 'u1' });
});

test('H16 the first prompt of a session is that of its first file', () => {
  const root = user('u1', null, 'first');
  const tree = claudeTree({ 'a.jsonl': [user('u2', 'u1', 'second')], 'b.jsonl': [root] });
  expect(onlySession(tree).title).toEqual({ from: 'prompt', record: 'u1' });
});

test('H16 the first prompt stays the title when a copy was continued before the original', () => {
  const old = [user('u1', null, 'first'), assistant('a1', 'u1')];
  const early = user('u2', 'a1', 'in the copy');
  const late = user('u3', 'a1', 'in the original');
  const tree = claudeTree({ 'a.jsonl': [...old, late], 'b.jsonl': [...old, early] });
  expect(onlySession(tree).title).toEqual({ from: 'prompt', record: 'u1' });
});

test('H16 the title of a continuation is that of the session', () => {
  const tree = claudeTree({ 'main.jsonl': TALK, 'cont.jsonl': [user('u5', 'a4'), generated('made')] });
  expect(onlySession(tree).title).toEqual({ from: 'generated', text: 'made' });
});

test.each(dialects)('H16 the first human prompt is the title ($name)', ({ prompt, answer, tree, key }) => {
  const built = tree([prompt('u1', null), answer('a1', 'u1'), prompt('u2', 'a1')]);
  expect(onlySession(built).title).toEqual({ from: 'prompt', record: key('u1') });
});

const PI_TALK = [piUser('u1', null), piAssistant('a1', 'u1')];

test('H16 the name of a Pi session is its title', () => {
  const name = piEntry('session_info', 'i1', 'a1', { name: 'parser rewrite' });
  expect(piTitleOf(piHeader(), ...PI_TALK, name)).toEqual({ from: 'custom', text: 'parser rewrite' });
});

test('H16 the last name of a Pi session counts, on whatever branch it was given', () => {
  const names = [
    piEntry('session_info', 'i1', 'a1', { name: 'one' }),
    piEntry('session_info', 'i2', 'u1', { name: 'two' }),
  ];
  expect(piTitleOf(piHeader(), ...PI_TALK, ...names)).toEqual({ from: 'custom', text: 'two' });
});

test('H16 a title that oh-my-pi made goes after one the user gave', () => {
  const made = piEntry('title_change', 't1', 'a1', { title: 'made', source: 'auto' });
  const given = piEntry('title_change', 't2', 'a1', { title: 'given', source: 'user' });
  expect(piTitleOf(piHeader(), ...PI_TALK, made)).toEqual({ from: 'generated', text: 'made' });
  expect(piTitleOf(piHeader(), ...PI_TALK, given, made)).toEqual({ from: 'custom', text: 'given' });
});

test('H16 the title line before the header of oh-my-pi is its title', () => {
  const title = { type: 'title', v: 1, title: 'parser rewrite', source: 'user', updatedAt: 'x', pad: ' ' };
  expect(piTitleOf(title, piHeader(), ...PI_TALK)).toEqual({ from: 'custom', text: 'parser rewrite' });
});

test('H16 the title in the header of oh-my-pi is its title', () => {
  expect(piTitleOf(piHeader('S', { title: 'parser rewrite' }), ...PI_TALK)).toMatchObject({ text: 'parser rewrite' });
});
