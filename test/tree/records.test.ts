import { describe, expect, test } from 'vitest';
import { claudeCode } from '../../src/formats/claude-code/index.ts';
import { Tree } from '../../src/tree/index.ts';
import {
  assistant,
  attachment,
  blocksOf,
  boundary,
  caveat,
  claudeTree,
  command,
  compactSummary,
  contentOf,
  dialects,
  type Files,
  factsOf,
  type Json,
  linesOf,
  meta,
  onlySession,
  piEntry,
  piHeader,
  piTree,
  piUser,
  progress,
  queue,
  queuedCommand,
  recordOf,
  stdout,
  summary,
  system,
  threadOf,
  toolResult,
  toolUse,
  user,
} from '../kit/transcript.ts';

const text = (value: string): Json => ({ type: 'text', text: value });
const thinking = (value: string): Json => ({ type: 'thinking', thinking: value, signature: 'AAAA' });
const types = (tree: Tree): string[] => tree.findings().map(({ type }) => type);
const kinds = (tree: Tree, id: string): string[] => recordOf(tree, id).annotations.map(({ kind }) => kind);
const results = (tree: Tree, id: string): (number | null)[] =>
  recordOf(tree, id).calls.map(({ result }) => result?.line ?? null);

/** An answer without `message.id`, as old versions and other programs write it. */
const nameless = (uuid: string, parent: string | null): Json => ({
  ...assistant(uuid, parent),
  message: {
    role: 'assistant',
    model: 'claude-x',
    content: [text(uuid)],
    usage: { input_tokens: 1, output_tokens: 1 },
  },
});

describe('H1 one line, at most one record', () => {
  const split = [
    user('u1', null),
    assistant('a1', 'u1', [thinking('')], { id: 'm' }),
    assistant('a2', 'a1', [text('hello')], { id: 'm' }),
    assistant('a3', 'a2', [toolUse('A')], { id: 'm' }),
    user('r4', 'a3', [toolResult('A')]),
    user('u5', 'r4'),
  ];

  test('H1 the lines of one response are one record, named by the first', () => {
    expect(threadOf(claudeTree(split))).toEqual(['u1', 'a1', 'u5']);
  });

  test('H1 the other lines of a response are aliases that find it', () => {
    const tree = claudeTree(split);
    expect(recordOf(tree, 'a1').aliases).toEqual(['a2', 'a3']);
    expect(recordOf(tree, 'a3').id).toBe('a1');
  });

  test('H1 each line of a response keeps its own uuid, time and place', () => {
    const { lines } = recordOf(claudeTree(split), 'a1');
    expect(lines.map(({ key, time, ref, as }) => [key, time, ref.line, as])).toEqual(
      [1, 2, 3].map((at) => [split[at]?.uuid, Date.parse(String(split[at]?.timestamp)), at + 1, 'part']),
    );
  });

  test('H1 the blocks of a response keep the order of its lines', () => {
    const tree = claudeTree(split);
    expect(contentOf(recordOf(tree, 'a1'), split).map(({ type }) => type)).toEqual(['thinking', 'text', 'call']);
  });

  test('H1 a response has the parent and the time of its first line', () => {
    const { parent, time } = recordOf(claudeTree(split), 'a3');
    expect([parent, time]).toEqual(['u1', Date.parse(String(split[1]?.timestamp))]);
  });

  test('H1 what hangs on any line of a response hangs on the response', () => {
    const tree = claudeTree([...split.slice(0, 3), user('u4', 'a2')]);
    expect(recordOf(tree, 'u4').parent).toBe('a1');
  });

  test('H1 the lines of a response need not stand together', () => {
    const lines = [
      user('u1', null),
      assistant('a2', 'u1', [toolUse('A')], { id: 'm' }),
      attachment('h3', 'a2', { type: 'hook_success', hookName: 'PreToolUse:Read' }),
      user('r4', 'a2', [toolResult('A')]),
      assistant('a5', 'r4', [toolUse('B')], { id: 'm' }),
      user('r6', 'a5', [toolResult('B')]),
      assistant('a7', 'r6', 'done'),
    ];
    const tree = claudeTree(lines);
    expect(threadOf(tree)).toEqual(['u1', 'a2', 'a7']);
    expect(results(tree, 'a2')).toEqual([4, 6]);
  });

  test('H1 links between the lines of a response and its results vanish', () => {
    const tree = claudeTree([
      user('u1', null),
      assistant('a2', 'u1', [toolUse('A')], { id: 'm' }),
      user('r3', 'a2', [toolResult('A')]),
      assistant('a4', 'r3', [text('more')], { id: 'm' }),
    ]);
    expect(recordOf(tree, 'a4')).toMatchObject({ id: 'a2', parent: 'u1' });
  });

  test('H1 a response whose first line hangs on a later one has the parent that lies outside of it', () => {
    const tree = claudeTree([
      user('u1', null),
      assistant('a3', 'r2', [text('more')], { id: 'm' }),
      assistant('a2', 'u1', [toolUse('A')], { id: 'm' }),
      user('r2', 'a2', [toolResult('A')]),
    ]);
    expect(recordOf(tree, 'a2')).toMatchObject({ id: 'a3', parent: 'u1' });
    expect(types(tree)).toEqual([]);
  });

  test('H1 a response split by another response is still one record', () => {
    const tree = claudeTree([
      user('u1', null),
      assistant('a2', 'u1', 'one', { id: 'm' }),
      assistant('b3', 'a2', 'between', { id: 'n' }),
      assistant('a4', 'b3', 'two', { id: 'm' }),
    ]);
    expect(threadOf(tree)).toEqual(['u1', 'a2', 'b3']);
  });

  test('H1 a response whose first half was copied into the file that holds the second is one record', () => {
    const half = assistant('a2', 'u1', 'half', { id: 'm' });
    const first = user('u1', null);
    const tree = claudeTree({
      'one.jsonl': [first, half],
      'two.jsonl': [first, half, assistant('a3', 'a2', 'the rest', { id: 'm' })],
    });
    expect(recordOf(tree, 'a3').id).toBe('a2');
    expect(recordOf(tree, 'a2').lines.map(({ key }) => key)).toEqual(['a2', 'a3']);
  });

  test('H1 a response of a sub-agent with the same message id is another record', () => {
    const inside = { id: 'm', isSidechain: true, agentId: 'x' };
    const tree = claudeTree({
      's.jsonl': [user('u1', null), assistant('a2', 'u1', 'here', { id: 'm' })],
      's/subagents/agent-x.jsonl': [
        user('v1', null, 'go', { isSidechain: true, agentId: 'x' }),
        assistant('b2', 'v1', 'there', inside),
        assistant('b3', 'b2', 'and there', inside),
      ],
    });
    expect(recordOf(tree, 'a2').aliases).toEqual([]);
    expect(recordOf(tree, 'b2')).toMatchObject({ subagent: 'x', aliases: ['b3'] });
  });

  test('H1 responses of two sub-agents inside one file are two records, whatever their message id', () => {
    const inside = { isSidechain: true };
    const tree = claudeTree([
      user('u1', null),
      user('v1', null, 'one', inside),
      assistant('b1', 'v1', 'x', { id: 'm', ...inside }),
      user('v2', null, 'two', inside),
      assistant('b2', 'v2', 'y', { id: 'm', ...inside }),
    ]);
    expect([recordOf(tree, 'b1').id, recordOf(tree, 'b2').id]).toEqual(['b1', 'b2']);
  });

  test('H1 a line without a message id stands alone', () => {
    const tree = claudeTree([user('u1', null), nameless('a2', 'u1'), nameless('a3', 'a2')]);
    expect(threadOf(tree)).toEqual(['u1', 'a2', 'a3']);
  });

  test.each([
    ['the last line says it', [null, null, 'tool_use'], 'tool_use'],
    ['a later line says null', ['end_turn', null], 'end_turn'],
    ['two lines say it', ['tool_use', 'end_turn'], 'end_turn'],
    ['none says it', [null, null], null],
  ] as const)('H1 a response has the last stop reason that is not null: %s', (_name, stops, stopReason) => {
    const lines = stops.map((stop, i) =>
      assistant(`a${i}`, i === 0 ? 'u1' : `a${i - 1}`, `${i}`, { id: 'm', ...(stop ? { stop } : {}) }),
    );
    expect(recordOf(claudeTree([user('u1', null), ...lines]), 'a0')).toMatchObject({ stopReason });
  });

  test.each([
    ['last', [5, 5, 90]],
    ['first', [90, 5, 5]],
    ['in the middle', [5, 90, 40]],
  ])('H1 usage is that of the line with the greatest output, wherever it stands: %s', (_name, outputs) => {
    const lines = outputs.map((output, i) =>
      assistant(`a${i}`, i === 0 ? 'u1' : `a${i - 1}`, `${i}`, {
        id: 'm',
        usage: { input_tokens: output === 90 ? 7 : 1000, output_tokens: output },
      }),
    );
    expect(recordOf(claudeTree([user('u1', null), ...lines]), 'a0').usage).toMatchObject({ output: 90, input: 7 });
  });

  test('H1 usage is keyed by the message id, so that a copy in a sub-agent counts once', () => {
    const tree = claudeTree({
      's.jsonl': [user('u1', null), assistant('a2', 'u1', 'x', { id: 'm' })],
      's/subagents/agent-btw.jsonl': [
        user('v1', null, 'by the way', { isSidechain: true, agentId: 'btw' }),
        assistant('b2', 'v1', 'x', { id: 'm', isSidechain: true, agentId: 'btw' }),
      ],
    });
    expect([...tree.allRecords()].flatMap(({ usage }) => usage?.key ?? [])).toEqual(['m', 'm']);
  });

  test('H1 a response copied into another file has its usage once', () => {
    const lines = [user('u1', null), assistant('a2', 'u1', 'x', { id: 'm' })];
    const tree = claudeTree({ 'one.jsonl': lines, 'two.jsonl': [...lines, user('u3', 'a2')] });
    expect([...tree.allRecords()].flatMap(({ usage }) => usage?.output ?? [])).toEqual([1]);
  });

  test('H1 a text that is empty after trimming is kept', () => {
    const lines = [
      user('u1', null),
      assistant('a2', 'u1', ' \n', { id: 'm' }),
      assistant('a3', 'a2', 'x', { id: 'm' }),
    ];
    expect(contentOf(recordOf(claudeTree(lines), 'a2'), lines)).toEqual([
      { type: 'text', text: ' \n' },
      { type: 'text', text: 'x' },
    ]);
  });

  test('H1 empty thinking with a signature is a thinking block without text', () => {
    const lines = [user('u1', null), assistant('a2', 'u1', [thinking('')])];
    expect(contentOf(recordOf(claudeTree(lines), 'a2'), lines)).toEqual([{ type: 'thinking', text: '' }]);
  });

  test('H1 a response of which one line hangs elsewhere has the parent of its first line', () => {
    const tree = claudeTree([
      user('u1', null),
      assistant('a2', 'u1', 'x', { id: 'm' }),
      user('u3', 'a2'),
      assistant('a4', 'u3', 'y', { id: 'm' }),
    ]);
    expect(recordOf(tree, 'a4')).toMatchObject({ id: 'a2', parent: 'u1' });
    expect(recordOf(tree, 'u3').parent).toBe('a2');
  });
});

