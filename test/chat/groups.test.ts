import { describe, expect, test } from 'vitest';
import { chatOf, groupOf, groupsOf, itemOf, itemsOf, LIVE, piChatOf, shapeOf } from '../kit/chat.ts';
import {
  assistant,
  attachment,
  bashEscape,
  boundary,
  command,
  compactSummary,
  interruption,
  meta,
  notification,
  piAssistant,
  piEntry,
  piHeader,
  piUser,
  progress,
  queuedCommand,
  stdout,
  system,
  toolResult,
  toolUse,
  user,
} from '../kit/transcript.ts';

describe('C1: a flat list', () => {
  test('C1 check 1: user, ai, user, with ids that come from the records and stay when the log is read again', () => {
    const lines = [user('u1', null), assistant('a1', 'u1'), user('u2', 'a1')];
    expect(shapeOf(chatOf(lines))).toEqual(['user u1', 'ai a1', 'user u2']);
    expect(chatOf(lines)).toEqual(chatOf(lines));
  });

  test('C1 ids survive an append', () => {
    const lines = [user('u1', null), assistant('a1', 'u1'), user('u2', 'a1'), assistant('a2', 'u2')];
    const whole = shapeOf(chatOf(lines));
    for (let end = 1; end < lines.length; end++)
      expect(shapeOf(chatOf(lines.slice(0, end)))).toEqual(whole.slice(0, end));
  });

  test('C1 no turns are paired: two prompts in a row, and an answer to none', () => {
    expect(shapeOf(chatOf([assistant('a1', null), user('u1', 'a1'), user('u2', 'u1')]))).toEqual([
      'ai a1',
      'user u1',
      'user u2',
    ]);
  });

  test('C1 totals count the items of each type', () => {
    const { totalUserGroups, totalAIGroups, totalSystemGroups, totalCompactGroups } = chatOf([
      user('u1', null),
      assistant('a1', 'u1'),
      command('c1', 'a1', '/cost'),
      stdout('o1', 'c1', '$1'),
      boundary('b1', 'o1'),
    ]);
    expect([totalUserGroups, totalAIGroups, totalSystemGroups, totalCompactGroups]).toEqual([2, 1, 1, 1]);
  });
});

