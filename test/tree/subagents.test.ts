import { describe, expect, test } from 'vitest';
import { claudeCode } from '../../src/formats/claude-code/index.ts';
import type { CallId, Key, Session, Subagent, SubagentId } from '../../src/model/index.ts';
import { Tree } from '../../src/tree/index.ts';
import {
  assistant,
  attachment,
  claudeTree,
  digestOf,
  type Files,
  factsOf,
  inEveryOrder,
  type Json,
  linesOf,
  notification,
  onlySession,
  piAssistant,
  piHeader,
  piMessage,
  piTree,
  piUser,
  progress,
  queue,
  queuedCommand,
  recordOf,
  system,
  teammate,
  threadOf,
  threadsOf,
  toolResult,
  toolUse,
  user,
} from '../kit/transcript.ts';

const side = (agentId: string, more: Json = {}): Json => ({ isSidechain: true, agentId, ...more });
const INLINE: Json = { isSidechain: true };
const spawn = (uuid: string, parent: string, call: string, prompt: string, more: Json = {}, input: Json = {}): Json =>
  assistant(uuid, parent, [toolUse(call, 'Task', { description: prompt, prompt, ...input })], more);
const result = (uuid: string, parent: string, call: string, more: Json = {}, content: unknown = 'done'): Json =>
  user(uuid, parent, [toolResult(call, content)], more);
/** The lines of a sub-agent: its prompt and one answer. */
const agent = (id: string, prompt: unknown = 'look', more: Json = {}): Json[] => [
  user(`${id}1`, null, prompt, side(id, more)),
  assistant(`${id}2`, `${id}1`, 'seen', side(id, more)),
];
/** A session with one call `T`, and its result. */
const main = (resultMore: Json = {}, content: unknown = 'done', prompt = 'look'): Json[] => [
  user('u1', null, 'go'),
  spawn('a1', 'u1', 'T', prompt),
  result('r1', 'a1', 'T', resultMore, content),
  assistant('a2', 'r1', 'ok'),
];

const subagentOf = (session: Session, id: SubagentId): Subagent => {
  const found = session.subagents.find((subagent) => subagent.id === id);
  if (!found) throw new Error(`no sub-agent ${id}`);
  return found;
};
/** Which call each sub-agent of the only session belongs to. */
const links = (tree: Tree): Readonly<Record<SubagentId, CallId | null>> =>
  Object.fromEntries(onlySession(tree).subagents.map(({ id, spawn }) => [id, spawn?.call ?? null]));
const owned = (tree: Tree, record: Key): readonly (readonly SubagentId[])[] =>
  recordOf(tree, record).calls.map((call) => call.subagents);

const BETWEEN: readonly Json[] = [
  user('u1', null, 'go'),
  spawn('a1', 'u1', 'T', 'look'),
  user('k1', null, 'look', INLINE),
  assistant('k2', 'k1', 'seen', INLINE),
  result('r1', 'a1', 'T'),
  assistant('a2', 'r1', 'ok'),
];

const LAYOUTS: Readonly<Record<string, { files: Files; id: SubagentId; records: Key[] }>> = {
  'between the lines, without ids': {
    files: {
      's.jsonl': BETWEEN,
    },
    id: 'k1',
    records: ['k1', 'k2'],
  },
  'between the lines, with ids': { files: { 's.jsonl': [...main(), ...agent('k')] }, id: 'k', records: ['k1', 'k2'] },
  'in a file beside the session': {
    files: { 's.jsonl': main(), 'agent-k.jsonl': agent('k') },
    id: 'k',
    records: ['k1', 'k2'],
  },
  "in the session's folder": {
    files: { 's.jsonl': main(), 's/subagents/agent-k.jsonl': agent('k') },
    id: 'k',
    records: ['k1', 'k2'],
  },
  'deeper in that folder': {
    files: { 's.jsonl': main(), 's/subagents/more/agent-k.jsonl': agent('k') },
    id: 'k',
    records: ['k1', 'k2'],
  },
  'in the folder of a workflow': {
    files: {
      's.jsonl': main({ toolUseResult: { runId: 'run1' } }, 'Task ID: X', 'do it all'),
      's/subagents/workflows/run1/agent-k.jsonl': agent('k'),
    },
    id: 'k',
    records: ['k1', 'k2'],
  },
};

describe.each(Object.entries(LAYOUTS))('%s', (_name, { files, id, records }) => {
  const tree = claudeTree(files);

  test('H12 a sub-agent belongs to the call that started it', () => {
    expect(subagentOf(onlySession(tree), id)).toMatchObject({
      spawn: { record: 'a1', call: 'T' },
      within: null,
      hidden: false,
      recordCount: 2,
    });
    expect(owned(tree, 'a1')).toEqual([[id]]);
  });

  test('H12 its records are none of the main thread, its roots or its branches', () => {
    expect(threadsOf(tree)).toEqual({ u1: ['u1', 'a1', 'a2'] });
    expect(onlySession(tree)).toMatchObject({ roots: ['u1'], recordCount: 3 });
  });

  test('H12 its records are listed and name it', () => {
    expect(tree.subagentRecords(id)).toEqual(records);
    expect(recordOf(tree, 'k2')).toMatchObject({ subagent: id, session: 's', parent: 'k1' });
  });

  test('H12 the order of reading changes nothing', () => {
    const [expected, ...others] = [...inEveryOrder(claudeCode, files)].map(digestOf);
    for (const digest of others) expect(digest).toBe(expected);
  });
});