describe('H2 kinds', () => {
  const notification = '<task-notification>\n<task-id>x</task-id>\n<status>completed</status>\n</task-notification>';

  test.each<[string, Json, object]>([
    ['a prompt', user('x', 'a2', 'fix it'), { kind: 'user', origin: 'human' }],
    ['a prompt of blocks', user('x', 'a2', [text('fix it')]), { kind: 'user', origin: 'human' }],
    [
      'an interruption',
      user('x', 'a2', [text('[Request interrupted by user]')]),
      { kind: 'user', origin: 'interruption' },
    ],
    [
      'a memory note',
      user('x', 'a2', '<user-memory-input>use tabs</user-memory-input>'),
      { kind: 'user', origin: 'memory' },
    ],
    ['a command', command('x', 'a2', '/init'), { kind: 'built_in_command' }],
    ['a bash escape', user('x', 'a2', '<bash-input>ls</bash-input>'), { kind: 'bash' }],
    ['an answer', assistant('x', 'a2'), { kind: 'assistant' }],
    ['a compaction', boundary('x', 'a2'), { kind: 'compaction' }],
    [
      'a message of a teammate',
      user('x', 'a2', '<teammate-message teammate_id="bob">hi</teammate-message>'),
      { kind: 'teammate' },
    ],
    ['a notification', user('x', 'a2', notification), { kind: 'notification' }],
    [
      'a notification by its origin',
      user('x', 'a2', 'done', { origin: { kind: 'task-notification' } }),
      { kind: 'notification' },
    ],
  ])('H2 %s is a record of its kind', (_name, line, expected) => {
    const tree = claudeTree([user('u1', null), assistant('a2', 'u1'), line]);
    expect(recordOf(tree, 'x')).toMatchObject({ parent: 'a2', ...expected });
  });

  test.each([
    [
      'bashExecution',
      {
        role: 'bashExecution',
        command: 'ls',
        output: '',
        exitCode: 0,
        cancelled: false,
        truncated: false,
        timestamp: 0,
      },
      'bash',
    ],
    ['custom', { role: 'custom', customType: 'x', content: 'n', display: true, timestamp: 0 }, 'notification'],
  ])('H2 the Pi role %s is a record of its kind', (_role, message, kind) => {
    const tree = piTree([piHeader('S'), piUser('u1', null), piEntry('message', 'x', 'u1', { message })]);
    expect(recordOf(tree, 'S/x')).toMatchObject({ parent: 'S/u1', kind });
  });

  test.each([
    ['branch_summary', { fromId: 'u1', summary: 's' }, 'branch_summary'],
    ['compaction', { summary: 's', firstKeptEntryId: 'u1', tokensBefore: 1 }, 'compaction'],
  ])('H2 the Pi entry %s is a record of its kind', (type, fields, kind) => {
    const tree = piTree([piHeader('S'), piUser('u1', null), piEntry(type, 'x', 'u1', fields)]);
    expect(recordOf(tree, 'S/x')).toMatchObject({ parent: 'S/u1', kind });
  });

  test('H2 a summary is metadata and in no thread', () => {
    const tree = claudeTree([summary('a2', 'Greeting'), user('u1', null), assistant('a2', 'u1')]);
    expect(threadOf(tree)).toEqual(['u1', 'a2']);
    expect(onlySession(tree).threads[0]?.summary).toBe('Greeting');
  });

  const ide = '<ide_opened_file>The user opened /r/a.ts</ide_opened_file>';
  const reminder = '<system-reminder>\nBe brief.\n</system-reminder>';

  test.each<[string, unknown, string[]]>([
    ['glued before it', `${ide}\nfix it`, ['ide_opened_file']],
    ['glued behind it', `fix it\n\n${reminder}`, ['system-reminder']],
    ['several before it', `${reminder}\n${ide}\nfix it`, ['system-reminder', 'ide_opened_file']],
    ['on both sides', `${ide}fix it\n${reminder}\n`, ['ide_opened_file', 'system-reminder']],
    ['a block of its own', [text(ide), text('fix it')], ['ide_opened_file']],
    ['a block behind it', [text('fix it'), text(reminder)], ['system-reminder']],
  ])('H2 injected text is split off what the human typed and kept as an annotation: %s', (_name, content, expected) => {
    const lines = [user('u1', null, content)];
    const tree = claudeTree(lines);
    expect(recordOf(tree, 'u1')).toMatchObject({ kind: 'user', origin: 'human' });
    expect(kinds(tree, 'u1')).toEqual(expected);
    expect(contentOf(recordOf(tree, 'u1'), lines).filter(({ type }) => type === 'text')).toEqual([text('fix it')]);
  });

  test.each<[string, unknown]>([
    ['a reminder', reminder],
    ['several', `${reminder}\n${ide}`],
    ['a block', [text(ide)]],
    ['a hook that speaks', 'Stop hook feedback:\n- the tests fail'],
    ['diagnostics', '<post-tool-use-hook><ide_diagnostics>[{"uri":"a"}]</ide_diagnostics></post-tool-use-hook>'],
  ])('H2 a line that holds only injected text is an annotation: %s', (_name, content) => {
    const tree = claudeTree([
      user('u1', null),
      assistant('a2', 'u1'),
      user('i3', 'a2', content),
      assistant('a4', 'i3'),
    ]);
    expect(threadOf(tree)).toEqual(['u1', 'a2', 'a4']);
    expect(recordOf(tree, 'a2').annotations.map(({ key }) => key)).toEqual(['i3']);
  });

  test('H2 injected text beside an image leaves a prompt', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } };
    const tree = claudeTree([user('u1', null, [text(reminder), image])]);
    expect(recordOf(tree, 'u1')).toMatchObject({ kind: 'user', origin: 'human' });
  });

  test.each([
    ['a reminder', 'what does <system-reminder> mean?'],
    ['a whole reminder', 'Why is <system-reminder>x</system-reminder> in my log?'],
    ['a command', 'the log says <command-name>/init</command-name>'],
    ['an opening tag without an end', '<system-reminder> is what I see'],
  ])('H2 prose that quotes the tags of %s is a prompt as it stands', (_name, prose) => {
    const lines = [user('u1', null, prose)];
    const tree = claudeTree(lines);
    expect(recordOf(tree, 'u1')).toMatchObject({ kind: 'user', origin: 'human', annotations: [] });
    expect(contentOf(recordOf(tree, 'u1'), lines)).toEqual([text(prose)]);
  });

  test('H2 injected text beside a result and human words is an annotation of the record that keeps them', () => {
    const tree = claudeTree([
      user('u1', null),
      assistant('a2', 'u1', [toolUse('A')]),
      user('r3', 'a2', [toolResult('A'), text(reminder), text('not like this')]),
    ]);
    expect(recordOf(tree, 'r3').origin).toBe('human');
    expect(kinds(tree, 'r3')).toEqual(['system-reminder']);
  });

  test('H2 injected text beside a result makes no record', () => {
    const tree = claudeTree([
      user('u1', null),
      assistant('a2', 'u1', [toolUse('A')]),
      user('r3', 'a2', [toolResult('A'), text(reminder)]),
      assistant('a4', 'r3'),
    ]);
    expect(threadOf(tree)).toEqual(['u1', 'a2', 'a4']);
  });

  test('H2 an interruption beside the results of the calls it stopped is no human prompt', () => {
    const tree = claudeTree([
      user('u1', null),
      assistant('a2', 'u1', [toolUse('A')]),
      user('r3', 'a2', [toolResult('A', 'rejected', true), text('[Request interrupted by user for tool use]')]),
    ]);
    expect(recordOf(tree, 'r3').origin).toBe('interruption');
  });

  test('H2 the prompt a sub-agent was started with is no human prompt', () => {
    const tree = claudeTree({
      's.jsonl': [user('u1', null)],
      's/subagents/agent-x.jsonl': [user('v1', null, 'look at b', { isSidechain: true, agentId: 'x' })],
    });
    expect(recordOf(tree, 'v1').origin).not.toBe('human');
  });
});

