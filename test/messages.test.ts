import { describe, expect, test } from 'vitest';
import { claudeCode } from '../src/formats/claude-code/index.ts';
import { pi } from '../src/formats/pi/index.ts';
import { indexProjects } from '../src/ingest/index-projects.ts';
import { listStoredSessions } from '../src/ingest/stored-lists.ts';
import { buildMessages, checkMessages, type Message, updateMessages, validateMessages } from '../src/messages/index.ts';
import { SqliteIndex } from '../src/stores/sqlite/index-db.ts';
import { contentFrom } from './kit/content.ts';
import { corpusSessions, hasCorpus } from './kit/corpus.ts';
import { IndexFolder } from './kit/index-folder.ts';
import {
  assistant,
  claudeTree,
  command,
  type Files,
  factsOf,
  linesOf,
  onlySession,
  piHeader,
  piMessage,
  piTree,
  stdout,
  system,
  toolResult,
  toolUse,
  user,
} from './kit/transcript.ts';

const listOf = (files: Files): readonly Message[] => {
  const tree = claudeTree(files);
  return buildMessages(tree, onlySession(tree).id, contentFrom(claudeCode, files), () => 0.5).items;
};
const idsOf = (messages: readonly Message[]): unknown[] =>
  messages.map(({ uuid, parentUuid, type }) => [uuid, parentUuid, type]);

/** The seed's flow: text, then a call, its result, and the answer. */
const flow = [
  user('u1', null, 'Read config.json'),
  assistant('a1', 'u1', "I'll read it."),
  assistant('a2', 'a1', [toolUse('T', 'Read', { file_path: '/c.json' })]),
  user('r2', 'a2', [toolResult('T', '{"port":3000}')]),
  assistant('a3', 'r2', 'Port 3000.'),
];

describe('M1 extraction', () => {
  test('M1 a tool use is a child of its answer, its result a child of the tool use', () => {
    expect(idsOf(listOf({ 's.jsonl': flow }))).toEqual([
      ['u1', null, 'user'],
      ['a1', 'u1', 'assistant'],
      ['a2', 'a1', 'assistant'],
      ['a2_tool_0', 'a2', 'tool_use'],
      ['a2_result_0', 'a2_tool_0', 'tool_result'],
      ['a3', 'a2', 'assistant'],
    ]);
  });

  test('M1 content, flags and cost are as in the seed', () => {
    const [, , answer, use, result] = listOf({ 's.jsonl': flow });
    expect(answer).toMatchObject({ content: '', isSidechain: true, costUsd: 0.5, model: 'claude-x' });
    expect(use).toMatchObject({
      content: '{"type":"tool_use","name":"Read","input":{"file_path":"/c.json"}}',
      isSidechain: true,
      toolName: 'Read',
      toolUseId: 'T',
      isError: false,
    });
    expect(result).toMatchObject({ content: '{"port":3000}', isSidechain: true, isError: false, toolUseId: 'T' });
    expect([use, result].some((message) => message && 'costUsd' in message)).toBe(false);
  });

  test('M1 a tool use and its result carry whether it failed', () => {
    const lines = [assistant('a1', null, [toolUse('T')]), user('r1', 'a1', [toolResult('T', 'no', true)])];
    const tools = listOf({ 's.jsonl': lines }).slice(1);
    expect(tools.map(({ toolUseId, toolName, isError }) => [toolUseId, toolName, isError])).toEqual([
      ['T', 'Read', true],
      ['T', 'Read', true],
    ]);
  });

  test('M1 every kind but an answer is of type user; annotations are none', () => {
    const messages = listOf({
      's.jsonl': [
        user('u1', null, '<command-name>/init</command-name>'),
        user('o1', 'u1', '<local-command-stdout>done</local-command-stdout>'),
        system('s1', 'o1', 'turn_duration', { durationMs: 5 }),
        user('u2', 's1', 'go on'),
      ],
    });
    expect(messages.map(({ uuid, type, kind }) => [uuid, type, kind])).toEqual([
      ['u1', 'user', 'built_in_command'],
      ['u2', 'user', 'user'],
    ]);
  });

  test('M1 the text blocks of an answer are joined by a blank line', () => {
    const blocks = [
      { type: 'text', text: 'one' },
      { type: 'thinking', thinking: 'hm' },
      { type: 'text', text: 'two' },
    ];
    expect(listOf({ 's.jsonl': [assistant('a1', null, blocks)] })[0]?.content).toBe('one\n\ntwo');
  });
});