test('H12 a journal of a workflow is no sub-agent and its lines count', () => {
  const tree = claudeTree({
    's.jsonl': main({ toolUseResult: { runId: 'run1' } }),
    's/subagents/workflows/run1/journal.jsonl': [{ type: 'started', key: 'k', agentId: 'k' }],
  });
  expect(onlySession(tree).subagents).toEqual([]);
  expect(tree.accounting().bookkeeping).toBe(1);
});

test('H12 a sidechain record that hangs on the main line is no branch of it', () => {
  const tree = claudeTree([
    user('u1', null),
    spawn('a1', 'u1', 'T', 'look'),
    user('k1', 'a1', 'look', INLINE),
    user('u2', 'a1'),
  ]);
  expect(threadsOf(tree)).toEqual({ u1: ['u1', 'a1', 'u2'] });
});

test('H12 a sub-agent without ids that hangs on the answer with the only call belongs to that call', () => {
  const tree = claudeTree([
    user('u1', null),
    spawn('a1', 'u1', 'T', 'look'),
    user('k1', 'a1', 'other words', INLINE),
    assistant('k2', 'k1', 'seen', INLINE),
  ]);
  expect(links(tree)).toEqual({ k1: 'T' });
});

test('H12 a main record whose parent is a sidechain record hangs on the main record above', () => {
  const tree = claudeTree([
    user('u1', null),
    spawn('a1', 'u1', 'T', 'look'),
    user('k1', 'a1', 'look', INLINE),
    assistant('k2', 'k1', 'seen', INLINE),
    user('u2', 'k2'),
  ]);
  expect(threadOf(tree)).toEqual(['u1', 'a1', 'u2']);
});

test('H12 sidechain records in a file of any name are listed with the session they name', () => {
  const tree = claudeTree({ 's.jsonl': main(), 'odd.jsonl': agent('k') });
  expect(onlySession(tree).id).toBe('s');
  expect(links(tree)).toEqual({ k: 'T' });
});

test('H12 the file of a sub-agent belongs to it whole, also where a line does not say so', () => {
  const tree = claudeTree({ 's.jsonl': main(), 'agent-k.jsonl': [...agent('k'), user('k3', 'k2', 'more')] });
  expect(tree.subagentRecords('k')).toEqual(['k1', 'k2', 'k3']);
  expect(threadOf(tree)).toEqual(['u1', 'a1', 'a2']);
});

test('H12 two sub-agents without ids that run at one time are told apart by their parents', () => {
  const tree = claudeTree([
    user('u1', null),
    assistant('a1', 'u1', [toolUse('T', 'Task', { prompt: 'left' }), toolUse('U', 'Task', { prompt: 'right' })]),
    user('x1', null, 'left', INLINE),
    user('y1', null, 'right', INLINE),
    assistant('x2', 'x1', 'l', INLINE),
    assistant('y2', 'y1', 'r', INLINE),
  ]);
  expect(links(tree)).toEqual({ x1: 'T', y1: 'U' });
  expect([tree.subagentRecords('x1'), tree.subagentRecords('y1')]).toEqual([
    ['x1', 'x2'],
    ['y1', 'y2'],
  ]);
});

test('H12 a sub-agent without ids that a resumed file repeats is one', () => {
  const tree = claudeTree({ 's.jsonl': BETWEEN, 't.jsonl': BETWEEN.map((line) => ({ ...line, sessionId: 't' })) });
  expect(links(tree)).toEqual({ k1: 'T' });
  expect(tree.subagentRecords('k1')).toEqual(['k1', 'k2']);
});

test('H12 sub-agents belong to calls of sub-agents to any depth', () => {
  const tree = claudeTree({
    's.jsonl': main({ toolUseResult: { agentId: 'k' } }),
    's/subagents/agent-k.jsonl': [
      user('k1', null, 'look', side('k')),
      spawn('k2', 'k1', 'T2', 'look deeper', side('k')),
      result('k3', 'k2', 'T2', side('k')),
    ],
    's/subagents/agent-m.jsonl': [
      user('m1', null, 'look deeper', side('m')),
      spawn('m2', 'm1', 'T3', 'look deepest', side('m')),
    ],
    's/subagents/agent-q.jsonl': agent('q', 'look deepest'),
  });
  const session = onlySession(tree);
  expect(subagentOf(session, 'k')).toMatchObject({ spawn: { record: 'a1', call: 'T' }, within: null });
  expect(subagentOf(session, 'm')).toMatchObject({ spawn: { record: 'k2', call: 'T2' }, within: 'k' });
  expect(subagentOf(session, 'q')).toMatchObject({ spawn: { record: 'm2', call: 'T3' }, within: 'm' });
});

test('H12 sub-agents without ids nest too', () => {
  const tree = claudeTree([
    user('u1', null),
    spawn('a1', 'u1', 'T', 'look'),
    user('k1', null, 'look', INLINE),
    spawn('k2', 'k1', 'T2', 'deeper', INLINE),
    user('m1', null, 'deeper', INLINE),
    assistant('m2', 'm1', 'seen', INLINE),
  ]);
  expect(subagentOf(onlySession(tree), 'm1')).toMatchObject({ spawn: { record: 'k2', call: 'T2' }, within: 'k1' });
});