describe('H3 tool calls', () => {
  test.each(dialects)('H3 results find their calls in any order ($name)', (d) => {
    const tree = d.tree([
      d.prompt('u1', null),
      d.answer('a2', 'u1', ['A', 'B']),
      d.result('r3', 'a2', 'B'),
      d.result('r4', 'r3', 'A'),
      d.answer('a5', 'r4'),
    ]);
    expect(threadOf(tree)).toEqual(['u1', 'a2', 'a5'].map(d.key));
    expect(results(tree, d.key('a2'))).toEqual([5, 4]);
  });

  test.each(dialects)('H3 what follows a result hangs on the answer that called ($name)', (d) => {
    const tree = d.tree([
      d.prompt('u1', null),
      d.answer('a2', 'u1', ['A']),
      d.result('r3', 'a2', 'A'),
      d.answer('a4', 'r3'),
    ]);
    expect(recordOf(tree, d.key('a4')).parent).toBe(d.key('a2'));
  });

  test.each(dialects)('H3 a call without a result has none ($name)', (d) => {
    const tree = d.tree([d.prompt('u1', null), d.answer('a2', 'u1', ['A'])]);
    expect(recordOf(tree, d.key('a2')).calls).toMatchObject([
      { id: 'A', name: 'Read', result: null, more: [], isError: false, subagents: [] },
    ]);
  });

  test.each(dialects)('H3 a failed result marks its call and no other ($name)', (d) => {
    const tree = d.tree([
      d.prompt('u1', null),
      d.answer('a2', 'u1', ['A', 'B']),
      d.result('r3', 'a2', 'A', true),
      d.result('r4', 'r3', 'B'),
    ]);
    expect(recordOf(tree, d.key('a2')).calls.map(({ isError }) => isError)).toEqual([true, false]);
  });

  test.each(dialects)('H3 a result may stand before its call ($name)', (d) => {
    const tree = d.tree([
      d.prompt('u1', null),
      d.result('r3', 'a2', 'A'),
      d.answer('a4', 'r3'),
      d.answer('a2', 'u1', ['A']),
    ]);
    expect(results(tree, d.key('a2'))).toEqual([3]);
    expect(recordOf(tree, d.key('a4')).parent).toBe(d.key('a2'));
    expect(tree.record(d.key('r3'))).toBeNull();
  });

  test.each(dialects)('H3 a result may come after many other records ($name)', (d) => {
    const tree = d.tree([
      d.prompt('u1', null),
      d.answer('a2', 'u1', ['A']),
      d.prompt('u3', 'a2'),
      d.answer('a4', 'u3'),
      d.prompt('u5', 'a4'),
      d.result('r6', 'u5', 'A'),
    ]);
    expect(results(tree, d.key('a2'))).toEqual([7]);
    expect(threadOf(tree)).toEqual(['u1', 'a2', 'u3', 'a4', 'u5'].map(d.key));
  });

  test.each(dialects)('H3 a result whose call is unknown is a record of its own ($name)', (d) => {
    const tree = d.tree([d.prompt('u1', null), d.result('r2', 'u1', 'nobody'), d.answer('a3', 'r2')]);
    expect(threadOf(tree)).toEqual(['u1', 'r2', 'a3'].map(d.key));
    expect(recordOf(tree, d.key('r2'))).toMatchObject({ kind: 'user', origin: null });
  });

  test.each(dialects)('H3 a second result of the same call is kept beside the first ($name)', (d) => {
    const tree = d.tree([
      d.prompt('u1', null),
      d.answer('a2', 'u1', ['A']),
      d.result('r3', 'a2', 'A'),
      d.result('r4', 'r3', 'A', true),
    ]);
    const [call] = recordOf(tree, d.key('a2')).calls;
    expect([call?.result?.line, call?.more.map(({ line }) => line), call?.isError]).toEqual([4, [5], false]);
  });

  test.each(dialects)('H3 two calls with one id lose none of their results ($name)', (d) => {
    const tree = d.tree([
      d.prompt('u1', null),
      d.answer('a2', 'u1', ['A']),
      d.result('r3', 'a2', 'A'),
      d.answer('a4', 'r3', ['A']),
      d.result('r5', 'a4', 'A'),
      d.answer('a6', 'r5'),
    ]);
    const calls = ['a2', 'a4'].flatMap((id) => recordOf(tree, d.key(id)).calls);
    expect(calls.flatMap(({ result, more }) => [result, ...more].flatMap((ref) => ref?.line ?? []))).toEqual([4, 6]);
    expect(threadOf(tree)).toEqual(['u1', 'a2', 'a4', 'a6'].map(d.key));
  });

  test.each(dialects)('H3 a result written twice under one id is one result ($name)', (d) => {
    const result = d.result('r3', 'a2', 'A');
    const tree = d.tree([d.prompt('u1', null), d.answer('a2', 'u1', ['A']), result, result, d.answer('a4', 'r3')]);
    const [call] = recordOf(tree, d.key('a2')).calls;
    expect([call?.result?.line, call?.more]).toEqual([4, []]);
    expect(types(tree)).toEqual([]);
  });

  test('H3 a result stops being a record when its call is read', () => {
    const tree = new Tree();
    const facts = factsOf(claudeCode, 's.jsonl');
    const lines = linesOf(claudeCode, 's.jsonl', [
      user('u1', null),
      user('r3', 'a2', [toolResult('A')]),
      assistant('a2', 'u1', [toolUse('A')]),
    ]);
    expect(tree.add(facts, lines.slice(0, 2)).added).toEqual(['u1', 'r3']);
    expect(tree.add(facts, lines.slice(2))).toMatchObject({ added: ['a2'], removed: ['r3'] });
  });

  test('H3 one user line may hold the results of several calls', () => {
    const tree = claudeTree([
      user('u1', null),
      assistant('a2', 'u1', [toolUse('A'), toolUse('B')]),
      user('r3', 'a2', [toolResult('B', 'no', true), toolResult('A')]),
      assistant('a4', 'r3'),
    ]);
    expect(recordOf(tree, 'a2').calls.map(({ result, isError }) => [result?.line, isError])).toEqual([
      [3, false],
      [3, true],
    ]);
    expect(threadOf(tree)).toEqual(['u1', 'a2', 'a4']);
    expect(types(tree)).toEqual([]);
  });

  test('H3 one user line may hold results of calls of several answers', () => {
    const tree = claudeTree([
      user('u1', null),
      assistant('a2', 'u1', [toolUse('A')]),
      assistant('a3', 'a2', [toolUse('B')]),
      user('r4', 'a3', [toolResult('A'), toolResult('B')]),
    ]);
    expect([results(tree, 'a2'), results(tree, 'a3')]).toEqual([[4], [4]]);
  });

  test('H3 a result with human words is paired, and the words are a prompt', () => {
    const lines = [
      user('u1', null),
      assistant('a2', 'u1', [toolUse('A')]),
      user('r3', 'a2', [toolResult('A', 'rejected', true), text('use the other file')]),
      assistant('a4', 'r3'),
    ];
    const tree = claudeTree(lines);
    expect(results(tree, 'a2')).toEqual([3]);
    expect(recordOf(tree, 'r3')).toMatchObject({ kind: 'user', origin: 'human', parent: 'a2' });
    expect(threadOf(tree)).toEqual(['u1', 'a2', 'r3', 'a4']);
  });

  test('H3 a line with one known and one unknown call is paired and kept', () => {
    const tree = claudeTree([
      user('u1', null),
      assistant('a2', 'u1', [toolUse('A')]),
      user('r3', 'a2', [toolResult('A'), toolResult('nobody')]),
      assistant('a4', 'r3'),
    ]);
    expect(results(tree, 'a2')).toEqual([3]);
    expect(threadOf(tree)).toEqual(['u1', 'a2', 'r3', 'a4']);
  });

  const apart: Files = {
    'one.jsonl': [user('u1', null), assistant('a2', 'u1', [toolUse('A')])],
    'two.jsonl': [user('r3', 'a2', [toolResult('A')]), assistant('a4', 'r3')],
  };

  test.each([
    ['after', apart],
    ['before', Object.fromEntries(Object.entries(apart).reverse())],
  ])('H3 a result in another file of the session finds its call, read %s it', (_name, files) => {
    const tree = claudeTree(files);
    expect(recordOf(tree, 'a2').calls[0]?.result).toMatchObject({ file: 'p/two.jsonl', line: 1 });
    expect(threadOf(tree)).toEqual(['u1', 'a2', 'a4']);
  });

  test('H3 a result does not pair with a call of another session', () => {
    const tree = claudeTree({
      'one.jsonl': [user('u1', null), assistant('a2', 'u1', [toolUse('A')])],
      'two.jsonl': [user('v1', null), user('r2', 'v1', [toolResult('A')]), assistant('b3', 'r2')],
    });
    expect(results(tree, 'a2')).toEqual([null]);
    expect(tree.records('two')).toEqual(['v1', 'r2', 'b3']);
  });

  test('H3 sessions that use the same call ids keep their results', () => {
    const tree = claudeTree({
      'one.jsonl': [user('u1', null), assistant('a2', 'u1', [toolUse('A')]), user('r3', 'a2', [toolResult('A')])],
      'two.jsonl': [user('v1', null), assistant('b2', 'v1', [toolUse('A')]), user('q3', 'b2', [toolResult('A')])],
    });
    const files = ['a2', 'b2'].map((id) => recordOf(tree, id).calls[0]?.result?.file);
    expect(files).toEqual(['p/one.jsonl', 'p/two.jsonl']);
  });

  test('H3 a call without a result stays without one when another session used its id', () => {
    const tree = claudeTree({
      'one.jsonl': [user('u1', null), assistant('a2', 'u1', [toolUse('A')])],
      'two.jsonl': [user('v1', null), assistant('b2', 'v1', [toolUse('A')]), user('q3', 'b2', [toolResult('A')])],
    });
    expect(results(tree, 'a2')).toEqual([null]);
  });

  test('H3 the call of a sub-agent has its result in the file of the sub-agent', () => {
    const inside = { isSidechain: true, agentId: 'x' };
    const tree = claudeTree({
      's.jsonl': [user('u1', null)],
      's/subagents/agent-x.jsonl': [
        user('v1', null, 'go', inside),
        assistant('b2', 'v1', [toolUse('A')], inside),
        user('r3', 'b2', [toolResult('A')], inside),
        assistant('b4', 'r3', 'done', inside),
      ],
    });
    expect(results(tree, 'b2')).toEqual([3]);
    expect(tree.subagentRecords('x')).toEqual(['v1', 'b2', 'b4']);
  });

  test('H3 the text of a skill is folded into the call that brought it', () => {
    const tree = claudeTree([
      user('u1', null),
      assistant('a2', 'u1', [toolUse('A', 'Skill', { skill: 'x' })]),
      user('r3', 'a2', [toolResult('A', 'Launching skill: x')]),
      meta('k4', 'r3', [text('Base directory for this skill: /s')], { sourceToolUseID: 'A' }),
      assistant('a5', 'k4'),
    ]);
    expect(recordOf(tree, 'a2').calls[0]).toMatchObject({ result: { line: 3 }, body: { line: 4 } });
    expect(recordOf(tree, 'a5').parent).toBe('a2');
    expect(kinds(tree, 'a2')).toEqual([]);
  });

  test('H3 the text of a skill whose call is unknown is an annotation', () => {
    const tree = claudeTree([
      user('u1', null),
      meta('k2', 'u1', [text('Base directory for this skill: /s')], { sourceToolUseID: 'nobody' }),
      assistant('a3', 'k2'),
    ]);
    expect(threadOf(tree)).toEqual(['u1', 'a3']);
    expect(recordOf(tree, 'u1').annotations.map(({ key }) => key)).toEqual(['k2']);
  });

  test('H3 a call says its name and where it stands', () => {
    const tree = claudeTree([
      user('u1', null),
      assistant('a2', 'u1', 'x', { id: 'm' }),
      assistant('a3', 'a2', [toolUse('A', 'mcp__db__query')], { id: 'm' }),
    ]);
    expect(recordOf(tree, 'a2').calls).toMatchObject([{ id: 'A', name: 'mcp__db__query', at: { line: 3 } }]);
  });

  test('H3 parallel calls whose results come in any order are one line', () => {
    const tree = claudeTree([
      user('u1', null),
      assistant('a2', 'u1', [toolUse('A')], { id: 'm' }),
      assistant('a3', 'a2', [toolUse('B')], { id: 'm' }),
      assistant('a4', 'a3', [toolUse('C')], { id: 'm' }),
      user('r5', 'a4', [toolResult('C')]),
      user('r6', 'a3', [toolResult('B')]),
      user('r7', 'a2', [toolResult('A')]),
      assistant('a8', 'r7'),
    ]);
    expect(threadOf(tree)).toEqual(['u1', 'a2', 'a8']);
    expect(results(tree, 'a2')).toEqual([7, 6, 5]);
  });
});

