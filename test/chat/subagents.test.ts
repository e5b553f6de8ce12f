import { describe, expect, test } from 'vitest';
import { updateConversation } from '../../src/chat/index.ts';
import { claudeCode } from '../../src/formats/claude-code/index.ts';
import { Tree } from '../../src/tree/index.ts';
import { chatOf, defaultChat, groupOf, IDLE, itemOf, itemsOf, LIVE, shapeOf } from '../kit/chat.ts';
import { contentFrom } from '../kit/content.ts';
import {
  assistant,
  type Files,
  factsOf,
  type Json,
  linesOf,
  teammate,
  toolResult,
  toolUse,
  user,
} from '../kit/transcript.ts';

const at = (ms: number): Json => ({ timestamp: new Date(Date.UTC(2026, 5, 1) + ms).toISOString() });
const side = (agentId: string, more: Json = {}): Json => ({ isSidechain: true, agentId, ...more });
const agent = (id: string, more: Json = {}): Json[] => [
  user(`${id}1`, null, 'look', side(id, more)),
  assistant(`${id}2`, `${id}1`, [toolUse(`${id}t`)], side(id, more)),
  user(`${id}3`, `${id}2`, [toolResult(`${id}t`)], side(id, more)),
  assistant(`${id}4`, `${id}3`, 'seen', side(id, more)),
];
const path = (id: string): string => `s/subagents/agent-${id}.jsonl`;
const spawn = (call: string, name = 'Task', input: Json = {}): Json =>
  toolUse(call, name, { description: 'Look around', prompt: 'look', subagent_type: 'Explore', ...input });
const result = (uuid: string, parent: string, call: string, agentId: string): Json =>
  user(uuid, parent, [toolResult(call, 'seen')], { toolUseResult: { agentId, status: 'completed' } });