test('H12 one call of a workflow owns all its transcripts', () => {
  const tree = claudeTree({
    's.jsonl': [
      user('u1', null),
      assistant('a1', 'u1', [toolUse('W', 'Workflow', { name: 'review' })]),
      result('r1', 'a1', 'W', { toolUseResult: { runId: 'run1' } }, 'Task ID: X'),
    ],
    's/subagents/workflows/run1/agent-k.jsonl': agent('k', 'one'),
    's/subagents/workflows/run1/agent-m.jsonl': agent('m', 'two'),
    's/subagents/workflows/run2/agent-q.jsonl': agent('q', 'three'),
  });
  expect(owned(tree, 'a1')).toEqual([['k', 'm']]);
  expect(links(tree)).toEqual({ k: 'W', m: 'W', q: null });
  expect(onlySession(tree).subagents.map(({ sort }) => sort)).toEqual(['workflow', 'workflow', 'workflow']);
});

const team = (name: string, description: string): Json => ({ name, description, team_name: 'crew' });

test('H12 one call owns all the files of a teammate that was woken again', () => {
  const tree = claudeTree({
    's.jsonl': [user('u1', null), spawn('a1', 'u1', 'T', 'review it', {}, team('bob', 'Bob reviews'))],
    's/subagents/agent-z.jsonl': [teammate('z1', null, 'review it', side('z')), assistant('z2', 'z1', 'ok', side('z'))],
    's/subagents/agent-y.jsonl': [teammate('y1', 'z2', 'again', side('y')), assistant('y2', 'y1', 'ok', side('y'))],
    's/subagents/agent-x.jsonl': [teammate('x1', 'y2', 'once more', side('x')), assistant('x2', 'x1', 'ok', side('x'))],
  });
  expect(owned(tree, 'a1')).toEqual([['z', 'y', 'x']]);
  expect(onlySession(tree).subagents.map(({ sort }) => sort)).toEqual(['teammate', 'teammate', 'teammate']);
});

test('H12 the files of a teammate are chained by their records, not by their times', () => {
  const at = (time: string): Json => ({ timestamp: `2026-02-01T${time}:00.000Z` });
  const tree = claudeTree({
    's.jsonl': [user('u1', null), spawn('a1', 'u1', 'T', 'review it', {}, team('bob', 'Bob reviews'))],
    's/subagents/agent-z.jsonl': [teammate('z1', null, 'review it', side('z', at('10:00')))],
    's/subagents/agent-y.jsonl': [teammate('y1', 'z1', 'again', side('y', at('12:00')))],
    's/subagents/agent-x.jsonl': [teammate('x1', 'y1', 'once more', side('x', at('11:00')))],
  });
  expect(links(tree)).toEqual({ z: 'T', y: 'T', x: 'T' });
});

const HIDDEN: Readonly<Record<string, Files>> = {
  'a warm-up beside the session': { 'agent-k.jsonl': agent('k', 'Warmup') },
  'a warm-up in its folder': { 's/subagents/agent-k.jsonl': agent('k', 'Warmup') },
  'a helper for compaction': { 's/subagents/agent-acompact-1.jsonl': agent('acompact-1', 'Summarise') },
  'a helper for compaction beside the session': { 'agent-acompact-1.jsonl': agent('acompact-1', 'Summarise') },
  'a stub that begins with an answer': { 'agent-k.jsonl': [assistant('k1', null, 'I will', side('k'))] },
  'a stub with only a prompt': { 'agent-k.jsonl': [user('k1', null, 'nobody asked', side('k'))] },
};

test.each(Object.entries(HIDDEN))('H12 %s is listed as hidden and belongs to no call', (_name, files) => {
  const tree = claudeTree({ 's.jsonl': main(), ...files });
  expect(onlySession(tree).subagents).toMatchObject([{ hidden: true, spawn: null }]);
  expect(owned(tree, 'a1')).toEqual([[]]);
});

test.each(Object.entries(HIDDEN))('H12 the lines and tokens of %s count', (_name, files) => {
  const before = claudeTree({ 's.jsonl': main() });
  const tree = claudeTree({ 's.jsonl': main(), ...files });
  const lines = Object.values(files).flat().length;
  const { bookkeeping, ...counted } = tree.accounting();
  expect(bookkeeping).toBe(0);
  expect(counted.records + counted.folded).toBe(4 + lines);
  expect([...tree.allRecords()].length).toBe([...before.allRecords()].length + lines);
});

test.each(Object.entries(HIDDEN))('H12 alone %s makes no session, and its lines still count', (_name, files) => {
  const tree = claudeTree(files);
  expect(tree.sessionIds()).toEqual([]);
  expect(tree.accounting().records).toBe(Object.values(files).flat().length);
});

test('H12 a prompt that only begins with Warmup is an ordinary one', () => {
  const tree = claudeTree({
    's.jsonl': main({}, 'done', 'Warmup the cache'),
    'agent-k.jsonl': agent('k', 'Warmup the cache'),
  });
  expect(onlySession(tree).subagents).toMatchObject([{ hidden: false, spawn: { call: 'T' } }]);
});