describe('H6 annotations', () => {
  test.each(dialects)('H6 a skipped line hands its children to the record above it ($name)', (d) => {
    const tree = d.tree([d.prompt('u1', null), d.aside('x2', 'u1'), d.answer('a3', 'x2')]);
    expect(threadOf(tree)).toEqual(['u1', 'a3'].map(d.key));
    expect(recordOf(tree, d.key('a3')).parent).toBe(d.key('u1'));
    expect(types(tree)).toEqual([]);
  });

  test.each(dialects)('H6 a run of skipped lines is passed over and each stays readable above it ($name)', (d) => {
    const tree = d.tree([
      d.prompt('u1', null),
      d.aside('x2', 'u1'),
      d.aside('x3', 'x2'),
      d.aside('x4', 'x3'),
      d.answer('a5', 'x4'),
    ]);
    expect(recordOf(tree, d.key('a5')).parent).toBe(d.key('u1'));
    expect(recordOf(tree, d.key('u1')).annotations.map(({ key, parent }) => [key, parent])).toEqual([
      [d.key('x2'), d.key('u1')],
      [d.key('x3'), d.key('x2')],
      [d.key('x4'), d.key('x3')],
    ]);
  });

  test.each(dialects)('H6 a skipped line with nothing above it belongs to the session ($name)', (d) => {
    const tree = d.tree([d.aside('x1', null), d.aside('x2', 'x1'), d.prompt('u3', 'x2'), d.answer('a4', 'u3')]);
    const session = onlySession(tree);
    expect(session.annotations.map(({ key }) => key)).toEqual([d.key('x1'), d.key('x2')]);
    expect([session.roots, recordOf(tree, d.key('u3')).parent]).toEqual([[d.key('u3')], null]);
    expect(types(tree)).toEqual([]);
  });

  test.each(dialects)('H6 a skipped line may stand after what hangs on it ($name)', (d) => {
    const tree = d.tree([d.prompt('u1', null), d.answer('a3', 'x2'), d.aside('x2', 'u1')]);
    expect(recordOf(tree, d.key('a3')).parent).toBe(d.key('u1'));
    expect(types(tree)).toEqual([]);
  });

  test.each(dialects)('H6 skipped lines after a result are read at the answer that called ($name)', (d) => {
    const tree = d.tree([
      d.prompt('u1', null),
      d.answer('a2', 'u1', ['A']),
      d.result('r3', 'a2', 'A'),
      d.aside('x4', 'r3'),
      d.answer('a5', 'x4'),
    ]);
    expect(recordOf(tree, d.key('a2')).annotations.map(({ key }) => key)).toEqual([d.key('x4')]);
    expect(recordOf(tree, d.key('a5')).parent).toBe(d.key('a2'));
  });

  test.each(dialects)('H6 skipped lines that name each other as parents end nobody’s reading ($name)', (d) => {
    const tree = d.tree([d.prompt('u1', null), d.aside('x2', 'x3'), d.aside('x3', 'x2'), d.answer('a4', 'x3')]);
    expect(recordOf(tree, d.key('a4')).parent).toBeNull();
    expect(tree.records(onlySession(tree).id)).toEqual(['u1', 'a4'].map(d.key));
  });

  test('H6 a snapshot and a system line between two records leave the records alone', () => {
    const snapshot = {
      type: 'file-history-snapshot',
      messageId: 'u1',
      isSnapshotUpdate: false,
      snapshot: { messageId: 'u1' },
    };
    const tree = claudeTree([user('u1', null), snapshot, system('s3', 'u1', 'informational'), assistant('a4', 'u1')]);
    expect(threadOf(tree)).toEqual(['u1', 'a4']);
    expect(tree.findings()).toEqual([]);
  });

  test.each<[string, Json, string]>([
    ['system', system('x', 'u1', 'turn_duration', { durationMs: 1 }), 'system/turn_duration'],
    ['progress', progress('x', 'u1', { type: 'bash_progress' }), 'progress/bash_progress'],
    ['attachment', attachment('x', 'u1', { type: 'plan_mode' }), 'attachment/plan_mode'],
    ['an unknown type with a uuid', { ...user('x', 'u1'), type: 'later' }, 'later'],
    ['injected text', user('x', 'u1', '<system-reminder>x</system-reminder>'), 'injected/system-reminder'],
  ])('H6 a line that is no record keeps its kind as an annotation: %s', (_name, line, kind) => {
    const tree = claudeTree([user('u1', null), line, assistant('a3', 'x')]);
    expect(recordOf(tree, 'u1').annotations).toMatchObject([{ key: 'x', parent: 'u1', kind, ref: { line: 2 } }]);
    expect(recordOf(tree, 'a3').parent).toBe('u1');
  });

  test('H6 an injected first line is no root', () => {
    const tree = claudeTree([meta('m1', null, 'injected'), user('u2', null), assistant('a3', 'u2')]);
    expect(threadOf(tree)).toEqual(['u2', 'a3']);
    expect(onlySession(tree).annotations.map(({ key }) => key)).toEqual(['m1']);
    expect(tree.findings()).toEqual([]);
  });

  test('H6 a chain of injected lines is passed over', () => {
    const tree = claudeTree([
      user('u1', null),
      meta('m2', 'u1', 'one'),
      caveat('m3', 'm2'),
      meta('m4', 'm3', [text('[Image: source: /r/a.png]')]),
      assistant('a5', 'm4'),
    ]);
    expect(threadOf(tree)).toEqual(['u1', 'a5']);
    expect(recordOf(tree, 'a5').parent).toBe('u1');
    expect(recordOf(tree, 'u1').annotations.map(({ key }) => key)).toEqual(['m2', 'm3', 'm4']);
  });

  test('H6 an injected line with a command tag is skipped like every other one', () => {
    const tree = claudeTree([
      user('u1', null),
      meta('m2', 'u1', '<command-name>/x</command-name>'),
      assistant('a3', 'm2'),
    ]);
    expect(threadOf(tree)).toEqual(['u1', 'a3']);
  });

  test('H6 an injected line after a prompt does not make it a command', () => {
    const tree = claudeTree([user('u1', null), meta('m2', 'u1', [text('# Do this')]), assistant('a3', 'm2')]);
    expect(recordOf(tree, 'u1').kind).toBe('user');
  });

  const skipped = ['/clear', '/resume', '/context', '/release-notes', '/usage'];

  test.each(skipped)('H6 the command %s and its output leave one thread', (name) => {
    const tree = claudeTree([
      user('u1', null),
      assistant('a2', 'u1'),
      command('c3', 'a2', name),
      stdout('o4', 'c3', 'x'),
      user('u5', 'o4'),
      assistant('a6', 'u5'),
    ]);
    expect(threadOf(tree)).toEqual(['u1', 'a2', 'u5', 'a6']);
    expect(onlySession(tree).threads).toHaveLength(1);
    expect(recordOf(tree, 'a2').annotations.map(({ key }) => key)).toEqual(['c3', 'o4']);
    expect(tree.findings()).toEqual([]);
  });

  test.each(skipped)('H6 the command %s of newer versions and its output are skipped', (name) => {
    const tree = claudeTree([
      user('u1', null),
      system('c2', 'u1', 'local_command', { content: `<command-name>${name}</command-name>` }),
      system('o3', 'c2', 'local_command', { content: '<local-command-stdout>x</local-command-stdout>' }),
      assistant('a4', 'o3'),
    ]);
    expect(threadOf(tree)).toEqual(['u1', 'a4']);
  });

  test.each([
    ['without its slash', '<command-name>clear</command-name>'],
    ['with arguments', '<command-name>/resume</command-name><command-args>abc</command-args>'],
    ['with the message first', '<command-message>usage</command-message>\n<command-name>/usage</command-name>'],
    ['in a block', [{ type: 'text', text: '<command-name>/context</command-name>' }]],
  ])('H6 a skipped command is known in every spelling: %s', (_name, content) => {
    const tree = claudeTree([user('u1', null), user('c2', 'u1', content), assistant('a3', 'c2')]);
    expect(threadOf(tree)).toEqual(['u1', 'a3']);
  });

  test('H6 a session that begins with a skipped command begins with its first prompt', () => {
    const tree = claudeTree([caveat('m1', null), command('c2', 'm1', '/clear'), stdout('o3', 'c2'), user('u4', 'o3')]);
    expect(onlySession(tree)).toMatchObject({ id: 's', roots: ['u4'] });
    expect(onlySession(tree).annotations.map(({ key }) => key)).toEqual(['m1', 'c2', 'o3']);
  });

  test('H6 a file of skipped lines only is no session', () => {
    const tree = claudeTree([caveat('m1', null), command('c2', 'm1', '/clear'), stdout('o3', 'c2')]);
    expect(tree.sessionIds()).toEqual([]);
  });

  test('H6 a prompt in a later file reaches through a skipped line of an earlier one', () => {
    const tree = claudeTree({
      'one.jsonl': [user('u1', null), assistant('a2', 'u1'), system('s3', 'a2', 'turn_duration')],
      'two.jsonl': [user('u4', 's3')],
    });
    expect(recordOf(tree, 'u4')).toMatchObject({ session: 'one', parent: 'a2' });
  });

  test('H6 an answer in a later file reaches through a result of an earlier one', () => {
    const tree = claudeTree({
      'one.jsonl': [user('u1', null), assistant('a2', 'u1', [toolUse('A')]), user('r3', 'a2', [toolResult('A')])],
      'two.jsonl': [assistant('a4', 'r3')],
    });
    expect(recordOf(tree, 'a4')).toMatchObject({ session: 'one', parent: 'a2' });
  });

  test('H6 annotations of a sub-agent stay in it', () => {
    const inside = { isSidechain: true, agentId: 'x' };
    const tree = claudeTree({
      's.jsonl': [user('u1', null)],
      's/subagents/agent-x.jsonl': [
        user('v1', null, 'go', inside),
        progress('p2', 'v1', { type: 'hook_progress' }, inside),
        assistant('b3', 'p2', 'done', inside),
      ],
    });
    expect(recordOf(tree, 'v1').annotations.map(({ key }) => key)).toEqual(['p2']);
    expect(onlySession(tree).annotations).toEqual([]);
  });
});