describe('M1 what search finds in a message, its content says', () => {
  test('M1 a call that was answered several times has all of its results', () => {
    const messages = listOf({
      's.jsonl': [
        user('u1', null),
        assistant('a1', 'u1', [toolUse('T')]),
        user('r1', 'a1', [toolResult('T', 'first')]),
        user('r2', 'r1', [toolResult('T', 'second'), toolResult('T', 'third')]),
      ],
    });
    expect(messages.map(({ uuid, content }) => [uuid, content]).slice(3)).toEqual([
      ['a1_result_0', 'first\n\nsecond\n\nthird'],
    ]);
  });

  test('M1 what a command printed belongs to it', () => {
    const messages = listOf({
      's.jsonl': [
        user('u1', null, '<bash-input>ls</bash-input>'),
        user('o1', 'u1', '<bash-stdout>a.txt</bash-stdout><bash-stderr>oh</bash-stderr>'),
        command('c1', 'o1', '/cost'),
        stdout('o2', 'c1', 'nothing'),
      ],
    });
    expect(messages.map(({ content }) => content)).toEqual(['ls\n\na.txt\n\noh', '/cost\n\nnothing']);
    const files = {
      's.jsonl': [piHeader(), piMessage('b1', null, { role: 'bashExecution', command: 'ls', output: 'a.txt' })],
    };
    const tree = piTree(files);
    const [run] = buildMessages(tree, onlySession(tree).id, contentFrom(pi, files), () => null).items;
    expect(run?.content).toBe('ls\n\na.txt');
  });

  test('M1 an answer says its text blocks and nothing else', () => {
    const blocks = [
      { type: 'text', text: 'one' },
      { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'clocks' } },
    ];
    expect(listOf({ 's.jsonl': [assistant('a1', null, blocks)] })[0]?.content).toBe('one');
  });
});

describe('M2 pairing', () => {
  test('M2 results pair by the id of the call, over the lines of one answer', () => {
    const messages = listOf({
      's.jsonl': [
        user('u1', null),
        assistant('a1', 'u1', [toolUse('A')], { id: 'm' }),
        assistant('a2', 'a1', [toolUse('B')], { id: 'm' }),
        user('r1', 'a2', [toolResult('B', 'of B')]),
        user('r2', 'r1', [toolResult('A', 'of A')]),
        assistant('a3', 'r2', 'done'),
      ],
    });
    expect(messages.map(({ uuid, parentUuid, content }) => [uuid, parentUuid, content.slice(0, 4)])).toEqual([
      ['u1', null, 'u1'],
      ['a1', 'u1', ''],
      ['a1_tool_0', 'a1', '{"ty'],
      ['a1_result_0', 'a1_tool_0', 'of A'],
      ['a1_tool_1', 'a1', '{"ty'],
      ['a1_result_1', 'a1_tool_1', 'of B'],
      ['a3', 'a1', 'done'],
    ]);
  });

  test('M2 a result whose call is unknown stays under its record and is reported', () => {
    const messages = listOf({ 's.jsonl': [user('u1', null), user('r1', 'u1', [toolResult('X', 'lost')])] });
    expect(idsOf(messages)).toEqual([
      ['u1', null, 'user'],
      ['r1', 'u1', 'user'],
      ['r1_result_0', 'r1', 'tool_result'],
    ]);
    expect(validateMessages(messages, new Set(['u1'])).map(({ rule, uuid }) => [rule, uuid])).toEqual([
      ['M5.v4', 'r1_result_0'],
    ]);
  });
});

describe('M3 what follows a result hangs on the answer, and nothing is an orphan', () => {
  const called = [user('u1', null), assistant('a1', 'u1', [toolUse('A')]), user('r1', 'a1', [toolResult('A', 'one')])];
  test.each([
    ['the next answer', [...called, assistant('a2', 'r1', 'done')], ['a2', 'a1']],
    ['a prompt', [...called, user('u2', 'r1', 'stop')], ['u2', 'a1']],
    [
      'an answer behind an annotation',
      [...called, system('n1', 'r1', 'turn_duration'), assistant('a2', 'n1', 'done')],
      ['a2', 'a1'],
    ],
    [
      'the answer after a second call, of which that answer is the parent',
      [
        ...called,
        assistant('a2', 'r1', [toolUse('B')]),
        user('r2', 'a2', [toolResult('B', 'two')]),
        assistant('a3', 'r2', 'done'),
      ],
      ['a3', 'a2'],
    ],
  ])('M3 %s', (_name, lines, [uuid, parent]) => {
    const messages = listOf({ 's.jsonl': lines });
    expect(messages.find((message) => message.uuid === uuid)?.parentUuid).toBe(parent);
    expect(orphansOf(messages)).toEqual([]);
  });

  test.skipIf(!hasCorpus)('M3 in no session of the corpus (skipped without the corpus beside the checkout)', () => {
    const sessions = corpusSessions();
    expect(sessions.length).toBeGreaterThan(0);
    for (const session of sessions) {
      const content: Parameters<typeof buildMessages>[2] = (record) => session.content(record);
      const { items } = buildMessages(session.logs.read().tree, session.id, content, () => null);
      expect(orphansOf(items), session.id).toEqual([]);
    }
  });
});