test('H12 sub-agents without a session file form one session with the id they name', () => {
  const tree = claudeTree({ 's/subagents/agent-k.jsonl': agent('k'), 's/subagents/agent-m.jsonl': agent('m') });
  expect(onlySession(tree)).toMatchObject({ id: 's', files: [], threads: [], recordCount: 0 });
  expect(links(tree)).toEqual({ k: null, m: null });
  expect(recordOf(tree, 'k1').session).toBe('s');
});

test('H12 old files of sub-agents form a session with the id in their lines', () => {
  const tree = claudeTree({ 'agent-k.jsonl': agent('k'), 'agent-m.jsonl': agent('m', 'x', { sessionId: 't' }) });
  expect(tree.sessionIds().sort()).toEqual(['s', 't']);
});

test('H12 a session file of only sidechain records is a session of sub-agents', () => {
  const tree = claudeTree(agent('k'));
  expect(onlySession(tree)).toMatchObject({ id: 's', roots: [], threads: [] });
  expect(links(tree)).toEqual({ k: null });
});

test('H12 sidechain records in a file of any name form the session they name when it is gone', () => {
  const tree = claudeTree({ 'odd.jsonl': agent('k') });
  expect(onlySession(tree).id).toBe('s');
  expect(links(tree)).toEqual({ k: null });
});

test('H12 tasks of oh-my-pi without a session file form the session of their folder', () => {
  const tree = piTree({
    '2026-01-01T00-00-00-000Z_S/Explore.jsonl': [piHeader('E'), piUser('u1', null), piAssistant('a1', 'u1')],
  });
  expect(onlySession(tree).id).toBe('S');
  expect(links(tree)).toEqual({ 'S/Explore': null });
});

const EMPTY: readonly (readonly [string, readonly object[]])[] = [
  ['an empty session file', []],
  ['a session file of only a snapshot', [{ type: 'file-history-snapshot', messageId: 'x', snapshot: {} }]],
  ['a session file of only a summary', [{ type: 'summary', summary: 'S', leafUuid: 'x' }]],
];

test.each(EMPTY)('H12 sub-agents beside %s form one session', (_name, lines) => {
  const tree = claudeTree({ 's.jsonl': lines, 's/subagents/agent-k.jsonl': agent('k') });
  expect(onlySession(tree).id).toBe('s');
  expect(links(tree)).toEqual({ k: null });
});

test('H12 a session of only sub-agents lists the hidden ones too', () => {
  const tree = claudeTree({
    's/subagents/agent-k.jsonl': agent('k'),
    's/subagents/agent-m.jsonl': agent('m', 'Warmup'),
  });
  expect(onlySession(tree).subagents).toMatchObject([
    { id: 'k', hidden: false },
    { id: 'm', hidden: true },
  ]);
});

test('H12 sub-agents that nobody else is left of keep their calls to each other', () => {
  const tree = claudeTree({
    's/subagents/agent-k.jsonl': [user('k1', null, 'look', side('k')), spawn('k2', 'k1', 'T2', 'deeper', side('k'))],
    's/subagents/agent-m.jsonl': agent('m', 'deeper'),
  });
  expect(subagentOf(onlySession(tree), 'm')).toMatchObject({ spawn: { call: 'T2' }, within: 'k' });
});

test('H12 sub-agents that were read first are found by the session when it comes', () => {
  const tree = new Tree();
  for (const [path, lines] of [
    ['s/subagents/agent-k.jsonl', agent('k')],
    ['s.jsonl', main()],
  ] as const)
    tree.add(factsOf(claudeCode, path), linesOf(claudeCode, path, lines));
  expect(onlySession(tree)).toMatchObject({ id: 's', recordCount: 3 });
  expect(links(tree)).toEqual({ k: 'T' });
});

test('H12 the folder says which session a sub-agent belongs to, whatever id its lines name', () => {
  const tree = claudeTree({ 's.jsonl': main(), 's/subagents/agent-k.jsonl': agent('k', 'look', { sessionId: 'x' }) });
  expect(onlySession(tree).id).toBe('s');
  expect(links(tree)).toEqual({ k: 'T' });
});

test('H12 sub-agents of a continuation belong to the session it continues', () => {
  const tree = claudeTree({
    'main.jsonl': [user('u1', null), assistant('a1', 'u1')],
    'cont.jsonl': [user('u2', 'a1'), spawn('a2', 'u2', 'T', 'look')],
    'cont/subagents/agent-k.jsonl': agent('k', 'look', { sessionId: 'cont' }),
  });
  expect(onlySession(tree).id).toBe('main');
  expect(links(tree)).toEqual({ k: 'T' });
});

