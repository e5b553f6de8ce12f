import { describe, expect, test } from 'vitest';
import { claudeCode } from '../../src/formats/claude-code/index.ts';
import { pi } from '../../src/formats/pi/index.ts';
import type { Segment } from '../../src/model/index.ts';
import type { Tree } from '../../src/tree/index.ts';
import {
  assistant,
  attachment,
  bashEscape,
  boundary,
  caveat,
  claudeTree,
  command,
  compactSummary,
  dialects,
  growing,
  interruption,
  type Json,
  meta,
  notification,
  onlySession,
  piAssistant,
  piEntry,
  piHeader,
  piMessage,
  piResult,
  piTree,
  piUser,
  progress,
  queue,
  queuedCommand,
  stdout,
  system,
  teammate,
  threadOf,
  threadsOf,
  toolResult,
  toolUse,
  user,
} from '../kit/transcript.ts';

const segments = (tree: Tree): Segment[] => tree.segments(onlySession(tree).id);
const leaf = (records: readonly string[]): Segment => ({ records, children: [] });
const threadIds = (tree: Tree): string[] => onlySession(tree).threads.map(({ id }) => id);
const at = (time: string): Json => ({ timestamp: `2026-02-01T${time}:00.000Z` });
const active = (leafUuid: string): Json => ({ type: 'last-prompt', leafUuid, sessionId: 's' });

describe.each(dialects)('$name', ({ prompt, answer, aside, tree, key }) => {
  const keys = (...ids: readonly string[]): string[] => ids.map(key);

  test('H13 records with one child each are one segment', () => {
    const built = tree([prompt('u1', null), answer('a2', 'u1'), prompt('u3', 'a2')]);
    expect(segments(built)).toEqual([leaf(keys('u1', 'a2', 'u3'))]);
    expect(onlySession(built).threads).toMatchObject([{ id: key('u1'), leaf: key('u3'), fork: null, recordCount: 3 }]);
  });

  test('H13 a segment ends where two prompts answer one record, and each begins a segment', () => {
    const built = tree([prompt('u1', null), answer('a2', 'u1'), prompt('u3a', 'a2'), prompt('u3b', 'a2')]);
    expect(segments(built)).toEqual([{ records: keys('u1', 'a2'), children: [leaf(keys('u3a')), leaf(keys('u3b'))] }]);
    expect(threadsOf(built)).toEqual({
      [key('u1')]: keys('u1', 'a2', 'u3a'),
      [key('u3b')]: keys('u1', 'a2', 'u3b'),
    });
  });

  test('H13 a branch may branch again', () => {
    const built = tree([
      prompt('u1', null),
      answer('a2', 'u1'),
      prompt('u3a', 'a2'),
      prompt('u3b', 'a2'),
      answer('a4a', 'u3a'),
      prompt('u5a1', 'a4a'),
      prompt('u5a2', 'a4a'),
    ]);
    expect(segments(built)).toEqual([
      {
        records: keys('u1', 'a2'),
        children: [
          { records: keys('u3a', 'a4a'), children: [leaf(keys('u5a1')), leaf(keys('u5a2'))] },
          leaf(keys('u3b')),
        ],
      },
    ]);
    expect(onlySession(built).threads).toHaveLength(3);
  });

  test('H13 a session with several roots has several segments', () => {
    const built = tree([prompt('u1', null), answer('a1', 'u1'), prompt('u2', null)]);
    expect(segments(built)).toEqual([leaf(keys('u1', 'a1')), leaf(keys('u2'))]);
  });

  test('H13 a child under a skipped line counts as a child of the record above', () => {
    const built = tree([
      prompt('u1', null),
      answer('a1', 'u1'),
      aside('x', 'a1'),
      prompt('u2', 'x'),
      prompt('u3', 'a1'),
    ]);
    expect(segments(built)).toEqual([{ records: keys('u1', 'a1'), children: [leaf(keys('u2')), leaf(keys('u3'))] }]);
  });

  test('H13 a skipped line alone ends no segment', () => {
    const built = tree([
      prompt('u1', null),
      answer('a1', 'u1'),
      aside('x', 'a1'),
      prompt('u2', 'a1'),
      aside('y', 'u1'),
    ]);
    expect(segments(built)).toEqual([leaf(keys('u1', 'a1', 'u2'))]);
  });

  test('H14 two answers to one prompt are a branch', () => {
    const built = tree([prompt('u1', null), answer('a1', 'u1'), answer('a2', 'u1'), prompt('u2', 'a2')]);
    expect(threadsOf(built)).toEqual({ [key('u1')]: keys('u1', 'a1'), [key('a2')]: keys('u1', 'a2', 'u2') });
  });

  test('H15 a thread names its fork, its end and its length', () => {
    const built = tree([
      prompt('u1', null),
      answer('a1', 'u1'),
      prompt('u2', 'a1'),
      prompt('u3', 'a1'),
      answer('a3', 'u3'),
    ]);
    expect(onlySession(built).threads.find(({ id }) => id === key('u3'))).toMatchObject({
      fork: key('a1'),
      leaf: key('a3'),
      recordCount: 4,
    });
  });

  test('H15 the leaf of a thread finds it too', () => {
    const built = tree([
      prompt('u1', null),
      answer('a1', 'u1'),
      prompt('u2', 'a1'),
      prompt('u3', 'a1'),
      answer('a3', 'u3'),
    ]);
    expect(threadOf(built, key('a3'))).toEqual(keys('u1', 'a1', 'u3', 'a3'));
    expect(threadOf(built, key('u2'))).toEqual(keys('u1', 'a1', 'u2'));
  });

  test('H15 threads are newest first', () => {
    const built = tree([
      prompt('u1', null),
      answer('a1', 'u1'),
      prompt('u2', 'a1'),
      prompt('u3', 'a1'),
      answer('a2', 'u2'),
    ]);
    expect(threadIds(built)).toEqual([key('u1'), key('u3')]);
  });

  test('H15 a long conversation with many branches is laid out without recursion', () => {
    const lines: object[] = [prompt('u0', null)];
    for (let i = 0; i < 3000; i++)
      lines.push(answer(`a${i}`, `u${i}`), prompt(`u${i + 1}`, `a${i}`), prompt(`v${i}`, `a${i}`));
    const built = tree(lines);
    expect(onlySession(built).threads).toHaveLength(3001);
    expect(threadOf(built, key('u0'))).toHaveLength(6001);
  });
});