describe('H6 compactions', () => {
  test('H6 a boundary and its summary are one compaction with the id of the boundary', () => {
    const tree = claudeTree([
      user('u1', null),
      assistant('a2', 'u1'),
      boundary('b3', 'a2'),
      compactSummary('c4', 'b3'),
      user('u5', 'c4'),
    ]);
    expect(threadOf(tree)).toEqual(['u1', 'a2', 'b3', 'u5']);
    expect(recordOf(tree, 'b3')).toMatchObject({
      kind: 'compaction',
      aliases: ['c4'],
      parent: 'a2',
      edge: 'compaction',
    });
    expect(recordOf(tree, 'u5').parent).toBe('b3');
    expect(tree.findings()).toEqual([]);
  });

  test('H6 a summary says what the compaction says', () => {
    const lines = [user('u1', null), boundary('b2', 'u1'), compactSummary('c3', 'b2')];
    const record = recordOf(claudeTree(lines), 'b2');
    expect(contentOf(record, lines, 'reply')).toMatchObject([
      { text: expect.stringMatching(/^This session is being/) },
    ]);
  });

  test.each<[string, Json]>([
    ['has no parent', compactSummary('c3', null)],
    ['has the parent of the boundary', compactSummary('c3', 'u1')],
  ])('H6 a summary written next to its boundary belongs to it when it %s', (_name, line) => {
    const tree = claudeTree([user('u1', null), boundary('b2', 'u1'), line, user('u4', 'c3')]);
    expect(threadOf(tree)).toEqual(['u1', 'b2', 'u4']);
    expect(recordOf(tree, 'c3').id).toBe('b2');
  });

  test('H6 a summary may be written in the name of the assistant', () => {
    const tree = claudeTree([
      user('u1', null),
      boundary('b2', 'u1'),
      assistant('c3', 'b2', 'This session is being continued', { isCompactSummary: true }),
    ]);
    expect(threadOf(tree)).toEqual(['u1', 'b2']);
    expect(recordOf(tree, 'c3').kind).toBe('compaction');
  });

  test('H6 a boundary alone is a compaction', () => {
    const tree = claudeTree([user('u1', null), boundary('b2', 'u1'), user('u3', 'b2')]);
    expect(recordOf(tree, 'b2')).toMatchObject({ kind: 'compaction', parent: 'u1', aliases: [] });
  });

  test.each<[string, Json]>([
    ['marked', compactSummary('c1', null)],
    [
      'told by its words',
      user('c1', null, 'This session is being continued from a previous conversation that ran out'),
    ],
  ])('H6 a summary alone is a compaction: %s', (_name, line) => {
    const tree = claudeTree([line, assistant('a2', 'c1')]);
    expect(threadOf(tree)).toEqual(['c1', 'a2']);
    expect(recordOf(tree, 'c1').kind).toBe('compaction');
  });

  test('H6 a boundary without a logical parent hangs on its parent', () => {
    const tree = claudeTree([user('u1', null), system('b2', 'u1', 'compact_boundary')]);
    expect(recordOf(tree, 'b2').parent).toBe('u1');
  });

  test('H6 a compaction reaches through skipped lines to what was compacted', () => {
    const tree = claudeTree([
      user('u1', null),
      assistant('a2', 'u1'),
      system('s3', 'a2', 'turn_duration'),
      boundary('b4', 's3'),
      attachment('f5', 'b4', { type: 'compact_file_reference', filename: '/r/a' }),
      user('u6', 'f5'),
    ]);
    expect([recordOf(tree, 'b4').parent, recordOf(tree, 'u6').parent]).toEqual(['a2', 'b4']);
    expect(kinds(tree, 'b4')).toEqual(['attachment/compact_file_reference']);
  });

  test('H6 two compactions stay two', () => {
    const tree = claudeTree([
      user('u1', null),
      boundary('b2', 'u1'),
      compactSummary('c3', 'b2'),
      user('u4', 'c3'),
      boundary('b5', 'u4'),
      compactSummary('c6', 'b5'),
    ]);
    expect(threadOf(tree)).toEqual(['u1', 'b2', 'u4', 'b5']);
  });

  test('H6 a microcompaction is an annotation', () => {
    const tree = claudeTree([user('u1', null), system('b2', 'u1', 'microcompact_boundary'), assistant('a3', 'b2')]);
    expect(threadOf(tree)).toEqual(['u1', 'a3']);
  });
});