test('H12 a model uses ids of calls again: a sub-agent belongs to the call of its session that was the last before it began', () => {
  const at = (minute: number): Json => ({ timestamp: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString() });
  const session = (name: string, minute: number): Json[] => [
    user(`${name}u`, null, 'go', at(minute)),
    assistant(`${name}0`, `${name}u`, [toolUse('call_0', 'Bash')], at(minute)),
    result(`${name}r`, `${name}0`, 'call_0', at(minute)),
    spawn(`${name}1`, `${name}r`, 'call_0', 'left', at(minute + 1)),
    assistant(`${name}b`, `${name}1`, [toolUse('call_0', 'Bash')], at(minute + 1)),
    result(`${name}s`, `${name}1`, 'call_0', { ...at(minute + 2), toolUseResult: { agentId: `${name}k` } }),
    spawn(`${name}2`, `${name}s`, 'call_0', 'right', at(minute + 3)),
    result(`${name}t`, `${name}2`, 'call_0', { ...at(minute + 4), toolUseResult: { agentId: `${name}l` } }),
  ];
  const started = (id: string, minute: number): Json[] => agent(id, other, at(minute));
  const tree = claudeTree({
    'a.jsonl': session('a', 0),
    'b.jsonl': session('b', 0),
    'a/subagents/agent-ak.jsonl': started('ak', 1),
    'a/subagents/agent-al.jsonl': started('al', 3),
    'b/subagents/agent-bk.jsonl': started('bk', 1),
    'b/subagents/agent-bl.jsonl': started('bl', 3),
  });
  for (const name of ['a', 'b']) {
    expect(owned(tree, `${name}0`)).toEqual([[]]);
    expect(owned(tree, `${name}1`)).toEqual([[`${name}k`]]);
    expect(owned(tree, `${name}2`)).toEqual([[`${name}l`]]);
    expect(tree.session(name).subagents.map(({ id }) => id)).toEqual([`${name}k`, `${name}l`]);
  }
});

const META = 's/subagents/agent-k.meta.json';
const K = 's/subagents/agent-k.jsonl';
const other = 'words that no call has';
/** Two calls, `T` and `U`, of which only what is under test tells which one started the sub-agent `k`. */
const twoCalls = (...more: readonly Json[]): Json[] => [
  user('u1', null, 'go'),
  spawn('a1', 'u1', 'T', 'left'),
  spawn('a2', 'a1', 'U', 'right'),
  ...more,
];

const RUNGS: Readonly<Record<string, () => Files>> = {
  'the toolUseId beside the transcript': () => ({
    's.jsonl': twoCalls(),
    [K]: agent('k', other),
    [META]: [{ agentType: 'Explore', toolUseId: 'U' }],
  }),
  'the agentId of the result': () => ({
    's.jsonl': twoCalls(result('r2', 'a2', 'U', { toolUseResult: { agentId: 'k' } })),
    [K]: agent('k', other),
  }),
  'the agent_id of the result': () => ({
    's.jsonl': twoCalls(result('r2', 'a2', 'U', { toolUseResult: { agent_id: 'k' } })),
    [K]: agent('k', other),
  }),
  'the agentId of the result, with agent- before it': () => ({
    's.jsonl': twoCalls(result('r2', 'a2', 'U', { toolUseResult: { agentId: 'agent-k' } })),
    [K]: agent('k', other),
  }),
  'the last line of the result': () => ({
    's.jsonl': twoCalls(result('r2', 'a2', 'U', {}, 'I looked.\nagentId: k')),
    [K]: agent('k', other),
  }),
  'the tail of the last block of the result': () => ({
    's.jsonl': twoCalls(
      result('r2', 'a2', 'U', {}, [
        { type: 'text', text: 'I looked.' },
        { type: 'text', text: 'agentId: k\nworktreePath: /w\nworktreeBranch: b\n<usage>total_tokens: 5</usage>' },
      ]),
    ),
    [K]: agent('k', other),
  }),
  'a progress line': () => ({
    's.jsonl': twoCalls(progress('p1', 'a2', { type: 'agent_progress', agentId: 'k' }, { parentToolUseID: 'U' })),
    [K]: agent('k', other),
  }),
  'a notification': () => ({
    's.jsonl': twoCalls(notification('n1', 'a2', '<task-id>k</task-id>\n<tool-use-id>U</tool-use-id>')),
    [K]: agent('k', other),
  }),
  'a notification in the queue': () => ({
    's.jsonl': twoCalls(
      queue('enqueue', '<task-notification>\n<task-id>k</task-id>\n<tool-use-id>U</tool-use-id>\n</task-notification>'),
    ),
    [K]: agent('k', other),
  }),
  'a notification in the queue as JSON (peers D11)': () => ({
    's.jsonl': twoCalls(queue('enqueue', '{"task_id":"k","tool_use_id":"U","description":"Look"}')),
    [K]: agent('k', other),
  }),
  'a notification given between two steps': () => ({
    's.jsonl': twoCalls(
      queuedCommand(
        'q1',
        'a2',
        '<task-notification>\n<task-id>k</task-id>\n<tool-use-id>U</tool-use-id>\n</task-notification>',
        'task-notification',
      ),
    ),
    [K]: agent('k', other),
  }),
  'an equal prompt': () => ({ 's.jsonl': twoCalls(), [K]: agent('k', 'right') }),
  'a prompt with other white space': () => ({ 's.jsonl': twoCalls(), [K]: agent('k', '  right\n') }),
  'an equal prompt in blocks': () => ({ 's.jsonl': twoCalls(), [K]: agent('k', [{ type: 'text', text: 'right' }]) }),
  'an equal prompt in a message of the lead': () => ({
    's.jsonl': twoCalls(),
    [K]: agent('k', '<teammate-message teammate_id="team-lead">\nright\n</teammate-message>'),
  }),
  'an equal prompt below a skipped line': () => ({
    's.jsonl': twoCalls(),
    [K]: [
      system('k0', null, 'hook_started', side('k')),
      user('k1', 'k0', 'right', side('k')),
      assistant('k2', 'k1', 'seen', side('k')),
    ],
  }),
  'an equal prompt below an answer': () => ({
    's.jsonl': twoCalls(),
    [K]: [assistant('k0', null, 'I will', side('k')), ...agent('k', 'right')],
  }),
  'the name beside the transcript': () => ({
    's.jsonl': [
      user('u1', null, 'go'),
      spawn('a1', 'u1', 'T', 'left', {}, team('ann', 'Ann')),
      spawn('a2', 'a1', 'U', 'right', {}, team('bob', 'Bob')),
    ],
    [K]: agent('k', other),
    [META]: [{ agentType: 'general', name: 'bob' }],
  }),
  'the summary of its first message': () => ({
    's.jsonl': [
      user('u1', null, 'go'),
      spawn('a1', 'u1', 'T', 'left', {}, team('ann', 'Ann reads')),
      spawn('a2', 'a1', 'U', 'right', {}, team('bob', 'Bob writes')),
    ],
    [K]: [teammate('k1', null, other, side('k'), ' summary="Bob writes"'), assistant('k2', 'k1', 'ok', side('k'))],
  }),
};