test('H14 all children of one caveat are one line', () => {
  const tree = claudeTree([
    user('u1', null),
    assistant('a1', 'u1'),
    caveat('c', 'a1'),
    command('k1', 'c', '/model'),
    stdout('o1', 'k1'),
    user('u2', 'o1'),
    assistant('a2', 'u2'),
    command('k2', 'c', '/status'),
    stdout('o2', 'k2'),
    user('u3', 'o2'),
  ]);
  expect(threadsOf(tree)).toEqual({ u1: ['u1', 'a1', 'k1', 'u2', 'a2', 'k2', 'u3'] });
});

test('H14 all children of a caveat at the beginning are one line', () => {
  const tree = claudeTree([
    caveat('c', null),
    command('k1', 'c', '/model'),
    user('u1', 'k1'),
    assistant('a1', 'u1'),
    bashEscape('b1', 'c'),
    user('u2', 'b1'),
  ]);
  expect(threadsOf(tree)).toEqual({ k1: ['k1', 'u1', 'a1', 'b1', 'u2'] });
});

test('H14 prompts that hang on one caveat are one line too', () => {
  const tree = claudeTree([caveat('c', null), user('u1', 'c'), assistant('a1', 'u1'), user('u2', 'c')]);
  expect(threadsOf(tree)).toEqual({ u1: ['u1', 'a1', 'u2'] });
});

test('H14 prompts below two caveats of one record are a branch', () => {
  const tree = claudeTree([
    user('u1', null),
    assistant('a1', 'u1'),
    caveat('c1', 'a1'),
    command('k1', 'c1', '/model'),
    user('u2', 'k1'),
    caveat('c2', 'a1'),
    command('k2', 'c2', '/model'),
    user('u3', 'k2'),
  ]);
  expect(threadsOf(tree)).toEqual({ u1: ['u1', 'a1', 'k1', 'u2'], k2: ['u1', 'a1', 'k2', 'u3'] });
});

type Make = (uuid: string, parent: string | null) => Json;
const ASIDES: readonly (readonly [string, Make])[] = [
  ['a local command', (uuid, parent) => command(uuid, parent, '/model')],
  [
    'a local command of newer versions',
    (uuid, parent) => system(uuid, parent, 'local_command', { content: '<command-name>/model</command-name>' }),
  ],
  ['a bash escape', bashEscape],
  ['an interruption', interruption],
  ['a notification', (uuid, parent) => notification(uuid, parent)],
  ['a teammate message', (uuid, parent) => teammate(uuid, parent)],
];

test.each(ASIDES)('H14 %s on an old record is spliced in after the record written before it', (_name, make) => {
  const tree = claudeTree([user('u1', null), assistant('a1', 'u1'), make('x', 'u1'), user('u2', 'a1')]);
  expect(threadsOf(tree)).toEqual({ u1: ['u1', 'a1', 'x', 'u2'] });
});

test.each(ASIDES)('H14 %s beside a later prompt is no branch', (_name, make) => {
  const tree = claudeTree([user('u1', null), assistant('a1', 'u1'), make('x', 'a1'), user('u2', 'a1')]);
  expect(threadsOf(tree)).toEqual({ u1: ['u1', 'a1', 'x', 'u2'] });
});