describe('C6: sub-agents', () => {
  const main = [
    user('u1', null, 'go'),
    assistant('a1', 'u1', [spawn('T1'), spawn('T2', 'Agent'), spawn('T3')]),
    result('r1', 'a1', 'T1', 'x'),
    result('r2', 'r1', 'T2', 'y'),
    user('r3', 'r2', [toolResult('T3', 'failed', true)]),
    assistant('a2', 'r3', 'ok'),
  ];
  const files: Files = { 's.jsonl': main, [path('x')]: agent('x'), [path('y')]: agent('y') };

  test('C6 check 10: Task and Agent calls are replaced by their sub-agents, a call without one stays', () => {
    const group = groupOf(chatOf(files));
    expect(itemsOf(group).sort()).toEqual(['subagent x', 'subagent y', 'tool T3']);
    expect([...group.linkedTools.keys()]).toEqual(['T1', 'T2', 'T3']);
    expect(group.itemsSummary).toBe('1 tool call, 2 subagents');
  });

  test('C6 a call that shares its id with that of a sub-agent stays', () => {
    const lines = [
      user('u1', null, 'go', at(0)),
      assistant('a1', 'u1', [toolUse('call_0', 'Bash')], at(1)),
      user('r1', 'a1', [toolResult('call_0', 'out')], at(2)),
      assistant('a2', 'r1', [spawn('call_0')], at(3)),
      { ...result('r2', 'a2', 'call_0', 'x'), ...at(9) },
    ];
    const group = groupOf(chatOf({ 's.jsonl': lines, [path('x')]: agent('x', at(4)) }));
    expect(itemsOf(group)).toEqual(['tool call_0', 'subagent x']);
    expect(group.steps.find(({ type }) => type === 'subagent')?.sourceMessageId).toBe('a2');
  });

  test('C6 a sub-agent has what its call said, and a conversation of its own', () => {
    const process = groupOf(chatOf(files)).processes.find(({ id }) => id === 'x');
    expect(process).toMatchObject({
      description: 'Look around',
      subagentType: 'Explore',
      parentTaskId: 'T1',
      isOngoing: false,
      metrics: { responses: 2 },
      mainSessionImpact: { resultTokens: 1 },
    });
    expect(process && shapeOf(process.conversation)).toEqual(['user x1', 'ai x2']);
    expect(process && groupOf(process.conversation).steps[0]?.context).toBe('subagent');
  });

  test('C6 sub-agents of sub-agents are nested, and counted in the roll-up', () => {
    const nested = agent('x').map((line) =>
      line.uuid === 'x2'
        ? assistant('x2', 'x1', [spawn('xt')], side('x'))
        : line.uuid === 'x3'
          ? { ...result('x3', 'x2', 'xt', 'z'), ...side('x') }
          : line,
    );
    const group = groupOf(chatOf({ ...files, [path('x')]: nested, [path('z')]: agent('z') }));
    const outer = group.processes.find(({ id }) => id === 'x');
    expect(outer && groupOf(outer.conversation).processes.map(({ id }) => id)).toEqual(['z']);
    expect([group.metrics.responses, group.totalMetrics.responses]).toEqual([2, 8]);
  });

  test('H1 C13 a response that a sub-agent repeats counts once in the roll-up', () => {
    const replay = agent('x').map((line) =>
      line.uuid === 'x2'
        ? { ...line, message: { ...(line.message as Json), id: (main[1]?.message as Json | undefined)?.id } }
        : line,
    );
    const group = groupOf(chatOf({ ...files, [path('x')]: replay }));
    expect(group.processes.map(({ metrics }) => metrics.responses)).toEqual([2, 2]);
    expect(group.totalMetrics).toMatchObject({ responses: 5, messageCount: 8 });
  });

  test('C6 check 11: those that start within 100 ms of each other are parallel', () => {
    const view = chatOf({
      's.jsonl': main,
      [path('x')]: agent('x', at(0)),
      [path('y')]: agent('y', at(40)),
      [path('z')]: agent('z', at(5000)),
    });
    const all = [...groupOf(view).processes, ...view.unlinkedProcesses];
    expect(all.map(({ id, isParallel }) => [id, isParallel])).toEqual([
      ['x', true],
      ['y', true],
      ['z', false],
    ]);
  });

  test('C6 check 11: warm-ups and compaction helpers are no processes, one without a call is there unlinked', () => {
    const warmup = agent('w').map((line) => (line.uuid === 'w1' ? user('w1', null, 'Warmup', side('w')) : line));
    const view = chatOf({
      ...files,
      [path('w')]: warmup,
      [path('acompact-1')]: agent('acompact-1'),
      [path('z')]: agent('z', { sessionId: 's' }).map((line) =>
        line.uuid === 'z1' ? user('z1', null, 'other', side('z')) : line,
      ),
    });
    expect(
      groupOf(view)
        .processes.map(({ id }) => id)
        .sort(),
    ).toEqual(['x', 'y']);
    expect(view.unlinkedProcesses.map(({ id }) => id)).toEqual(['z']);
  });

  test('C6 C10 a sub-agent at work is running only while the log grows', () => {
    const open = { ...files, [path('x')]: agent('x').slice(0, 2) };
    const running = (options: object) =>
      groupOf(chatOf(open, options)).processes.find(({ id }) => id === 'x')?.isOngoing;
    expect([running(LIVE), running(IDLE)]).toEqual([true, false]);
  });

  test('C11 check 16: thinking, tools and sub-agents in the summary', () => {
    const blocks = [
      { type: 'thinking', thinking: 'a' },
      { type: 'thinking', thinking: 'b' },
    ];
    const tools = ['A', 'B', 'C', 'D'].map((id) => toolUse(id));
    const view = chatOf({
      's.jsonl': [assistant('a1', null, [...blocks, ...tools, spawn('T1')]), result('r1', 'a1', 'T1', 'x')],
      [path('x')]: agent('x'),
    });
    expect(groupOf(view).itemsSummary).toBe('2 thinking, 4 tool calls, 1 subagent');
  });

  test('C18 check 19: growth of a sub-agent changes its card and nothing else', () => {
    const more = [...main, user('u2', 'a2', 'and now?'), assistant('a3', 'u2', 'Nothing.')];
    const grown: Files = { ...files, 's.jsonl': more };
    const tree = new Tree();
    const lines = linesOf(claudeCode, path('x'), grown[path('x')] ?? []);
    tree.add(factsOf(claudeCode, 's.jsonl'), linesOf(claudeCode, 's.jsonl', more));
    tree.add(factsOf(claudeCode, path('y')), linesOf(claudeCode, path('y'), grown[path('y')] ?? []));
    tree.add(factsOf(claudeCode, path('x')), lines.slice(0, 3));
    const content = contentFrom(claudeCode, grown);
    const before = defaultChat(tree, content);
    const after = updateConversation(
      before,
      tree,
      tree.add(factsOf(claudeCode, path('x')), lines.slice(3)),
      content,
      IDLE,
    );
    expect(after.items.map((item, i) => item === before.items[i])).toEqual([true, false, true, true]);
    const card = (view: typeof after, id: string) => groupOf(view).processes.find((process) => process.id === id);
    expect(card(after, 'y')).toBe(card(before, 'y'));
    expect(card(before, 'x')?.conversation.items).toHaveLength(2);
    expect(card(after, 'x')?.metrics.responses).toBe(2);
    expect(after).toEqual(defaultChat(tree, content));
  });

  test('C18 the pace of others changes a card: a second sub-agent beside the first makes both parallel', () => {
    const all: Files = { ...files, [path('x')]: agent('x', at(0)), [path('y')]: agent('y', at(50)) };
    const tree = new Tree();
    const content = contentFrom(claudeCode, all);
    tree.add(factsOf(claudeCode, 's.jsonl'), linesOf(claudeCode, 's.jsonl', main));
    tree.add(factsOf(claudeCode, path('x')), linesOf(claudeCode, path('x'), all[path('x')] ?? []));
    const before = defaultChat(tree, content);
    const change = tree.add(factsOf(claudeCode, path('y')), linesOf(claudeCode, path('y'), all[path('y')] ?? []));
    const after = updateConversation(before, tree, change, content, IDLE);
    expect(groupOf(before).processes.map(({ isParallel }) => isParallel)).toEqual([false]);
    expect(groupOf(after).processes.map(({ isParallel }) => isParallel)).toEqual([true, true]);
  });
});