test.each(Object.entries(RUNGS))('H12 %s links a sub-agent to its call', (_name, files) => {
  expect(links(claudeTree(files()))).toEqual({ k: 'U' });
});

test.each(Object.entries(RUNGS))('H12 %s links in every order of reading', (_name, files) => {
  const [expected, ...others] = [...inEveryOrder(claudeCode, files())].map(digestOf);
  for (const digest of others) expect(digest).toBe(expected);
});

const BETTER: Readonly<Record<string, Files>> = {
  'toolUseId goes before the result': {
    's.jsonl': twoCalls(result('r1', 'a1', 'T', { toolUseResult: { agentId: 'k' } })),
    [K]: agent('k', other),
    [META]: [{ toolUseId: 'U' }],
  },
  'the result goes before a progress line': {
    's.jsonl': twoCalls(
      progress('p1', 'a1', { type: 'agent_progress', agentId: 'k' }, { parentToolUseID: 'T' }),
      result('r2', 'a2', 'U', { toolUseResult: { agentId: 'k' } }),
    ),
    [K]: agent('k', other),
  },
  'the result goes before a notification': {
    's.jsonl': twoCalls(
      notification('n1', 'a1', '<task-id>k</task-id>\n<tool-use-id>T</tool-use-id>'),
      result('r2', 'a2', 'U', { toolUseResult: { agentId: 'k' } }),
    ),
    [K]: agent('k', other),
  },
  'a progress line goes before an equal prompt': {
    's.jsonl': twoCalls(progress('p1', 'a2', { type: 'agent_progress', agentId: 'k' }, { parentToolUseID: 'U' })),
    [K]: agent('k', 'left'),
  },
  'an equal prompt goes before a name': {
    's.jsonl': [
      user('u1', null, 'go'),
      spawn('a1', 'u1', 'T', 'left', {}, team('bob', 'Bob')),
      spawn('a2', 'a1', 'U', 'right', {}, team('ann', 'Ann')),
    ],
    [K]: agent('k', 'right'),
    [META]: [{ name: 'bob' }],
  },
  'a toolUseId that is nowhere leaves it to the result': {
    's.jsonl': twoCalls(result('r2', 'a2', 'U', { toolUseResult: { agentId: 'k' } })),
    [K]: agent('k', 'left'),
    [META]: [{ toolUseId: 'gone' }],
  },
};

test.each(Object.entries(BETTER))('H12 of several signs the better one counts: %s', (_name, files) => {
  expect(links(claudeTree(files))).toEqual({ k: 'U' });
});

test('H12 agentId: inside a line of the result is no link', () => {
  const tree = claudeTree({
    's.jsonl': twoCalls(result('r2', 'a2', 'U', {}, 'The log says agentId: k there.')),
    [K]: agent('k', other),
  });
  expect(links(tree)).toEqual({ k: null });
});

test('H12 what a notification quotes in its result is no link', () => {
  const tags =
    '<task-id>q</task-id>\n<tool-use-id>T</tool-use-id>\n<result>see <task-id>k</task-id> <tool-use-id>U</tool-use-id></result>';
  const tree = claudeTree({ 's.jsonl': twoCalls(notification('n1', 'a2', tags)), [K]: agent('k', other) });
  expect(links(tree)).toEqual({ k: null });
});

test('H12 a call that only asks for the output of a sub-agent does not own it', () => {
  const tree = claudeTree({
    's.jsonl': [
      user('u1', null),
      spawn('a1', 'u1', 'Z', 'left'),
      result('r1', 'a1', 'Z', { toolUseResult: { status: 'async_launched', agentId: 'k' } }),
      assistant('a2', 'r1', [toolUse('A', 'TaskOutput', { task_id: 'k' })]),
      result('r2', 'a2', 'A', { toolUseResult: { agentId: 'k' } }),
    ],
    [K]: agent('k', other),
  });
  expect(links(tree)).toEqual({ k: 'Z' });
});

test('H12 both names of the tool start sub-agents', () => {
  const tree = claudeTree({
    's.jsonl': [user('u1', null), assistant('a1', 'u1', [toolUse('T', 'Agent', { prompt: 'look' })])],
    [K]: agent('k'),
  });
  expect(links(tree)).toEqual({ k: 'T' });
});