test.each(ASIDES)('H14 %s without a parent is no second beginning', (_name, make) => {
  const tree = claudeTree([user('u1', null), assistant('a1', 'u1'), make('x', null), user('u2', 'a1')]);
  expect(threadsOf(tree)).toEqual({ u1: ['u1', 'a1', 'x', 'u2'] });
});

test.each(ASIDES)('H14 %s before the first prompt is no beginning of its own', (_name, make) => {
  const tree = claudeTree([make('x', null), user('u1', null), assistant('a1', 'u1')]);
  expect(threadsOf(tree)).toEqual({ x: ['x', 'u1', 'a1'] });
});

test.each(ASIDES)('H14 %s takes over later children, so the branch begins after it', (_name, make) => {
  const tree = claudeTree([
    user('u1', null),
    assistant('a1', 'u1'),
    make('x', 'u1'),
    user('u2', 'a1'),
    user('u3', 'a1'),
  ]);
  expect(segments(tree)).toEqual([{ records: ['u1', 'a1', 'x'], children: [leaf(['u2']), leaf(['u3'])] }]);
});

test.each(ASIDES)('H14 %s goes into the branch that was being written', (_name, make) => {
  const tree = claudeTree([
    user('u1', null),
    assistant('a1', 'u1'),
    user('u2', 'a1'),
    assistant('a2', 'u2'),
    make('x', 'u1'),
    user('u3', 'a1'),
    assistant('a3', 'u3'),
    make('y', 'u1'),
  ]);
  expect(threadsOf(tree)).toEqual({ u1: ['u1', 'a1', 'u2', 'a2', 'x'], u3: ['u1', 'a1', 'u3', 'a3', 'y'] });
});

test('H14 a spliced record keeps what was answered to it', () => {
  const tree = claudeTree([
    user('u1', null),
    assistant('a1', 'u1'),
    assistant('a2', 'a1'),
    notification('n', 'a1'),
    assistant('a3', 'n'),
    user('u2', 'a3'),
  ]);
  expect(threadOf(tree)).toEqual(['u1', 'a1', 'a2', 'n', 'a3', 'u2']);
});

test.each<readonly [string, Make]>([
  ['a local command', (uuid, parent) => command(uuid, parent, '/model')],
  ['a bash escape', bashEscape],
  ['a compaction', (uuid, parent) => boundary(uuid, parent)],
  ['a notification', (uuid, parent) => notification(uuid, parent)],
  ['a teammate message', (uuid, parent) => teammate(uuid, parent)],
])('H14 %s that leads to a prompt begins a branch beside another prompt', (_name, make) => {
  const lines = [user('u1', null), assistant('a1', 'u1'), user('u2', 'a1'), make('x', 'a1'), user('u3', 'x')];
  expect(threadsOf(claudeTree(lines))).toEqual({ u1: ['u1', 'a1', 'u2'], x: ['u1', 'a1', 'x', 'u3'] });
});

test('H14 a user-defined command that leads to a prompt begins a branch', () => {
  const tree = claudeTree([
    user('u1', null),
    assistant('a1', 'u1'),
    user('u2', 'a1'),
    command('k', 'a1', '/commit'),
    meta('m', 'k', [{ type: 'text', text: '# Commit' }]),
    user('u3', 'm'),
  ]);
  expect(threadsOf(tree)).toEqual({ u1: ['u1', 'a1', 'u2'], k: ['u1', 'a1', 'k', 'u3'] });
});

const REVIEW = (parent: string | null): readonly Json[] => [
  command('k', parent, '/review'),
  meta('m', 'k', [{ type: 'text', text: '# Review' }]),
  assistant('a3', 'm'),
];

test('peers D2 a rewind whose alternative is a user-defined command is a branch', () => {
  const lines = [user('u1', null), assistant('a1', 'u1'), user('u2', 'a1'), assistant('a2', 'u2'), ...REVIEW('a1')];
  expect(threadsOf(claudeTree(lines))).toEqual({ u1: ['u1', 'a1', 'u2', 'a2'], k: ['u1', 'a1', 'k', 'a3'] });
});

test('peers D2 a prompt written after the answer to a user-defined command is a branch', () => {
  const lines = [user('u1', null), assistant('a1', 'u1'), ...REVIEW('a1'), user('u2', 'a1'), assistant('a2', 'u2')];
  expect(threadsOf(claudeTree(lines))).toEqual({ u1: ['u1', 'a1', 'k', 'a3'], u2: ['u1', 'a1', 'u2', 'a2'] });
});

test('peers D2 a user-defined command at the beginning is a branch beside a prompt there', () => {
  const lines = [user('u2', null), assistant('a2', 'u2'), ...REVIEW(null)];
  expect(threadsOf(claudeTree(lines))).toEqual({ u2: ['u2', 'a2'], k: ['k', 'a3'] });
});

