import { describe, expect, test } from 'vitest';
import { chatOf, groupOf, itemsOf, LIVE } from '../kit/chat.ts';
import { assistant, type Json, meta, toolResult, toolUse, user } from '../kit/transcript.ts';

const at = (seconds: number): Json => ({ timestamp: new Date(Date.UTC(2026, 5, 1) + seconds * 1000).toISOString() });
const thinking = (text: string) => ({ type: 'thinking', thinking: text });

const turn = [
  assistant('a1', null, [thinking('hm'), { type: 'text', text: 'I look.' }, toolUse('T', 'Bash', { command: 'ls' })], {
    ...at(0),
    usage: { input_tokens: 10, cache_read_input_tokens: 100, cache_creation_input_tokens: 5, output_tokens: 7 },
  }),
  user('r1', 'a1', [toolResult('T', 'a.txt')], at(4)),
  assistant('a2', 'r1', 'One file.', at(6)),
];

describe('C4: steps', () => {
  test('C4 thinking, output, call, result, output, in the order they happened', () => {
    const { steps } = groupOf(chatOf(turn));
    expect(steps.map(({ type }) => type)).toEqual(['thinking', 'output', 'tool_call', 'tool_result', 'output']);
    expect(new Set(steps.map(({ id }) => id)).size).toBe(5);
  });

  test('C4, C5 a model uses an id again with every answer: each call is a step and an item of its own, with its own result', () => {
    const lines = [0, 1, 2].flatMap((i) => [
      assistant(`a${i}`, i === 0 ? null : `r${i - 1}`, [toolUse('call_0', 'Bash', { command: `${i}` })], at(2 * i)),
      user(`r${i}`, `a${i}`, [toolResult('call_0', `out ${i}`)], at(2 * i + 1)),
    ]);
    const { steps, displayItems, linkedTools, stepGroups } = groupOf(chatOf(lines));
    expect(new Set(steps.map(({ id }) => id)).size).toBe(6);
    expect(stepGroups.flatMap(({ stepIds }) => stepIds)).toEqual(steps.map(({ id }) => id));
    expect(new Set(steps.map(({ content }) => content.toolCallId))).toEqual(new Set(['call_0']));
    expect(new Set(displayItems.map(({ id }) => id)).size).toBe(3);
    const said = displayItems.map(
      (item) => item.type === 'tool' && [item.tool.input.command, item.tool.result?.content],
    );
    expect(said).toEqual([0, 1, 2].map((i) => [`${i}`, `out ${i}`]));
    expect([...linkedTools.values()]).toEqual(displayItems.map((item) => item.type === 'tool' && item.tool));
  });

  test('C4 a name that is given to a call is not the id of another', () => {
    const ids = ['T', 'T#2', 'T', 'T#3', 'T'];
    const lines = ids.map((id, i) =>
      assistant(`a${i}`, i === 0 ? null : `a${i - 1}`, [toolUse(id, 'Bash', { command: `${i}` })]),
    );
    const { displayItems, linkedTools } = groupOf(chatOf(lines));
    expect([...linkedTools.keys()]).toEqual(['T', 'T#2', 'T#4', 'T#3', 'T#5']);
    expect(displayItems.map((item) => item.type === 'tool' && item.tool.input.command)).toEqual([...'01234']);
  });

  test('C4 a call ends at its result, everything else at the next step or the end of the group', () => {
    const { steps, durationMs } = groupOf(chatOf(turn));
    const durations = steps.map(({ type, durationMs: ms, endTime }) => [type, ms, endTime !== undefined]);
    expect(durations).toEqual([
      ['thinking', 0, true],
      ['output', 0, true],
      ['tool_call', 4000, true],
      ['tool_result', 2000, true],
      ['output', 0, true],
    ]);
    expect(durationMs).toBe(6000);
  });

  test('C4 a call without a result has no end', () => {
    const { steps } = groupOf(chatOf(turn.slice(0, 1)));
    expect(steps.at(-1)).toMatchObject({ type: 'tool_call', durationMs: 0 });
    expect(steps.at(-1)?.endTime).toBeUndefined();
  });

  test('C4 each step knows the context of its response and its own size', () => {
    const { steps } = groupOf(chatOf(turn));
    expect(steps.map(({ accumulatedContext }) => accumulatedContext)).toEqual([115, 115, 115, 115, 1]);
    expect(steps[0]).toMatchObject({ context: 'main', tokens: { input: 0, output: 1 } });
  });

  test('C4 the steps of one response are one step group, its results with it', () => {
    const { stepGroups } = groupOf(chatOf(turn));
    expect(stepGroups.map(({ id, stepIds, label }) => [id, stepIds.length, label])).toEqual([
      ['steps-a1', 4, 'Thinking, Output, Tools, Results'],
      ['steps-a2', 1, 'Output'],
    ]);
  });

  test('C4 a line without a time happened when the one before it did', () => {
    const { timestamp: _time, ...timeless } = assistant('a1', 'u1', 'x');
    const { startTime, endTime } = groupOf(chatOf([user('u1', null, 'hi', at(3)), timeless]));
    expect([startTime, endTime].map((time) => time.toISOString())).toEqual(Array(2).fill(at(3).timestamp));
  });
});