describe('C2: what becomes of a record', () => {
  test("H4 what a command of the user's own printed is a system item, and the answer still has its slash item", () => {
    const chat = chatOf([
      command('c1', null, '/mine'),
      meta('m1', 'c1', 'Do this'),
      stdout('o1', 'c1', 'printed'),
      assistant('a1', 'm1'),
    ]);
    expect(shapeOf(chat)).toEqual(['user c1', 'system c1', 'ai a1']);
    expect(JSON.stringify(chat.items)).toContain('"commandOutput":"printed"');
    expect(groupOf(chat).displayItems).toMatchObject([{ type: 'slash', slash: { name: '/mine' } }]);
  });

  test('C2 a built-in command is a user item, and a system item below when it printed something', () => {
    const view = chatOf([command('c1', null, '/cost'), stdout('o1', 'c1', '\u001b[31mTotal\u001b[0m: $1')]);
    expect(shapeOf(view)).toEqual(['user c1', 'system c1']);
    expect(itemOf(view, 'system')).toMatchObject({ commandName: '/cost', commandOutput: 'Total: $1' });
  });

  test('C2 a built-in command that printed nothing has no system item', () => {
    for (const output of ['', '(no content)', '  '])
      expect(shapeOf(chatOf([command('c1', null, '/model', 'opus'), stdout('o1', 'c1', output)]))).toEqual(['user c1']);
  });

  test('C2 the output of bash is a system item', () => {
    const view = chatOf([
      bashEscape('b1', null),
      user('o1', 'b1', '<bash-stdout>a.txt</bash-stdout><bash-stderr></bash-stderr>'),
    ]);
    expect(shapeOf(view)).toEqual(['user b1', 'system b1']);
    expect(itemOf(view, 'system').commandOutput).toBe('a.txt');
  });

  test('C2 a user-defined command is a user item without a system item', () => {
    const lines = [command('c1', null, '/review', 'all'), meta('m1', 'c1', 'Review everything'), assistant('a1', 'm1')];
    expect(shapeOf(chatOf(lines))).toEqual(['user c1', 'ai a1']);
  });

  test('C2 an interruption belongs to what it interrupts', () => {
    expect(shapeOf(chatOf([user('u1', null), assistant('a1', 'u1'), interruption('i1', 'a1')]))).toEqual([
      'user u1',
      'ai a1',
    ]);
  });

  test('C2 results whose call is unknown are no prompt', () => {
    expect(shapeOf(chatOf([user('u1', null), user('r1', 'u1', [toolResult('T')])]))).toEqual(['user u1', 'ai r1']);
  });

  test('C2 fillers, warmups and annotations stay out', () => {
    const filler = assistant('a2', 'a1', 'No response requested.');
    const lines = [
      user('u1', null),
      assistant('a1', 'u1'),
      { ...filler, message: { ...(filler.message as object), model: '<synthetic>' } },
      progress('p1', 'a2'),
      attachment('x1', 'p1', { type: 'skill_listing', content: 'skills' }),
      system('s1', 'x1', 'turn_duration'),
      user('u2', 's1'),
    ];
    expect(shapeOf(chatOf(lines))).toEqual(['user u1', 'ai a1', 'user u2']);
  });

  test('C2 a compaction is a compact item, its summary inside', () => {
    const view = chatOf([user('u1', null), assistant('a1', 'u1'), boundary('b1', 'a1'), compactSummary('s1', 'b1')]);
    expect(shapeOf(view)).toEqual(['user u1', 'ai a1', 'compact b1']);
    expect(itemOf(view, 'compact').summary).toMatch(/^This session is being continued/);
  });

  test('C2 the summary of a branch is a compact item without difference and phase', () => {
    const view = piChatOf([
      piHeader(),
      piUser('u1', null),
      piAssistant('a1', 'u1'),
      piEntry('branch_summary', 'b1', 'a1', { fromId: 'u1', summary: 'We went another way' }),
      piAssistant('a2', 'b1'),
    ]);
    const { summary, tokenDelta, startingPhaseNumber } = itemOf(view, 'compact');
    expect([summary, tokenDelta, startingPhaseNumber]).toEqual(['We went another way', undefined, undefined]);
  });

  test('C2 a notification is an item linked to its call, the answer not repeated', () => {
    const tags =
      '<task-id>b1</task-id>\n<tool-use-id>T</tool-use-id>\n<status>completed</status>\n<summary>Agent done</summary>\n<result>42</result>';
    const lines = [
      assistant('a1', null, [toolUse('T', 'Agent', { prompt: 'look' })]),
      user('r1', 'a1', [toolResult('T', 'launched')], { toolUseResult: { agentId: 'b1', status: 'async_launched' } }),
      notification('n1', 'r1', tags),
      assistant('a2', 'n1', 'It ended.'),
    ];
    const side = { isSidechain: true, agentId: 'b1' };
    const agent = [user('x1', null, 'look', side), assistant('x2', 'x1', '42', side)];
    const view = chatOf({ 's.jsonl': lines, 's/subagents/agent-b1.jsonl': agent });
    expect(shapeOf(view)).toEqual(['ai a1']);
    const item = groupOf(view).displayItems.find(({ type }) => type === 'notification');
    expect(item).toMatchObject({
      notification: { taskId: 'b1', callId: 'T', status: 'completed', summary: 'Agent done' },
    });
    expect(JSON.stringify(item)).not.toContain('42');
    const alone = groupOf(chatOf(lines)).displayItems.find(({ type }) => type === 'notification');
    expect(alone, 'no sub-agent shows it').toMatchObject({ notification: { callId: 'T', result: '42' } });
  });

  test('C2 what a peer sends without a tag is a message of a teammate', () => {
    const peer = { origin: { kind: 'peer', from: 'bob' } };
    const view = chatOf([assistant('a1', null, 'hi'), user('p1', 'a1', 'hello', peer), assistant('a2', 'p1', 'ok')]);
    expect(groupOf(view).displayItems.find(({ type }) => type === 'teammate_message')).toMatchObject({
      teammateMessage: { teammateId: 'bob', content: 'hello' },
    });
    expect(groupOf(view).itemsSummary).toBe('1 message, 1 teammate message');
  });

  test('C2 check 14: stdout and stderr, after a newline and in blocks, are a system item without escapes', () => {
    const outputs = [
      '<local-command-stdout>\u001b[1mout\u001b[0m</local-command-stdout>',
      '\n<local-command-stdout>out</local-command-stdout>',
      '<local-command-stderr>out</local-command-stderr>',
      [{ type: 'text', text: '<local-command-stdout>out</local-command-stdout>' }],
      [{ type: 'text', text: '<local-command-stderr>out</local-command-stderr>' }],
    ];
    for (const output of outputs) {
      const view = chatOf([command('c1', null, '/cost'), user('o1', 'c1', output)]);
      expect(shapeOf(view), JSON.stringify(output)).toEqual(['user c1', 'system c1']);
      expect(itemOf(view, 'system')).toMatchObject({ commandName: '/cost', commandOutput: 'out' });
    }
  });

  test('C2 check 15: what the agent writes as a user is never a plain prompt, as text and in blocks', () => {
    const texts = [
      '<bash-input>ls</bash-input>',
      '<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>',
      '<task-notification>\n<task-id>b</task-id>\n<status>completed</status>\n</task-notification>',
      '<local-command-caveat>Caveat: The messages below were generated by the user</local-command-caveat>',
      '<system-reminder>Be nice</system-reminder>',
    ];
    for (const text of texts)
      for (const content of [text, [{ type: 'text', text }]]) {
        const view = chatOf([user('u1', null), assistant('a1', 'u1'), user('x1', 'a1', content), user('u2', 'x1')]);
        const prompts = view.items.flatMap((item) => (item.type === 'user' ? [item.group] : []));
        const plain = prompts.filter(
          ({ content: said }) => said.commands.length === 0 && !said.rawText?.startsWith('! '),
        );
        expect(
          plain.map(({ id }) => id),
          JSON.stringify(content),
        ).toEqual(['user-u1', 'user-u2']);
      }
  });
});