test('peers D2 two user-defined commands on one answer are two branches', () => {
  const other = [command('l', 'a1', '/fix'), meta('n', 'l', [{ type: 'text', text: '# Fix' }]), assistant('a4', 'n')];
  const lines = [user('u1', null), assistant('a1', 'u1'), ...REVIEW('a1'), ...other];
  expect(threadsOf(claudeTree(lines))).toEqual({ u1: ['u1', 'a1', 'k', 'a3'], l: ['u1', 'a1', 'l', 'a4'] });
});

test('peers D2 that a command was user-defined decides also when its prompt comes later', () => {
  const lines = [user('u1', null), assistant('a1', 'u1'), user('u2', 'a1'), user('u3', 'a1'), ...REVIEW('a1')];
  const grown = [...growing(claudeCode, lines)].map((tree) => threadsOf(tree)).at(-1);
  expect(grown).toEqual(threadsOf(claudeTree(lines)));
});

test('H14 a prompt is found through a whole run of commands and messages', () => {
  const tree = claudeTree([
    user('u1', null),
    assistant('a1', 'u1'),
    user('u2', 'a1'),
    boundary('c', 'a1'),
    compactSummary('c2', 'c'),
    command('k', 'c2', '/compact'),
    stdout('o', 'k'),
    notification('n', 'o'),
    user('u3', 'n'),
  ]);
  expect(threadsOf(tree)).toEqual({ u1: ['u1', 'a1', 'u2'], c: ['u1', 'a1', 'c', 'k', 'n', 'u3'] });
});

test('H14 the beginning of the session is a branch point when two prompts stand there', () => {
  const tree = claudeTree([user('u1', null), assistant('a1', 'u1'), user('u2', null), assistant('a2', 'u2')]);
  expect(threadsOf(tree)).toEqual({ u1: ['u1', 'a1'], u2: ['u2', 'a2'] });
});

test('H14 a compaction without a known parent is no second beginning', () => {
  const tree = claudeTree([user('u1', null), assistant('a1', 'u1'), boundary('c', 'gone'), user('u2', 'c')]);
  expect(threadsOf(tree)).toEqual({ u1: ['u1', 'a1', 'c', 'u2'] });
});

test('H14 lines of one answer on one prompt are no branch', () => {
  const tree = claudeTree([
    user('u1', null),
    assistant('a1', 'u1', 'one', { id: 'm' }),
    assistant('a2', 'u1', 'two', { id: 'm' }),
  ]);
  expect(threadsOf(tree)).toEqual({ u1: ['u1', 'a1'] });
});

test('H14 different answers below one answer are no branch', () => {
  const tree = claudeTree([
    user('u1', null),
    assistant('a1', 'u1', [toolUse('A'), toolUse('B')]),
    user('r1', 'a1', [toolResult('A')]),
    user('r2', 'a1', [toolResult('B')]),
    assistant('a2', 'r1'),
    assistant('a3', 'r2'),
  ]);
  expect(threadsOf(tree)).toEqual({ u1: ['u1', 'a1', 'a2', 'a3'] });
});

test('H14 parallel calls whose results come back in another order are one line', () => {
  const call = (uuid: string, parent: string, id: string): Json => assistant(uuid, parent, [toolUse(id)], { id: 'm' });
  const tree = claudeTree([
    user('u1', null),
    call('p1', 'u1', 'A'),
    call('p2', 'p1', 'B'),
    call('p3', 'p2', 'C'),
    user('r3', 'p3', [toolResult('C')]),
    user('r2', 'p2', [toolResult('B')]),
    user('r1', 'p1', [toolResult('A')]),
    assistant('a2', 'r1'),
  ]);
  expect(threadsOf(tree)).toEqual({ u1: ['u1', 'p1', 'a2'] });
});

test('H14 a prompt written after all of another child was written is a branch', () => {
  const tree = claudeTree([
    user('u1', null),
    assistant('a1', 'u1'),
    assistant('a2', 'a1'),
    assistant('a3', 'a2'),
    user('u2', 'a1'),
  ]);
  expect(threadsOf(tree)).toEqual({ u1: ['u1', 'a1', 'a2', 'a3'], u2: ['u1', 'a1', 'u2'] });
});

test('H14 what was abandoned stays a branch when a second prompt is written', () => {
  const tree = claudeTree([
    user('u1', null),
    assistant('a1', 'u1'),
    assistant('a2', 'a1'),
    user('u2', 'a1'),
    user('u3', 'a1'),
  ]);
  expect(segments(tree)).toEqual([{ records: ['u1', 'a1'], children: [leaf(['a2']), leaf(['u2']), leaf(['u3'])] }]);
});

test('H14 so is one that a command leads to', () => {
  const tree = claudeTree([
    user('u1', null),
    assistant('a1', 'u1'),
    assistant('a2', 'a1'),
    command('k', 'a1', '/model'),
    user('u2', 'k'),
  ]);
  expect(threadsOf(tree)).toEqual({ u1: ['u1', 'a1', 'a2'], k: ['u1', 'a1', 'k', 'u2'] });
});