test('H12 a tool of another name whose result names a sub-agent owns it', () => {
  const tree = claudeTree({
    's.jsonl': [
      user('u1', null),
      assistant('a1', 'u1', [toolUse('T', 'Skill', { skill: 'x' })]),
      result('r1', 'a1', 'T', { toolUseResult: { agentId: 'k' } }),
    ],
    [K]: agent('k', other),
  });
  expect(links(tree)).toEqual({ k: 'T' });
});

const sameWords = (...calls: readonly string[]): Json[] => [
  user('u1', null),
  assistant(
    'a1',
    'u1',
    calls.map((call) => toolUse(call, 'Task', { description: 'look', prompt: 'look' })),
  ),
];

test('H12 sub-agents with equal prompts take one call each, in the order they began', () => {
  const tree = claudeTree({
    's.jsonl': sameWords('T', 'U'),
    's/subagents/agent-z.jsonl': agent('z'),
    's/subagents/agent-b.jsonl': agent('b'),
  });
  expect(links(tree)).toEqual({ z: 'T', b: 'U' });
});

test('H12 a call that is known for certain is not guessed again', () => {
  const tree = claudeTree({
    's.jsonl': [...sameWords('T', 'U'), result('r1', 'a1', 'T', { toolUseResult: { agentId: 'm' } })],
    's/subagents/agent-k.jsonl': agent('k'),
    's/subagents/agent-m.jsonl': agent('m'),
  });
  expect(links(tree)).toEqual({ k: 'U', m: 'T' });
});

test('H12 more sub-agents than calls: the last ones are listed without a call', () => {
  const tree = claudeTree({
    's.jsonl': sameWords('T'),
    's/subagents/agent-k.jsonl': agent('k'),
    's/subagents/agent-m.jsonl': agent('m'),
  });
  expect(links(tree)).toEqual({ k: 'T', m: null });
});

test('H12 a sub-agent that nothing links is listed all the same', () => {
  const tree = claudeTree({ 's.jsonl': main(), [K]: agent('k', other) });
  expect(links(tree)).toEqual({ k: null });
  expect(owned(tree, 'a1')).toEqual([[]]);
});

test('H12 an equal prompt of another session is no link', () => {
  const tree = claudeTree({ 's.jsonl': [user('u1', null)], 't.jsonl': main(), [K]: agent('k') });
  expect(tree.session('s').subagents).toMatchObject([{ id: 'k', spawn: null }]);
  expect(owned(tree, 'a1')).toEqual([[]]);
});

test('H12 of teammates with one description the one that began after the call belongs to it', () => {
  const call = (uuid: string, parent: string, id: string): Json =>
    spawn(uuid, parent, id, `${id} words`, {}, team(id, 'Bob'));
  const lines = (id: string): Json[] => [
    teammate(`${id}1`, null, other, side(id), ' summary="Bob"'),
    assistant(`${id}2`, `${id}1`, 'ok', side(id)),
  ];
  const opening = [user('u1', null), call('a1', 'u1', 'T')];
  const early = lines('z');
  const later = [call('a2', 'a1', 'U')];
  const late = lines('b');
  const tree = claudeTree({
    's.jsonl': [...opening, ...later],
    's/subagents/agent-b.jsonl': late,
    's/subagents/agent-z.jsonl': early,
  });
  expect(links(tree)).toEqual({ z: 'T', b: 'U' });
});

test('H12 sub-agents are listed in the order they began', () => {
  const tree = claudeTree({ 's.jsonl': main(), 'agent-z.jsonl': agent('z'), 'agent-b.jsonl': agent('b') });
  expect(onlySession(tree).subagents.map(({ id }) => id)).toEqual(['z', 'b']);
});

test('H12 a sub-agent never belongs to a call of its own', () => {
  const tree = claudeTree({
    's.jsonl': [user('u1', null)],
    [K]: [
      user('k1', null, 'look', side('k')),
      spawn('k2', 'k1', 'T', 'look', side('k')),
      result('k3', 'k2', 'T', side('k', { toolUseResult: { agentId: 'k' } })),
    ],
  });
  expect(links(tree)).toEqual({ k: null });
});

test('H12 two sub-agents that claim to have started each other are both listed and one of them is free', () => {
  const lines = (id: string, other: string): Json[] => [
    user(`${id}1`, null, id, side(id)),
    spawn(`${id}2`, `${id}1`, `T${id}`, 'x', side(id)),
    result(`${id}3`, `${id}2`, `T${id}`, side(id, { toolUseResult: { agentId: other } })),
  ];
  const files = { 's.jsonl': [user('u1', null)], 'agent-k.jsonl': lines('k', 'm'), 'agent-m.jsonl': lines('m', 'k') };
  for (const tree of inEveryOrder(claudeCode, files)) {
    const free = onlySession(tree).subagents.filter(({ spawn }) => spawn === null);
    expect([onlySession(tree).subagents.length, free.length]).toEqual([2, 1]);
  }
});