/** Those whose parent is not in the list. */
function orphansOf(messages: readonly Message[]): string[] {
  const uuids = new Set(messages.map(({ uuid }) => uuid));
  return messages.flatMap(({ uuid, parentUuid }) => (parentUuid === null || uuids.has(parentUuid) ? [] : [uuid]));
}

test('M2 a result without an id has no known call: it is a message under its record, and reported', () => {
  const lines = [user('u1', null), user('r1', 'u1', [{ type: 'tool_result', content: 'lost' }])];
  expect(listOf({ 's.jsonl': lines }).at(-1)).toMatchObject({
    uuid: 'r1_result_0',
    parentUuid: 'r1',
    type: 'tool_result',
    content: 'lost',
  });
  expect(checkMessages(claudeTree(lines)).map(({ rule, message }) => [rule, message])).toEqual([
    ['M5.v4', 'Result r1_result_0 belongs to no known call (no id)'],
  ]);
});

test('M1 a block that nobody knows says in a prompt what is found in it', () => {
  const blocks = [{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'a sea otter' } }];
  expect(listOf({ 's.jsonl': [user('u1', null, blocks)] })[0]?.content).toBe('[document]\ntext/plain\na sea otter');
});

describe('M2 results beside what somebody typed', () => {
  const said = [toolResult('T', 'of T'), toolResult('X', 'of X'), { type: 'text', text: 'no' }];
  const lines = [user('u1', null), assistant('a1', 'u1', [toolUse('T')]), user('r1', 'a1', said)];

  test('M2 one whose call is known is a message of the call only', () => {
    expect(idsOf(listOf({ 's.jsonl': lines })).slice(2)).toEqual([
      ['a1_tool_0', 'a1', 'tool_use'],
      ['a1_result_0', 'a1_tool_0', 'tool_result'],
      ['r1', 'a1', 'user'],
      ['r1_result_1', 'r1', 'tool_result'],
    ]);
    expect(checkMessages(claudeTree(lines)).map(({ rule, uuid }) => [rule, uuid])).toEqual([['M5.v4', 'r1_result_1']]);
  });

  test('M20 a call that turns up later takes its result away from them', () => {
    const late = [lines[0], lines[2], lines[1]] as object[];
    const files = { 's.jsonl': late };
    const tree = claudeTree({ 's.jsonl': late.slice(0, 2) });
    const content = contentFrom(claudeCode, files);
    const before = buildMessages(tree, 's', content, () => null);
    expect(before.items.map(({ uuid }) => uuid)).toEqual(['u1', 'r1', 'r1_result_0', 'r1_result_1']);
    const change = tree.add(factsOf(claudeCode, 's.jsonl'), linesOf(claudeCode, 's.jsonl', late).slice(2));
    const after = updateMessages(before, tree, change, content, () => null);
    expect(after).toEqual(buildMessages(tree, 's', content, () => null));
    expect(after.items.map(({ uuid }) => uuid)).not.toContain('r1_result_0');
  });

  test('P4 all of them are counted as messages, with and without an index', async () => {
    const folder = new IndexFolder();
    folder.write('p', { 's.jsonl': lines });
    const [session] = folder.history().projects.flatMap((project) => project.sessions());
    expect(session?.messageCount).toBe(listOf({ 's.jsonl': lines }).length);
    const store = SqliteIndex.open(folder.db());
    await indexProjects(folder.history(), store, { workers: 0 });
    expect((await listStoredSessions(store)).map(({ messageCount }) => messageCount)).toEqual([session?.messageCount]);
    await store.close();
    folder.remove();
  });
});

test('M4 messages of a sub-agent carry its id and the call that started it', () => {
  const side = { isSidechain: true, agentId: 'g1' };
  const messages = listOf({
    's.jsonl': [
      user('u1', null, 'Look'),
      assistant('a1', 'u1', [toolUse('T', 'Task', { prompt: 'look around', description: 'look' })]),
      user('r1', 'a1', [toolResult('T', 'seen')], { toolUseResult: { agentId: 'g1', status: 'completed' } }),
    ],
    's/subagents/agent-g1.jsonl': [user('g-u', null, 'look around', side), assistant('g-a', 'g-u', 'seen', side)],
  });
  expect(
    messages
      .filter(({ agentId }) => agentId === 'g1')
      .map(({ uuid, spawnToolUseId, isSidechain }) => [uuid, spawnToolUseId, isSidechain]),
  ).toEqual([
    ['g-u', 'T', true],
    ['g-a', 'T', true],
  ]);
});