describe('H7 a skipped record never joins two sessions', () => {
  const SHARED: readonly (readonly [string, (parent: string | null) => Json])[] = [
    ['a caveat', (parent) => caveat('x', parent)],
    ['a caveat in a tag', (parent) => meta('x', parent, '<local-command-caveat>Caveat: …</local-command-caveat>')],
    ['an injected text', (parent) => meta('x', parent, 'Continue from where you left off.')],
    ['an injected image', (parent) => meta('x', parent, [text('[Image: source: /r/a.png]')])],
    ['a reminder', (parent) => user('x', parent, '<system-reminder>x</system-reminder>')],
    ['the output of a command', (parent) => stdout('x', parent, 'done')],
    [
      'the output of a bash escape',
      (parent) => user('x', parent, '<bash-stdout>x</bash-stdout><bash-stderr></bash-stderr>'),
    ],
    ['a skipped command', (parent) => command('x', parent, '/clear')],
    ['a system line', (parent) => system('x', parent, 'informational', { content: 'x' })],
    ['a hook', (parent) => attachment('x', parent, { type: 'hook_success', hookName: 'SessionStart:resume' })],
    ['a progress line', (parent) => progress('x', parent)],
    ['an unknown line', (parent) => ({ ...user('x', parent), type: 'later' })],
  ];

  test.each(SHARED)('H7 not at the root of several files: %s', (_name, line) => {
    const tree = claudeTree({
      'one.jsonl': [line(null), user('u1', 'x'), assistant('a2', 'u1')],
      'two.jsonl': [line(null), user('v1', 'x'), assistant('b2', 'v1')],
      'three.jsonl': [line(null), user('w1', 'x')],
    });
    expect(tree.sessionIds().sort()).toEqual(['one', 'three', 'two']);
    expect(tree.records('two')).toEqual(['v1', 'b2']);
  });

  test.each(SHARED)('H7 not between a record of one file and one of another: %s', (_name, line) => {
    const tree = claudeTree({
      'one.jsonl': [user('u1', null), line('u1'), assistant('a2', 'x')],
      'two.jsonl': [line(null), user('v1', 'x')],
    });
    expect(tree.sessionIds().sort()).toEqual(['one', 'two']);
    expect(recordOf(tree, 'v1')).toMatchObject({ session: 'two', parent: null });
  });

  test.each(SHARED)('H7 each file reads it at its own record: %s', (_name, line) => {
    const tree = claudeTree({
      'one.jsonl': [user('u1', null), line('u1'), assistant('a2', 'x')],
      'two.jsonl': [user('v1', null), line('v1'), assistant('b2', 'x')],
    });
    expect([recordOf(tree, 'a2').parent, recordOf(tree, 'b2').parent]).toEqual(['u1', 'v1']);
    expect(tree.sessionIds().sort()).toEqual(['one', 'two']);
  });

  test.each([
    ['one, two', ['one.jsonl', 'two.jsonl']],
    ['two, one', ['two.jsonl', 'one.jsonl']],
  ])('H7 whatever is read first: %s', (_name, order) => {
    const files: Files = {
      'one.jsonl': [user('u1', null), caveat('x', 'u1'), assistant('a2', 'x')],
      'two.jsonl': [caveat('x', null), user('v1', 'x')],
    };
    const tree = claudeTree(Object.fromEntries(order.map((path) => [path, files[path] ?? []])));
    expect(tree.sessionIds().sort()).toEqual(['one', 'two']);
  });

  test('H7 a record does join them', () => {
    const first = user('u1', null);
    const tree = claudeTree({
      'one.jsonl': [first, caveat('x', 'u1')],
      'two.jsonl': [first, caveat('x', 'u1'), user('u2', 'x')],
    });
    expect(tree.sessionIds()).toHaveLength(1);
  });
});