describe('C5: calls and their results', () => {
  test('C5 a call is linked to its result, with model, times and previews', () => {
    expect(groupOf(chatOf(turn)).linkedTools.get('T')).toMatchObject({
      name: 'Bash',
      input: { command: 'ls' },
      inputPreview: 'ls',
      outputPreview: 'a.txt',
      result: { content: 'a.txt', isError: false },
      durationMs: 4000,
      isOrphaned: false,
      sourceModel: 'claude-x',
    });
  });

  test('C5 check 9: a call without a result is orphaned, unless it runs now', () => {
    const lines = [user('u1', null), assistant('a1', 'u1', [toolUse('T')])];
    expect(groupOf(chatOf(lines)).linkedTools.get('T')?.isOrphaned).toBe(true);
    const running = groupOf(chatOf(lines, LIVE));
    expect(running.linkedTools.get('T')?.isOrphaned).toBe(false);
    expect(running).toMatchObject({ status: 'in_progress', isOngoing: true });
  });

  test('C5 a call that an answer followed does not run any more, all of the last answer do', () => {
    const lines = [assistant('a1', null, [toolUse('T')]), assistant('a2', 'a1', [toolUse('U'), toolUse('V')])];
    const tools = [...groupOf(chatOf(lines, LIVE)).linkedTools.values()];
    expect(tools.map(({ id, isOrphaned }) => [id, isOrphaned])).toEqual([
      ['T', true],
      ['U', false],
      ['V', false],
    ]);
  });

  test('C5 a plan that waits for its verdict is not orphaned', () => {
    const lines = [assistant('a1', null, [toolUse('P', 'ExitPlanMode', { plan: '1. Do' })])];
    expect(groupOf(chatOf(lines, LIVE)).linkedTools.get('P')?.isOrphaned).toBe(false);
    expect(groupOf(chatOf(lines)).linkedTools.get('P')?.isOrphaned).toBe(true);
  });

  test('C5 a skill call carries its instructions', () => {
    const view = chatOf([
      assistant('a1', null, [toolUse('T', 'Skill', { skill: 'pdf' })]),
      user('r1', 'a1', [toolResult('T', 'Launching skill: pdf')]),
      meta('m1', 'r1', [{ type: 'text', text: 'Base directory for this skill: /s\n\nDo it.' }], {
        sourceToolUseID: 'T',
      }),
    ]);
    const tool = groupOf(view).linkedTools.get('T');
    expect(tool?.skillInstructions).toBe('Base directory for this skill: /s\n\nDo it.');
    expect(tool?.skillInstructionsTokenCount).toBe(11);
    expect(view.items).toHaveLength(1);
  });

  test('C5 previews have 100 and 200 characters and never half a character', () => {
    const long = `${'x'.repeat(99)}😀${'y'.repeat(300)}`;
    const view = chatOf([
      assistant('a1', null, [toolUse('T', 'Bash', { command: long })]),
      user('r1', 'a1', [toolResult('T', `${'z'.repeat(199)}😀`)]),
    ]);
    const tool = groupOf(view).linkedTools.get('T');
    expect(tool?.inputPreview).toBe('x'.repeat(99));
    expect(tool?.outputPreview).toBe('z'.repeat(199));
  });

  test('C5 a call that was answered more than once has all it gave', () => {
    const view = chatOf([
      assistant('a1', null, [toolUse('T')]),
      user('r1', 'a1', [toolResult('T', 'said 1')]),
      user('r2', 'r1', [toolResult('T', [{ type: 'text', text: 'said 2' }])]),
    ]);
    const said = [
      { type: 'text', text: 'said 1' },
      { type: 'text', text: 'said 2' },
    ];
    const group = groupOf(view);
    expect(group.linkedTools.get('T')).toMatchObject({
      outputPreview: 'said 1\nsaid 2',
      result: { content: said, tokenCount: 3 },
    });
    expect(group.steps.find(({ type }) => type === 'tool_result')?.content).toMatchObject({ toolResult: said });
  });

  test('C5 an image in a result is named, not counted as text', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(100_000) } };
    const view = chatOf([
      assistant('a1', null, [toolUse('T')]),
      user('r1', 'a1', [toolResult('T', [image, { type: 'text', text: 'seen' }])]),
    ]);
    const tool = groupOf(view).linkedTools.get('T');
    expect(tool?.outputPreview).toBe('[image]\nseen');
    expect(tool?.result?.tokenCount).toBe(1501);
  });
});