test('H12 a circle of three sub-agents is opened at one place', () => {
  const lines = (id: string, other: string): Json[] => [
    user(`${id}1`, null, id, side(id)),
    spawn(`${id}2`, `${id}1`, `T${id}`, 'x', side(id)),
    result(`${id}3`, `${id}2`, `T${id}`, side(id, { toolUseResult: { agentId: other } })),
  ];
  const tree = claudeTree({
    's.jsonl': [user('u1', null)],
    'agent-k.jsonl': lines('k', 'm'),
    'agent-m.jsonl': lines('m', 'q'),
    'agent-q.jsonl': lines('q', 'k'),
  });
  expect(onlySession(tree).subagents.filter(({ spawn }) => spawn === null)).toHaveLength(1);
});

test('H12 the file of a task of oh-my-pi belongs to the call that started it', () => {
  const tree = piTree({
    '2026-01-01T00-00-00-000Z_S.jsonl': [
      piHeader('S'),
      piUser('u1', null),
      piAssistant('a1', 'u1', [{ type: 'toolCall', id: 'T', name: 'task', arguments: {} }]),
      piMessage('r1', 'a1', {
        role: 'toolResult',
        toolCallId: 'T',
        toolName: 'task',
        content: [],
        details: { results: [{ id: 'Explore' }, { id: 'Check' }] },
        isError: false,
        timestamp: 0,
      }),
    ],
    '2026-01-01T00-00-00-000Z_S/Explore.jsonl': [piHeader('E'), piUser('u1', null), piAssistant('a1', 'u1')],
    '2026-01-01T00-00-00-000Z_S/Check.jsonl': [piHeader('C'), piUser('u1', null), piAssistant('a1', 'u1')],
  });
  expect(links(tree)).toEqual({ 'S/Explore': 'T', 'S/Check': 'T' });
  expect(owned(tree, 'S/a1')).toEqual([['S/Explore', 'S/Check']]);
  expect(threadOf(tree)).toEqual(['S/u1', 'S/a1']);
});

test('H12 an attachment of a sub-agent is no record of the main line', () => {
  const tree = claudeTree([
    user('u1', null),
    { ...attachment('k0', 'u1', { type: 'queued_command', prompt: 'go on', commandMode: 'prompt' }), ...side('k') },
    assistant('a1', 'u1'),
  ]);
  expect(threadOf(tree)).toEqual(['u1', 'a1']);
});

/** Two sessions with new uuids, whose sub-agents have one id, and whose calls and answers have the same ids. */
const sessionWithAgent = (session: string): Files => ({
  [`${session}.jsonl`]: [
    user(`${session}-u`, null, 'look', { sessionId: session }),
    assistant(`${session}-a`, `${session}-u`, [toolUse('t1', 'Task', { prompt: 'look' })], {
      sessionId: session,
      id: 'm',
    }),
    user(`${session}-r`, `${session}-a`, [toolResult('t1')], { sessionId: session, toolUseResult: { agentId: 'g' } }),
  ],
  [`${session}/subagents/agent-g.jsonl`]: ['1', '2'].map((n) =>
    user(`${session}-g${n}`, n === '1' ? null : `${session}-g1`, `look ${n}`, {
      sessionId: session,
      isSidechain: true,
      agentId: 'g',
    }),
  ),
});
const TWICE: Files = { ...sessionWithAgent('one'), ...sessionWithAgent('two') };

test('U43 sub-agents of one id belong to the sessions in whose folders they lie', () => {
  for (const tree of inEveryOrder(claudeCode, TWICE))
    for (const id of ['one', 'two']) {
      const [agent, ...others] = tree.session(id).subagents;
      expect(others).toEqual([]);
      expect(agent).toMatchObject({ id: 'g', files: [`p/${id}/subagents/agent-g.jsonl`], recordCount: 2 });
      expect(agent?.spawn).toEqual({ record: `${id}-a`, call: 't1' });
      expect(tree.subagentRecords('g', id)).toEqual([`${id}-g1`, `${id}-g2`]);
      expect(tree.record(`${id}-g1`)?.session).toBe(id);
    }
});

test('U43 a file that lies in no folder of a session belongs to the one it names', () => {
  const { 'two/subagents/agent-g.jsonl': second = [], ...others } = TWICE;
  const tree = claudeTree({ ...others, 'agent-g.jsonl': second });
  expect(['one', 'two'].map((id) => tree.session(id).subagents.map(({ recordCount }) => recordCount))).toEqual([
    [2],
    [2],
  ]);
});

test('U43 what a sub-agent says once in two files of one session stays one sub-agent', () => {
  const own = sessionWithAgent('one');
  const lines = own['one/subagents/agent-g.jsonl'] ?? [];
  const tree = claudeTree({ ...own, 'agent-g.jsonl': lines });
  expect(tree.session('one').subagents).toMatchObject([{ id: 'g', recordCount: 2 }]);
});

test('U43 a call belongs to the session that its line names, whatever its file is called', () => {
  const { 'one.jsonl': first = [], 'one/subagents/agent-g.jsonl': own = [], ...two } = TWICE;
  const name = (lines: string | readonly object[]) =>
    (lines as readonly object[]).map((line) => ({ ...line, sessionId: 'one' }));
  const tree = claudeTree({ ...two, 'renamed.jsonl': name(first), 'agent-g.jsonl': name(own) });
  expect(tree.record('one-a')?.calls).toMatchObject([{ id: 't1', subagents: ['g'] }]);
});