test('H14 a prompt written before another child ended is no branch', () => {
  const tree = claudeTree([
    user('u1', null),
    assistant('a1', 'u1'),
    assistant('a2', 'a1'),
    user('u2', 'a1'),
    assistant('a3', 'a2'),
  ]);
  expect(threadsOf(tree)).toEqual({ u1: ['u1', 'a1', 'a2', 'u2', 'a3'] });
});

test('H14 a prompt given between two steps never begins a branch', () => {
  const tree = claudeTree([
    user('u1', null),
    assistant('a1', 'u1', [toolUse('A')]),
    user('r1', 'a1', [toolResult('A')]),
    queuedCommand('q', 'r1', 'also the tests'),
    assistant('a2', 'r1'),
    user('u2', 'a2'),
  ]);
  expect(threadsOf(tree)).toEqual({ u1: ['u1', 'a1', 'q', 'a2', 'u2'] });
});

test('H14 a queued prompt beside an ordinary one is no branch', () => {
  const tree = claudeTree([
    user('u1', null),
    assistant('a1', 'u1'),
    queuedCommand('q', 'a1', 'also'),
    user('u2', 'a1'),
  ]);
  expect(threadsOf(tree)).toEqual({ u1: ['u1', 'a1', 'q', 'u2'] });
});

test('H14 a prompt that is only in the queue stands where it was taken out', () => {
  const tree = claudeTree([
    user('u1', null),
    assistant('a1', 'u1'),
    queue('enqueue', 'also'),
    assistant('a2', 'a1'),
    queue('remove', 'also'),
    assistant('a3', 'a2'),
  ]);
  expect(threadsOf(tree)).toEqual({ u1: ['u1', 'a1', 'a2', 's:5', 'a3'] });
});

test('H14 a sibling with the same text and time is a copy and folded', () => {
  const tree = claudeTree([
    user('u1', null),
    assistant('a1', 'u1'),
    user('u2', 'a1', 'go on', at('09:00')),
    user('v2', 'a1', 'go on', at('09:00')),
    assistant('a2', 'u2'),
  ]);
  expect(threadsOf(tree)).toEqual({ u1: ['u1', 'a1', 'u2', 'a2'] });
  expect(tree.accounting()).toMatchObject({ records: 4, folded: 1 });
});

test('H14 what hangs on a copy goes on after the original', () => {
  const tree = claudeTree([
    user('u1', null),
    assistant('a1', 'u1'),
    user('u2', 'a1', 'go on', at('09:00')),
    user('v2', 'a1', 'go on', at('09:00')),
    assistant('a2', 'v2'),
  ]);
  expect(threadsOf(tree)).toEqual({ u1: ['u1', 'a1', 'u2', 'a2'] });
});

test('H14 a whole line repeated under new ids is folded', () => {
  const line = (a: string, b: string, c: string): Json[] => [
    user(a, 'a1', 'go on', at('09:00')),
    assistant(b, a, 'yes', { id: 'm', ...at('09:01') }),
    user(c, b, 'and on', at('09:02')),
  ];
  const tree = claudeTree([
    user('u1', null),
    assistant('a1', 'u1'),
    ...line('u2', 'a2', 'u3'),
    ...line('v2', 'b2', 'v3'),
  ]);
  expect(threadsOf(tree)).toEqual({ u1: ['u1', 'a1', 'u2', 'a2', 'u3'] });
});

test('H14 a beginning repeated under a new id is folded', () => {
  const tree = claudeTree([
    user('u1', null, 'hi', at('09:00')),
    user('v1', null, 'hi', at('09:00')),
    assistant('a1', 'v1'),
  ]);
  expect(threadsOf(tree)).toEqual({ u1: ['u1', 'a1'] });
});

test('H14 the same text at another time is a branch', () => {
  const tree = claudeTree([
    user('u1', null),
    assistant('a1', 'u1'),
    user('u2', 'a1', 'go on', at('09:00')),
    user('v2', 'a1', 'go on', at('09:01')),
  ]);
  expect(threadsOf(tree)).toEqual({ u1: ['u1', 'a1', 'u2'], v2: ['u1', 'a1', 'v2'] });
});

test('H14 another text at the same time is a branch', () => {
  const tree = claudeTree([
    user('u1', null),
    assistant('a1', 'u1'),
    user('u2', 'a1', 'one', at('09:00')),
    user('v2', 'a1', 'two', at('09:00')),
  ]);
  expect(Object.keys(threadsOf(tree)).sort()).toEqual(['u1', 'v2']);
});