describe('H9 copies inside one file', () => {
  test.each(dialects)('H9 a line written twice is one record without a warning ($name)', (d) => {
    const prompt = d.prompt('u1', null);
    const tree = d.tree([prompt, prompt, d.answer('a2', 'u1')]);
    expect(threadOf(tree)).toEqual(['u1', 'a2'].map(d.key));
    expect(types(tree)).toEqual([]);
  });

  test.each(dialects)('H9 one id with two contents is two records and a warning ($name)', (d) => {
    const tree = d.tree([d.prompt('u1', null, 'one'), d.prompt('u1', null, 'two')]);
    expect(tree.records(onlySession(tree).id)).toHaveLength(2);
    expect(types(tree)).toContain('duplicate_uuid');
  });
});

describe('H18 warnings', () => {
  test('H18 an unknown type without a uuid is left out and named with its file and line', () => {
    const tree = claudeTree([user('u1', null), { type: 'unknown-future-type', foo: 'bar' }, assistant('a3', 'u1')]);
    expect(threadOf(tree)).toEqual(['u1', 'a3']);
    expect(tree.findings()).toMatchObject([
      {
        type: 'unknown_record_type',
        file: 'p/s.jsonl',
        line: 2,
        count: 1,
        message: expect.stringContaining('unknown-future-type'),
      },
    ]);
  });

  test('H18 an unknown type with a uuid is named too and stays in the chain', () => {
    const tree = claudeTree([user('u1', null), { ...user('x2', 'u1'), type: 'later' }, assistant('a3', 'x2')]);
    expect(types(tree)).toEqual(['unknown_record_type']);
    expect(recordOf(tree, 'a3').parent).toBe('u1');
  });

  test.each<[string, Json, number]>([
    ['user', user('u1', null, 'x', { newField: 1, anotherNew: 2 }), 1],
    ['assistant', assistant('a1', null, 'x', { newField: 1, anotherNew: 2 }), 1],
    ['summary', { ...summary('x', 'y'), newField: 1, anotherNew: 2 }, 0],
  ])('H18 unexpected attributes of %s are all named and the line is kept', (_type, line, records) => {
    const tree = claudeTree([line]);
    const said = tree.findings().map(({ type, message }) => `${type}: ${message}`);
    expect(said).toEqual([
      expect.stringMatching(/^unexpected_attributes: .*newField/),
      expect.stringMatching(/^unexpected_attributes: .*anotherNew/),
    ]);
    expect([...tree.allRecords()]).toHaveLength(records);
  });

  test.each([
    ['a number', 5],
    ['null', null],
    ['an object', { text: 'x' }],
    ['a block nobody knows', [{ type: 'hologram' }]],
    ['a number among blocks', [5]],
  ])('H18 user content that is %s is kept and named', (_name, content) => {
    const tree = claudeTree([user('u1', null, content), assistant('a2', 'u1')]);
    expect(types(tree)).toEqual(['unexpected_content_shape']);
    expect(threadOf(tree)).toEqual(['u1', 'a2']);
  });

  test('H18 two results in one line are no surprise', () => {
    const tree = claudeTree([
      user('u1', null),
      assistant('a2', 'u1', [toolUse('A'), toolUse('B')]),
      user('r3', 'a2', [toolResult('A'), toolResult('B')]),
    ]);
    expect(tree.findings()).toEqual([]);
  });

  test('H18 a line that is not JSON is named and the rest is read', () => {
    const lines = [JSON.stringify(user('u1', null)), '{"type":"user",', JSON.stringify(assistant('a3', 'u1'))];
    const tree = claudeTree({ 's.jsonl': `${lines.join('\n')}\n`, 't.jsonl': [user('v1', null)] });
    expect(tree.findings()).toMatchObject([{ type: 'unparsable_line', file: 'p/s.jsonl', line: 2 }]);
    expect([tree.records('s'), tree.records('t')]).toEqual([['u1', 'a3'], ['v1']]);
  });

  test('H18 an empty file is no session', () => {
    expect(claudeTree({ 's.jsonl': '' }).sessionIds()).toEqual([]);
  });

  test('H18 equal warnings of one file are counted and the first place is told', () => {
    const odd = { type: 'later' };
    expect(claudeTree([odd, odd, odd]).findings()).toMatchObject([{ type: 'unknown_record_type', line: 1, count: 3 }]);
  });

  test.each<[string, Json]>([
    ['user', user('u', null)],
    ['assistant', assistant('a', null)],
  ])('H18 a %s line without a uuid is named and nothing of it is lost', (_type, { uuid: _uuid, ...line }) => {
    const tree = claudeTree([line]);
    expect(types(tree)).toEqual(['missing_required_field']);
    expect([...tree.allRecords()].map(({ id }) => id)).toEqual(['s:1']);
  });
});