describe('C7: display items', () => {
  test('C7 in the order they happened, each with an id of its own', () => {
    const view = chatOf([...turn, assistant('a3', 'a2', 'Bye.', at(8))]);
    expect(itemsOf(groupOf(view))).toEqual(['thinking hm', 'output I look.', 'tool T', 'output One file.']);
    const ids = groupOf(view).displayItems.map(({ id }) => id);
    expect(ids).toEqual(['thinking-a1:0', 'output-a1:1', 'tool-T', 'output-a2:0']);
  });

  test('C7 ids do not depend on what stands before', () => {
    const before = groupOf(chatOf(turn)).displayItems.map(({ id }) => id);
    const [first, ...rest] = turn;
    const grown = [assistant('a0', null, [thinking('first')]), { ...first, parentUuid: 'a0' }, ...rest];
    expect(groupOf(chatOf(grown)).displayItems.map(({ id }) => id)).toEqual(['thinking-a0:0', ...before]);
  });

  test('C7 thoughts that are kept secret are told to be there', () => {
    const view = chatOf([
      assistant('a1', null, [{ type: 'thinking', thinking: '', signature: 'x' }]),
      assistant('a2', 'a1'),
    ]);
    expect(itemsOf(groupOf(view))).toEqual(['thinking thinking (hidden)']);
  });

  test('C7 a user-defined command comes first in the group that answers it, with its prompt', () => {
    const view = chatOf([
      user(
        'c1',
        null,
        '<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>all</command-args>',
      ),
      meta('m1', 'c1', [{ type: 'text', text: 'Review everything' }]),
      ...turn.map((line) => (line.uuid === 'a1' ? { ...line, parentUuid: 'm1' } : line)),
    ]);
    expect(itemsOf(groupOf(view))[0]).toBe('slash /review');
    expect(groupOf(view).displayItems[0]).toMatchObject({
      slash: { name: '/review', args: 'all', instructions: 'Review everything', instructionsTokenCount: 5 },
    });
  });
});

describe('C11: the summary', () => {
  const tools = (count: number) => Array.from({ length: count }, (_, i) => toolUse(`T${i}`));

  test.each([
    ['2 thinking, 4 tool calls', [thinking('a'), thinking('b'), ...tools(4)]],
    ['1 thinking, 1 tool call', [thinking('a'), ...tools(1)]],
    ['1 tool call, 1 message', [{ type: 'text', text: 'first' }, ...tools(1), { type: 'text', text: 'last' }]],
    ['No items', [{ type: 'text', text: 'only' }]],
  ])('C11 %s', (summary, blocks) => {
    expect(groupOf(chatOf([assistant('a1', null, blocks)])).itemsSummary).toBe(summary);
  });
});

describe('C10: what runs', () => {
  const now = Date.UTC(2026, 5, 1, 1);
  const open = [assistant('a1', null, [toolUse('T')], at(0))];

  test('C10 the log must have grown within five minutes', () => {
    const grewBefore = (ms: number) => groupOf(chatOf(open, { now, lastGrowth: now - ms })).isOngoing ?? false;
    expect([grewBefore(0), grewBefore(300_000), grewBefore(300_001)]).toEqual([true, true, false]);
  });

  test('C10 without being told, the time of the newest record counts', () => {
    const start = Date.UTC(2026, 5, 1);
    expect(groupOf(chatOf(open, { now: start + 1000 })).isOngoing).toBe(true);
    expect(groupOf(chatOf(open, { now: start + 301_000 })).isOngoing).toBeUndefined();
  });

  test('C10 a text ends it, a call after the text begins it again', () => {
    const answered = [...open, user('r1', 'a1', [toolResult('T')], at(1)), assistant('a2', 'r1', 'done', at(2))];
    expect(groupOf(chatOf(answered, LIVE)).status).toBe('complete');
    const again = [...answered, assistant('a3', 'a2', [toolUse('U')], at(3))];
    expect(groupOf(chatOf(again, LIVE)).status).toBe('in_progress');
  });

  test('C10 only the last item can run', () => {
    const lines = [...open, user('u2', 'a1', 'next', at(1)), assistant('a2', 'u2', [toolUse('U')], at(2))];
    const view = chatOf(lines, LIVE);
    expect([groupOf(view, 0).status, groupOf(view, 1).status]).toEqual(['complete', 'in_progress']);
  });
});