test.each<readonly [string, Make]>([
  ['a system line', (uuid, parent) => system(uuid, parent, 'turn_duration')],
  ['an attachment', (uuid, parent) => attachment(uuid, parent, { type: 'hook_success' })],
  ['a progress line', (uuid, parent) => progress(uuid, parent)],
  ['an injected text', (uuid, parent) => meta(uuid, parent, 'be kind')],
])('H14 %s beside an answer is no branch', (_name, make) => {
  const tree = claudeTree([
    user('u1', null),
    make('x', 'u1'),
    assistant('a1', 'u1'),
    make('y', 'a1'),
    user('u2', 'a1'),
  ]);
  expect(threadsOf(tree)).toEqual({ u1: ['u1', 'a1', 'u2'] });
});

test('H14 everything else joins in file order', () => {
  const tree = claudeTree([
    user('u1', null),
    assistant('a1', 'u1'),
    assistant('a2', 'a1'),
    assistant('a3', 'a1'),
    assistant('a4', 'a2'),
    assistant('a5', 'a3'),
  ]);
  expect(threadsOf(tree)).toEqual({ u1: ['u1', 'a1', 'a2', 'a3', 'a4', 'a5'] });
});

test('H14 every record is in some thread', () => {
  const lines = [
    user('u1', null),
    assistant('a1', 'u1'),
    user('u2', 'a1'),
    assistant('a2', 'u2'),
    command('k1', 'u1', '/model'),
    user('u3', 'a1'),
    interruption('i1', 'a2'),
    assistant('a4', 'a1'),
    user('u4', 'gone'),
    notification('n1', 'u4'),
  ];
  const tree = claudeTree(lines);
  const shown = new Set(Object.values(threadsOf(tree)).flat());
  expect([...shown].sort()).toEqual([...tree.records('s')].sort());
  expect(shown.size).toBe(lines.length);
});

const PI_CHILDREN: readonly (readonly [string, Make])[] = [
  ['a prompt', (id, parent) => piUser(id, parent)],
  ['an answer', (id, parent) => piAssistant(id, parent)],
  [
    'a shell command',
    (id, parent) =>
      piMessage(id, parent, {
        role: 'bashExecution',
        command: 'ls',
        output: '',
        exitCode: 0,
        cancelled: false,
        truncated: false,
        timestamp: 0,
      }),
  ],
  [
    'a message of an extension',
    (id, parent) => piEntry('custom_message', id, parent, { customType: 'x', content: 'hi', display: true }),
  ],
  [
    'a compaction',
    (id, parent) => piEntry('compaction', id, parent, { summary: 's', firstKeptEntryId: 'u1', tokensBefore: 1 }),
  ],
  ['a branch summary', (id, parent) => piEntry('branch_summary', id, parent, { fromId: 'a1', summary: 's' })],
];

test.each(PI_CHILDREN)('H14 in Pi %s beside an answer is a branch', (_name, make) => {
  const tree = piTree([
    piHeader(),
    piUser('u1', null),
    piAssistant('a1', 'u1'),
    piAssistant('a2', 'a1'),
    make('x', 'a1'),
  ]);
  expect(threadsOf(tree)).toEqual({ 'S/u1': ['S/u1', 'S/a1', 'S/a2'], 'S/x': ['S/u1', 'S/a1', 'S/x'] });
});

const PI_STATE: readonly (readonly [string, Make])[] = [
  ['a label', (id, parent) => piEntry('label', id, parent, { targetId: 'u1', label: 'here' })],
  ['a change of the model', (id, parent) => piEntry('model_change', id, parent, { provider: 'p', modelId: 'm' })],
  [
    'a change of the thinking level',
    (id, parent) => piEntry('thinking_level_change', id, parent, { thinkingLevel: 'low' }),
  ],
  ['data of an extension', (id, parent) => piEntry('custom', id, parent, { customType: 'x', data: {} })],
  ['a name of the session', (id, parent) => piEntry('session_info', id, parent, { name: 'n' })],
];

test.each(PI_STATE)('H14 in Pi %s is no branch', (_name, make) => {
  const tree = piTree([piHeader(), piUser('u1', null), piAssistant('a1', 'u1'), make('x', 'a1'), piUser('u2', 'a1')]);
  expect(threadsOf(tree)).toEqual({ 'S/u1': ['S/u1', 'S/a1', 'S/u2'] });
});

test.each(PI_STATE)('H14 in Pi a prompt below %s is a branch beside another', (_name, make) => {
  const lines = [piHeader(), piUser('u1', null), piUser('u2', 'u1'), make('x', 'u1'), piUser('u3', 'x')];
  expect(threadsOf(piTree(lines))).toEqual({ 'S/u1': ['S/u1', 'S/u2'], 'S/u3': ['S/u1', 'S/u3'] });
});