describe('H23 accounting', () => {
  const none = { records: 0, folded: 0, annotations: 0, bookkeeping: 0, reported: 0 };
  const called = [user('u1', null), assistant('a2', 'u1', [toolUse('A')])];

  test.each<[string, readonly object[] | string, object]>([
    ['a prompt and an answer', [user('u1', null), assistant('a2', 'u1')], { records: 2 }],
    [
      'later lines of a response',
      [assistant('a1', null, 'x', { id: 'm' }), assistant('a2', 'a1', 'y', { id: 'm' })],
      { records: 1, folded: 1 },
    ],
    ['a result', [...called, user('r3', 'a2', [toolResult('A')])], { records: 2, folded: 1 }],
    ['a result of an unknown call', [user('r1', null, [toolResult('A')])], { records: 1 }],
    [
      'the body of a skill',
      [...called, meta('k3', 'a2', [text('Base')], { sourceToolUseID: 'A' })],
      { records: 2, folded: 1 },
    ],
    ['the output of a command', [command('c1', null, '/init'), stdout('o2', 'c1')], { records: 1, folded: 1 }],
    ['an expanded prompt', [command('c1', null, '/x'), meta('m2', 'c1', [text('# X')])], { records: 1, folded: 1 }],
    [
      'bash output',
      [user('b1', null, '<bash-input>ls</bash-input>'), user('o2', 'b1', '<bash-stdout></bash-stdout>')],
      { records: 1, folded: 1 },
    ],
    ['a compaction', [user('u1', null), boundary('b2', 'u1'), compactSummary('c3', 'b2')], { records: 2, folded: 1 }],
    ['a system line', [user('u1', null), system('s2', 'u1', 'turn_duration')], { records: 1, annotations: 1 }],
    ['an unknown type with a uuid', [{ type: 'later', uuid: 'x', parentUuid: null }], { annotations: 1 }],
    ['an unknown type without', [{ type: 'later' }], { bookkeeping: 1 }],
    [
      'a skipped command',
      [user('u1', null), command('c2', 'u1', '/clear'), stdout('o3', 'c2')],
      { records: 1, annotations: 2 },
    ],
    [
      'a title and a summary',
      [{ type: 'ai-title', aiTitle: 'x', sessionId: 's' }, summary('x', 'y')],
      { bookkeeping: 2 },
    ],
    [
      'a prompt that waited',
      [user('u1', null), queue('enqueue', 'x'), queue('dequeue'), user('u2', 'u1', 'x')],
      { records: 2, folded: 2 },
    ],
    [
      'a prompt that was popped',
      [user('u1', null), queue('enqueue', 'x'), queue('popAll')],
      { records: 1, bookkeeping: 2 },
    ],
    ['a prompt that waits', [user('u1', null), queue('enqueue', 'x')], { records: 2 }],
    [
      'a prompt given between two steps',
      [user('u1', null), queue('enqueue', 'x'), queue('remove', 'x'), queuedCommand('q4', 'u1', 'x')],
      { records: 2, folded: 2 },
    ],
    [
      'a prompt given without its attachment',
      [user('u1', null), queue('enqueue', 'x'), queue('remove', 'x')],
      { records: 2, folded: 1 },
    ],
    ['a step of an empty queue', [user('u1', null), queue('dequeue')], { records: 1, bookkeeping: 1 }],
    ['broken JSON', `${JSON.stringify(user('u1', null))}\n{"type":\n\n[1]\n`, { records: 1, reported: 2 }],
    ['a torn last line', `${JSON.stringify(user('u1', null))}\n{"type":"user"`, { records: 1, reported: 1 }],
  ])('H23 every line is in one bucket: %s', (_name, content, expected) => {
    expect(claudeTree({ 's.jsonl': content }).accounting()).toEqual({ ...none, ...expected });
  });

  test('H23 replays in another file are folded', () => {
    const lines = [user('u1', null), assistant('a2', 'u1')];
    const tree = claudeTree({ 'one.jsonl': lines, 'two.jsonl': [...lines, user('u3', 'a2')] });
    expect(tree.accounting()).toEqual({ ...none, records: 3, folded: 2 });
  });

  test('H23 a line that says nothing is kept all the same', () => {
    expect(blocksOf(claudeCode, [{ type: 'later', uuid: 'x', foo: 1 }])).toEqual([
      [{ type: 'unknown', name: 'later', json: { type: 'later', uuid: 'x', foo: 1 } }],
    ]);
  });
});

test('M12 lines that are read one after the other share what is equal: of each little is held', () => {
  const lines = [user('a', null, 'x'), user('b', 'a', 'x'), user('c', 'b', 'x', { gitBranch: 'other' })];
  const tree = new Tree();
  // Each from a reader of its own, as a file that grows is read.
  for (const i of lines.keys()) {
    const line = linesOf(claudeCode, 'a.jsonl', lines)[i];
    if (line) tree.add(factsOf(claudeCode, 'a.jsonl'), [line]);
  }
  expect(recordOf(tree, 'b').env).toBe(recordOf(tree, 'a').env);
  expect(recordOf(tree, 'c').env).toMatchObject({ gitBranch: 'other' });
});

describe('peers D8 a server that gives several answers one id', () => {
  /** Prompts and answers in turn, each answer with the id of all and a request of its own. */
  const dialogue = (...requests: readonly (string | undefined)[]) =>
    claudeTree(
      requests.flatMap((requestId, i) => [
        user(`u${i}`, i === 0 ? null : `a${i - 1}`),
        { ...assistant(`a${i}`, `u${i}`, `answer ${i}`, { id: 'm1' }), requestId },
      ]),
    );
  const answersIn = (tree: Tree): string[] =>
    tree.records(onlySession(tree).id).filter((id) => tree.record(id)?.kind === 'assistant');

  test.each([[['r1', 'r2', 'r3']], [[undefined, undefined, undefined]]])(
    'peers D8 has said each of them, in one conversation: requests %j',
    (requests) => {
      const tree = dialogue(...requests);
      expect(answersIn(tree)).toEqual(['a0', 'a1', 'a2']);
      expect(onlySession(tree).threads).toHaveLength(1);
    },
  );

  test('peers D8 lines of one request are one answer, also behind a prompt that was typed meanwhile', () => {
    expect(answersIn(dialogue('r1', 'r1'))).toEqual(['a0']);
  });
});