describe('M5 validation', () => {
  const message = (uuid: string, parentUuid: string | null, more: Partial<Message> = {}) => ({
    uuid,
    parentUuid,
    type: 'user' as const,
    isSidechain: false,
    timestamp: 0,
    record: uuid,
    ...more,
  });
  const rules = (...messages: Parameters<typeof validateMessages>[0]) =>
    validateMessages(messages, new Set(['u1'])).map(({ rule, uuid }) => `${rule} ${uuid}`);

  test.each([
    ['v1 a message without a parent starts something', [message('u1', null), message('u2', null)], ['M5.v1 u2']],
    ['v2 a parent is in the session', [message('u1', null), message('u2', 'x')], ['M5.v2 u2']],
    [
      'v3 a tool message is a sidechain',
      [message('u1', null, { type: 'tool_use' }), message('r', 'u1', { type: 'tool_result', isSidechain: true })],
      ['M5.v3 u1', 'M5.c2 u1'],
    ],
    [
      'v4 a result has a call above it',
      [message('u1', null), message('r', 'u1', { type: 'tool_result', isSidechain: true })],
      ['M5.v4 r'],
    ],
    [
      'v5 a call in an answer is a message',
      [message('u1', null, { type: 'assistant', isSidechain: true })],
      ['M5.v5 u1'],
    ],
    ['c1 nothing is its own ancestor', [message('u1', 'u2'), message('u2', 'u1')], ['M5.c1 u1', 'M5.c1 u2']],
    [
      'c2 a tool message has a parent',
      [
        message('u1', null),
        message('t', 'x', { type: 'tool_use', isSidechain: true }),
        message('r', 't', { type: 'tool_result', isSidechain: true }),
      ],
      ['M5.v2 t', 'M5.c2 t'],
    ],
    [
      'c3 a call has a result',
      [message('u1', null), message('t', 'u1', { type: 'tool_use', isSidechain: true })],
      ['M5.c3 t'],
    ],
    ['c4 time does not go back', [message('u1', null, { timestamp: 5 }), message('u2', 'u1')], ['M5.c4 u2']],
  ] as const)('M5 %s', (_name, messages, expected) => {
    expect(rules(...messages)).toEqual(expected);
  });
});

describe('M5 what a log breaks is found', () => {
  const early = { timestamp: '2020-01-01T00:00:00.000Z' };
  const found = (...lines: readonly object[]) =>
    checkMessages(claudeTree(lines)).map(({ rule, file, line, uuid, count }) => [rule, file, line, uuid, count]);
  const file = factsOf(claudeCode, 's.jsonl').path;

  test.each<[string, readonly object[], readonly unknown[]]>([
    ['v2 a parent that is nowhere', [user('u1', null), user('u2', 'gone')], [['M5.v2', file, 2, 'u2', 1]]],
    ['c1 a circle', [user('u1', 'u2'), user('u2', 'u1')], [['M5.c1', file, 1, 'u1', 1]]],
    ['c1 its own parent', [user('u1', 'u1')], [['M5.c1', file, 1, 'u1', 1]]],
    [
      'c4 a result that is older than its call',
      [user('u1', null), assistant('a1', 'u1', [toolUse('T')]), user('r1', 'a1', [toolResult('T')], early)],
      [['M5.c4', file, 3, 'a1_result_0', 1]],
    ],
    [
      'v4 each result of an unknown call, in its line',
      [user('r1', null, [toolResult('X'), toolResult('Y')]), user('r2', 'r1', [toolResult('Z')])],
      [
        ['M5.v4', file, 1, 'r1_result_0', 1],
        ['M5.v4', file, 1, 'r1_result_1', 1],
        ['M5.v4', file, 2, 'r2_result_0', 1],
      ],
    ],
    [
      'c3 each call without a result, in its line',
      [assistant('a1', null, [toolUse('A')], { id: 'm' }), assistant('a2', 'a1', [toolUse('B')], { id: 'm' })],
      [
        ['M5.c3', file, 1, 'a1_tool_0', 1],
        ['M5.c3', file, 2, 'a1_tool_1', 1],
      ],
    ],
  ])('M5 %s', (_name, lines, expected) => {
    expect(found(...lines)).toEqual(expected);
  });
});

test('M20 the list is brought up to date: the same as built anew, unchanged messages the same objects', () => {
  const files: Record<string, readonly object[]> = { 's.jsonl': flow };
  const tree = claudeTree({ 's.jsonl': flow.slice(0, 3) });
  const content = contentFrom(claudeCode, files);
  const before = buildMessages(tree, 's', content, () => null);
  const facts = factsOf(claudeCode, 's.jsonl');
  const change = tree.add(facts, linesOf(claudeCode, 's.jsonl', flow).slice(3));
  const after = updateMessages(before, tree, change, content, () => null);
  expect(after).toEqual(buildMessages(tree, 's', content, () => null));
  expect(after.items[0]).toBe(before.items[0]);
  expect(after.items[2]).not.toBe(before.items[2]);
});