describe('C3: what the agent does runs together', () => {
  test('C3 one group until a prompt, a command output or a compaction', () => {
    const view = chatOf([
      user('u1', null),
      assistant('a1', 'u1', [toolUse('T')]),
      user('r1', 'a1', [toolResult('T')]),
      assistant('a2', 'r1'),
      command('c1', 'a2', '/cost'),
      stdout('o1', 'c1', '$1'),
      assistant('a3', 'o1'),
      boundary('b1', 'a3'),
      assistant('a4', 'b1'),
    ]);
    expect(shapeOf(view)).toEqual(['user u1', 'ai a1', 'user c1', 'system c1', 'ai a3', 'compact b1', 'ai a4']);
    expect(groupOf(view).responses.map(({ id }) => id)).toEqual(['a1', 'a2']);
  });

  test('C3 check 8: a result that comes after a queued prompt belongs to its call', () => {
    const view = chatOf([
      user('u1', null),
      assistant('a1', 'u1', [toolUse('T', 'Bash')]),
      queuedCommand('q1', 'a1', 'and this'),
      user('r1', 'q1', [toolResult('T', 'late')]),
      assistant('a2', 'r1'),
    ]);
    expect(shapeOf(view)).toEqual(['user u1', 'ai a1', 'user q1', 'ai a2']);
    const tool = groupOf(view).linkedTools.get('T');
    expect(tool).toMatchObject({ isOrphaned: false, result: { content: 'late' } });
    expect(itemsOf(groupOf(view))).toEqual(['tool T']);
    expect(groupOf(view, 1).linkedTools.size).toBe(0);
  });

  test('C3 C13 check 2: lines of one response are one record, its usage counted once', () => {
    for (const request of [true, false]) {
      const lines = [
        assistant('a1', null, [{ type: 'thinking', thinking: 'hm' }], {
          id: 'm',
          usage: { input_tokens: 5, output_tokens: 1 },
        }),
        assistant('a2', 'a1', 'done', { id: 'm', usage: { input_tokens: 5, output_tokens: 9 } }),
      ];
      const view = chatOf(request ? lines : lines.map(({ requestId: _id, ...line }) => line));
      expect(shapeOf(view)).toEqual(['ai a1']);
      expect(groupOf(view).tokens).toMatchObject({ input: 5, output: 9, total: 14 });
      expect(groupOf(view).metrics.responses).toBe(1);
    }
  });
});