test('H14 in Pi the branch of two answers after one of two results begins at the call', () => {
  const call = (id: string): Json => ({ type: 'toolCall', id, name: 'read', arguments: {} });
  const tree = piTree([
    piHeader(),
    piUser('u1', null),
    piAssistant('a1', 'u1', [call('A'), call('B')]),
    piResult('r1', 'a1', 'A'),
    piResult('r2', 'r1', 'B'),
    piAssistant('a2', 'r2'),
    piAssistant('a3', 'r1'),
  ]);
  expect(threadsOf(tree)).toEqual({ 'S/u1': ['S/u1', 'S/a1', 'S/a2'], 'S/a3': ['S/u1', 'S/a1', 'S/a3'] });
});

test('H14 in Pi equal siblings of one time are two branches', () => {
  const tree = piTree([
    piHeader(),
    piUser('u1', null),
    { ...piUser('u2', 'u1', 'x'), ...at('09:00') },
    { ...piUser('u3', 'u1', 'x'), ...at('09:00') },
  ]);
  expect(onlySession(tree).threads).toHaveLength(2);
});

test('H15 the thread of the main line has the id of the root, another that of its first record after the fork', () => {
  const tree = claudeTree([user('u1', null), assistant('a1', 'u1'), user('u2', 'a1'), user('u3', 'a1')]);
  expect(onlySession(tree).threads).toMatchObject([
    { id: 'u3', fork: 'a1' },
    { id: 'u1', fork: null },
  ]);
});

const GROWTH: readonly (readonly [string, Parameters<typeof growing>])[] = [
  [
    'prompts in Claude Code',
    [
      claudeCode,
      [
        user('u1', null),
        assistant('a1', 'u1'),
        user('u2', 'a1'),
        assistant('a2', 'u2'),
        user('u3', 'a2'),
        user('u4', 'a2'),
        assistant('a4', 'u4'),
        user('u5', 'a1'),
        assistant('a5', 'u5'),
        user('u6', 'u3'),
        user('u7', null),
        user('u8', 'a5'),
        user('u9', 'a5'),
      ],
    ],
  ],
  [
    'repeated answers in Claude Code',
    [
      claudeCode,
      [
        user('u1', null),
        assistant('a1', 'u1'),
        assistant('a2', 'u1'),
        user('u2', 'a1'),
        assistant('a3', 'u1'),
        assistant('a4', 'u2'),
        assistant('a5', 'u2'),
      ],
    ],
  ],
  [
    'abandoned work in Claude Code',
    [
      claudeCode,
      [
        user('u1', null),
        assistant('a1', 'u1'),
        assistant('a2', 'a1'),
        user('u2', 'a1'),
        assistant('a3', 'u2'),
        command('k', 'a1', '/model'),
        user('u3', 'a1'),
        command('k2', 'u1', '/model'),
      ],
    ],
  ],
  [
    'entries in Pi',
    [
      pi,
      [
        piHeader(),
        piUser('u1', null),
        piAssistant('a1', 'u1'),
        piUser('u2', 'a1'),
        piUser('u3', 'a1'),
        piAssistant('a3', 'u3'),
        piUser('u4', 'u1'),
        piUser('u5', null),
        piAssistant('a2', 'u2'),
        piUser('u6', 'a3'),
        piUser('u7', 'a3'),
      ],
    ],
  ],
];

test.each(GROWTH)('H15 ids of threads stay while they grow and others appear: %s', (_name, [format, lines]) => {
  let before: string[] = [];
  for (const tree of growing(format, lines)) {
    if (tree.sessionIds().length === 0) continue;
    const now = threadIds(tree);
    expect(now).toEqual(expect.arrayContaining(before));
    before = now;
  }
  expect(before.length).toBeGreaterThan(2);
});

test.each(GROWTH)('H15 a thread keeps its beginning while it grows: %s', (_name, [format, lines]) => {
  const begins = new Map<string, string>();
  for (const tree of growing(format, lines)) {
    if (tree.sessionIds().length === 0) continue;
    const session = onlySession(tree);
    for (const { id } of session.threads) {
      const path = tree.path(session.id, id);
      expect(path).toContain(id);
      expect(begins.get(id) ?? path[0]).toBe(path[0]);
      begins.set(id, path[0] as string);
    }
  }
});

test('H15 threads and session are as new as their last record', () => {
  const tree = claudeTree([
    user('u1', null, 'hi', at('10:00')),
    user('u2', 'u1', 'x', at('10:02')),
    user('u3', 'u1', 'y', at('10:05')),
  ]);
  const { threads, endedAt } = onlySession(tree);
  expect(threads.map(({ time }) => time)).toEqual([Date.UTC(2026, 1, 1, 10, 5), Date.UTC(2026, 1, 1, 10, 2)]);
  expect(endedAt).toBe(Date.UTC(2026, 1, 1, 10, 5));
});

test('H15 newest first goes by time, not by place', () => {
  const tree = claudeTree([
    user('u1', null, 'hi', at('10:00')),
    user('u2', 'u1', 'x', at('10:09')),
    user('u3', 'u1', 'y', at('10:05')),
  ]);
  expect(threadIds(tree)).toEqual(['u1', 'u3']);
});