describe('C2, C7: teams', () => {
  const input = { team_name: 'crew', name: 'bob', description: 'Look around' };
  const spawned = (uuid: string, parent: string, call: string): Json =>
    user(uuid, parent, [toolResult(call, 'Spawned')], {
      toolUseResult: { status: 'teammate_spawned', color: 'blue', name: 'bob' },
    });

  test('C6 C11 check 12: a member with two files is one teammate, with the colour it was given', () => {
    const summary = ' summary="Look around"';
    const view = chatOf({
      's.jsonl': [
        user('u1', null, 'go'),
        assistant('a1', 'u1', [spawn('T1', 'Task', input)]),
        spawned('r1', 'a1', 'T1'),
        assistant('a2', 'r1', 'ok'),
      ],
      [path('x')]: [teammate('x1', null, 'look', side('x'), summary), assistant('x2', 'x1', 'seen', side('x'))],
      [path('y')]: [teammate('y1', 'x2', 'again', side('y')), assistant('y2', 'y1', 'seen again', side('y'))],
    });
    const group = groupOf(view);
    expect(itemsOf(group)).toEqual(['subagent x', 'subagent y']);
    expect(group.itemsSummary).toBe('1 teammate');
    for (const { team } of group.processes)
      expect(team).toEqual({ teamName: 'crew', memberName: 'bob', memberColor: 'blue' });
  });

  const from = (uuid: string, parent: string, name: string): Json =>
    user(
      uuid,
      parent,
      `<teammate-message teammate_id="${name}" color="blue" summary="Done">\nfinished\n</teammate-message>`,
    );
  const send = (message: Json) => [
    user('u1', null),
    assistant('a1', 'u1', [toolUse('S', 'SendMessage', message)]),
    user('r1', 'a1', [toolResult('S', 'sent')]),
    from('t1', 'r1', 'bob'),
    assistant('a2', 't1', 'Bob is done.'),
  ];
  const replyOf = (message: Json): unknown => {
    const item = groupOf(chatOf(send(message))).displayItems.find(({ type }) => type === 'teammate_message');
    return item?.type === 'teammate_message' ? item.teammateMessage.replyToToolId : 'none';
  };

  test('C7 check 13: a message of a teammate is an item, not a prompt, and says what it answers', () => {
    const view = chatOf(send({ type: 'message', recipient: 'bob', content: 'go', summary: 'Start' }));
    expect(shapeOf(view)).toEqual(['user u1', 'ai a1']);
    const item = groupOf(view).displayItems.find(({ type }) => type === 'teammate_message');
    expect(item).toMatchObject({
      teammateMessage: {
        teammateId: 'bob',
        summary: 'Done',
        content: 'finished',
        replyToToolId: 'S',
        replyToSummary: 'Start',
      },
    });
    expect(groupOf(view).itemsSummary).toBe('1 tool call, 1 teammate message');
  });

  test('C7 check 13: a broadcast is answered too, a request to stop and a message to somebody else are not', () => {
    expect(replyOf({ type: 'broadcast', content: 'all' })).toBe('S');
    expect(replyOf({ type: 'shutdown_request', recipient: 'bob' })).toBeUndefined();
    expect(replyOf({ type: 'message', recipient: 'anna' })).toBeUndefined();
  });

  test('C7 a message may answer what was sent in an earlier group', () => {
    const lines = send({ type: 'message', recipient: 'bob', summary: 'Start' });
    const view = chatOf([
      ...lines.slice(0, 3),
      user('u2', 'r1', 'and?'),
      assistant('a3', 'u2', 'Wait.'),
      from('t1', 'a3', 'bob'),
    ]);
    expect(groupOf(view, 1).displayItems).toMatchObject([{ teammateMessage: { replyToToolId: 'S' } }]);
    expect(itemOf(view, 'user', 1).id).toBe('user-u2');
  });
});