describe('C13: usage and cost', () => {
  const usage = { input_tokens: 1_000_000, output_tokens: 0 };
  const withModel = (line: ReturnType<typeof assistant>, model: string) => ({
    ...line,
    message: { ...(line.message as object), model },
  });

  test('C13 the cost of a group comes from the price table', () => {
    const view = chatOf([withModel(assistant('a1', null, 'x', { usage }), 'claude-opus-4-6')]);
    expect(groupOf(view).metrics.costUsd).toBe(5);
    expect(view.metrics).toMatchObject({ costUsd: 5, inputTokens: 1_000_000, responses: 1 });
  });

  test('C13 one unknown model makes the cost unknown, never 0', () => {
    const view = chatOf([withModel(assistant('a1', null, 'x', { usage }), 'claude-opus-4-6'), assistant('a2', 'a1')]);
    expect(groupOf(view).metrics.costUsd).toBeNull();
    expect(view.metrics.costUsd).toBeNull();
  });

  test('C12 the main model is the one with the most responses', () => {
    const view = chatOf([
      withModel(assistant('a1', null), 'claude-haiku-4-5'),
      withModel(assistant('a2', 'a1'), 'claude-opus-4-6[1m]'),
      withModel(assistant('a3', 'a2'), 'claude-opus-4-6[1m]'),
    ]);
    expect(groupOf(view).mainModel).toMatchObject({ family: 'opus', version: '4.6', label: 'Opus 4.6' });
  });
});

describe('C14: compaction', () => {
  const tokens = (input: number) => ({ usage: { input_tokens: input, output_tokens: 15 } });
  const lines = [
    user('u1', null),
    assistant('a1', 'u1', 'x', tokens(150_000)),
    boundary('b1', 'a1'),
    compactSummary('s1', 'b1'),
    assistant('a2', 's1', 'y', tokens(20_000)),
  ];

  test('C14 check 17: the responses around it give the difference, the phase is 2', () => {
    expect(itemOf(chatOf(lines), 'compact')).toMatchObject({
      tokenDelta: { pre: 150_015, post: 20_015, delta: -130_000 },
      startingPhaseNumber: 2,
    });
  });

  test('C14 check 17: a second compaction begins phase 3', () => {
    const view = chatOf([...lines, boundary('b2', 'a2'), assistant('a3', 'b2')]);
    expect(itemOf(view, 'compact', 1).startingPhaseNumber).toBe(3);
  });

  test('C14 what the boundary itself says wins', () => {
    const said = boundary('b1', 'a1', { compactMetadata: { trigger: 'auto', preTokens: 7000, postTokens: 500 } });
    const view = chatOf(lines.map((line) => (line.uuid === 'b1' ? said : line)));
    expect(itemOf(view, 'compact').tokenDelta).toEqual({ pre: 7000, post: 500, delta: -6500 });
  });

  test('C14 without a response after it there is no difference yet', () => {
    expect(itemOf(chatOf(lines.slice(0, 4)), 'compact').tokenDelta).toBeUndefined();
  });

  test('C14 /clear inside a file begins a phase without an item', () => {
    const view = chatOf([
      user('u1', null),
      assistant('a1', 'u1'),
      command('c1', 'a1', '/clear'),
      stdout('o1', 'c1', ''),
      user('u2', 'o1'),
      assistant('a2', 'u2'),
      boundary('b1', 'a2'),
    ]);
    expect(view.totalCompactGroups).toBe(1);
    expect(itemOf(view, 'compact').startingPhaseNumber).toBe(3);
  });

  test('C14 /clear on another thread begins no phase', () => {
    const view = chatOf([
      user('u1', null),
      assistant('a1', 'u1'),
      user('u2', 'a1'),
      assistant('a2', 'u2'),
      command('c1', 'a2', '/clear'),
      user('u3', 'c1'),
      assistant('a3', 'u3'),
      user('u4', 'a1'),
      assistant('a4', 'u4'),
      boundary('b1', 'a4'),
    ]);
    expect(shapeOf(view)).toEqual(['user u1', 'ai a1', 'user u4', 'ai a4', 'compact b1']);
    expect(itemOf(view, 'compact').startingPhaseNumber).toBe(2);
  });
});

describe('C10: who is at work', () => {
  test('C10 a prompt with no answer makes the session running and changes no earlier group', () => {
    const view = chatOf([user('u1', null), assistant('a1', 'u1', [toolUse('T')]), user('u2', 'a1')], LIVE);
    expect(view.isOngoing).toBe(true);
    expect(groupsOf(view).map(({ status, isOngoing }) => [status, isOngoing])).toEqual([['complete', undefined]]);
  });
});