test('H15 a thread is as new as the last line of its last answer', () => {
  const tree = claudeTree([
    user('u1', null, 'hi', at('10:00')),
    assistant('a1', 'u1', 'one', { id: 'm', ...at('10:01') }),
    assistant('a2', 'a1', 'two', { id: 'm', ...at('10:02') }),
  ]);
  expect(onlySession(tree).threads[0]?.time).toBe(onlySession(tree).endedAt);
});

test('H15 a thread has the git branch of its end', () => {
  const tree = claudeTree([
    user('u1', null, 'hi', { gitBranch: 'main' }),
    user('u2', 'u1', 'x', { gitBranch: 'fix' }),
    user('u3', 'u1', 'y', { gitBranch: 'main' }),
  ]);
  expect(onlySession(tree).threads.map(({ id, gitBranch }) => [id, gitBranch])).toEqual([
    ['u3', 'main'],
    ['u1', 'fix'],
  ]);
});

test('H15 a thread is resumed by the id of the file that holds its end', () => {
  const tree = claudeTree({
    'main.jsonl': [user('u1', null), assistant('a1', 'u1'), user('u2', 'a1')],
    'fork.jsonl': [user('u3', 'a1')],
  });
  expect(onlySession(tree).threads.map(({ id, resumeId }) => [id, resumeId])).toEqual([
    ['u3', 'fork'],
    ['u1', 'main'],
  ]);
});

test('H15 a Pi thread is resumed by the id of its header', () => {
  expect(onlySession(piTree([piHeader('S'), piUser('u1', null)])).threads).toMatchObject([{ resumeId: 'S' }]);
});

const REWOUND: readonly Json[] = [
  user('u1', null),
  assistant('a1', 'u1'),
  user('u2', 'a1'),
  assistant('a2', 'u2'),
  system('x', 'a2', 'turn_duration'),
  user('u3', 'a1'),
];
const defaultOf = (...more: readonly Json[]): string | null =>
  onlySession(claudeTree([...REWOUND, ...more])).defaultThread;

test('H15 the default thread is the newest when the log names none', () => {
  expect(defaultOf()).toBe('u3');
});

test('H15 the default thread holds the record that last-prompt names', () => {
  expect(defaultOf(active('a2'))).toBe('u1');
});

test('H15 the last last-prompt counts', () => {
  expect(defaultOf(active('a2'), active('u3'))).toBe('u3');
  expect(defaultOf(active('u3'), active('a2'))).toBe('u1');
});

test('H15 last-prompt may name a record in the middle of a thread', () => {
  expect(defaultOf(active('u2'))).toBe('u1');
});

test('H15 last-prompt may name a skipped line', () => {
  expect(defaultOf(active('x'))).toBe('u1');
});

test('H15 a last-prompt without leafUuid takes nothing back', () => {
  expect(defaultOf(active('a2'), { type: 'last-prompt', lastPrompt: 'u2', sessionId: 's' })).toBe('u1');
});

test('H15 a leafUuid that is nowhere leaves the newest', () => {
  expect(defaultOf(active('gone'))).toBe('u3');
});

test('H15 of threads that share the named record the newest is the default', () => {
  expect(defaultOf(active('a1'))).toBe('u3');
});

test('H15 last-prompt may stand before the record it names', () => {
  const tree = claudeTree([user('u1', null), active('u2'), user('u2', 'u1'), user('u3', 'u1')]);
  expect(onlySession(tree)).toMatchObject({ leaf: 'u2', defaultThread: 'u1' });
});

test('H15 the default thread of Pi holds the last entry', () => {
  const tree = piTree([
    piHeader(),
    piUser('u1', null),
    piUser('u2', 'u1'),
    { ...piUser('u3', 'u1'), ...at('09:00') },
    piAssistant('a2', 'u2'),
  ]);
  expect(onlySession(tree)).toMatchObject({ leaf: 'S/a2', defaultThread: 'S/u1' });
});

test.each(PI_STATE)('H15 in Pi %s as last entry leads to the record it hangs on', (_name, make) => {
  const tree = piTree([piHeader(), piUser('u1', null), piUser('u2', 'u1'), piUser('u3', 'u1'), make('x', 'u2')]);
  expect(onlySession(tree)).toMatchObject({ leaf: 'S/u2', defaultThread: 'S/u1' });
});

test('H15 in Pi a result as last entry leads to its call', () => {
  const tree = piTree([
    piHeader(),
    piUser('u1', null),
    piAssistant('a1', 'u1', [{ type: 'toolCall', id: 'A', name: 'read', arguments: {} }]),
    piUser('u2', 'u1'),
    piResult('r1', 'a1', 'A'),
  ]);
  expect(onlySession(tree)).toMatchObject({ leaf: 'S/a1', defaultThread: 'S/u1' });
});
