import { describe, expect, test } from 'vitest';
import { chatOf, groupOf, groupsOf, itemsOf, LIVE } from '../kit/chat.ts';
import { assistant, interruption, type Json, queue, toolResult, toolUse, user } from '../kit/transcript.ts';

const rejected = (uuid: string, parent: string, call: string): Json =>
  user(uuid, parent, [toolResult(call, "The user doesn't want to proceed with this tool use.", true)], {
    toolUseResult: 'User rejected tool use',
  });

describe('C8, C9: how a group ends', () => {
  test('C8 C9 check 3: a finished turn is complete, its text shown and not listed', () => {
    const group = groupOf(chatOf([user('u1', null), assistant('a1', 'u1', 'All done.')]));
    expect(group).toMatchObject({ status: 'complete', lastOutput: { type: 'text', text: 'All done.' } });
    expect(itemsOf(group)).toEqual([]);
  });

  test('C8 of equal texts the last one is shown, the others stay listed', () => {
    const group = groupOf(chatOf([assistant('a1', null, 'ok'), assistant('a2', 'a1', 'ok')]));
    expect(group.displayItems.map(({ id }) => id)).toEqual(['output-a1:0']);
  });

  test('C8 C9 check 4: a group that ends interrupted says so once, and does not run', () => {
    const lines = [
      user('u1', null),
      assistant('a1', 'u1', [toolUse('T', 'Bash')]),
      user('r1', 'a1', [toolResult('T')]),
      interruption('i1', 'r1'),
    ];
    for (const options of [undefined, LIVE]) {
      const view = chatOf(lines, options);
      const group = groupOf(view);
      expect(group).toMatchObject({
        status: 'interrupted',
        lastOutput: { type: 'interruption', interruptionMessage: '[Request interrupted by user]' },
      });
      expect(itemsOf(group)).toEqual(['tool T']);
      expect(view.isOngoing).toBe(false);
    }
  });

  test('C9 check 5: a rejected call interrupts its own group, not the next', () => {
    const view = chatOf([
      user('u1', null),
      assistant('a1', 'u1', [toolUse('T', 'Bash')]),
      rejected('r1', 'a1', 'T'),
      user('u2', 'r1', 'another way'),
      assistant('a2', 'u2', 'Sure.'),
    ]);
    expect(groupsOf(view).map(({ status }) => status)).toEqual(['interrupted', 'complete']);
    expect(groupOf(view).lastOutput?.interruptionMessage).toMatch(/doesn't want to proceed/);
  });

  test('C8 an early interruption that was answered is an item, not the end', () => {
    const group = groupOf(
      chatOf([assistant('a1', null, 'one'), interruption('i1', 'a1'), assistant('a2', 'i1', 'two')]),
    );
    expect(group).toMatchObject({ status: 'complete', lastOutput: { type: 'text', text: 'two' } });
    expect(itemsOf(group)).toEqual(['output one', 'output [Request interrupted by user]']);
  });

  test('C8 check 6: a plan that waits is shown with what was said before it', () => {
    const plan = [{ type: 'text', text: 'Here is the plan.' }, toolUse('P', 'ExitPlanMode', { plan: '1. Do' })];
    const lines = [user('u1', null), assistant('a1', 'u1', plan)];
    const group = groupOf(chatOf(lines));
    expect(group.lastOutput).toMatchObject({
      type: 'plan_exit',
      planContent: '1. Do',
      planPreamble: 'Here is the plan.',
      planVerdict: 'pending',
    });
    expect(itemsOf(group)).toEqual(['tool P']);

    const approved = [...lines, user('r1', 'a1', [toolResult('P', 'User has approved your plan.')])];
    expect(groupOf(chatOf(approved)).lastOutput).toMatchObject({ type: 'plan_exit', planVerdict: 'approved' });
    const answered = [...approved, assistant('a2', 'r1', 'Done as planned.')];
    expect(groupOf(chatOf(answered)).lastOutput).toMatchObject({ type: 'text', text: 'Done as planned.' });
  });

  test('C5 C10 a prompt that waits changes no group: what runs goes on', () => {
    const lines = [user('u1', null), assistant('a1', 'u1', [toolUse('T', 'Bash')])];
    const view = chatOf([...lines, queue('enqueue', 'also this')], LIVE);
    expect(view.items.map(({ type }) => type)).toEqual(['user', 'ai', 'user']);
    expect(groupOf(view)).toMatchObject({ status: 'in_progress', isOngoing: true });
    expect(groupOf(view).linkedTools.get('T')?.isOrphaned).toBe(false);
  });

  test('C8 a plan that only the result tells is shown, and one under the old name', () => {
    const result = user('r1', 'a1', [toolResult('P', 'Approved.')], {
      toolUseResult: { plan: '2. Do', isAgent: false },
    });
    const told = [assistant('a1', null, [toolUse('P', 'ExitPlanMode')]), result];
    expect(groupOf(chatOf(told)).lastOutput).toMatchObject({ type: 'plan_exit', planContent: '2. Do' });
    const old = [assistant('a1', null, [toolUse('P', 'exit_plan_mode', { plan: '1. Do' })])];
    expect(groupOf(chatOf(old, LIVE)).lastOutput).toMatchObject({ type: 'plan_exit', planContent: '1. Do' });
  });

  test('C8 C10 check 6: a plan that waits for its verdict is not at work', () => {
    const lines = [assistant('a1', null, [toolUse('P', 'ExitPlanMode', { plan: '1. Do' })])];
    expect(groupOf(chatOf(lines, LIVE)).lastOutput).toMatchObject({ type: 'plan_exit', planVerdict: 'pending' });
  });

  test('C8 check 7: without a text the last result is shown, and its tool stays listed', () => {
    const lines = [assistant('a1', null, [toolUse('T', 'Bash')]), user('r1', 'a1', [toolResult('T', 'a.txt')])];
    const group = groupOf(chatOf(lines));
    expect(group.lastOutput).toMatchObject({
      type: 'tool_result',
      toolName: 'Bash',
      toolResult: 'a.txt',
      isError: false,
    });
    expect(itemsOf(group)).toEqual(['tool T']);
    expect(group.itemsSummary).toBe('1 tool call');
  });

  test('C8 a group that only thought shows nothing', () => {
    const group = groupOf(chatOf([assistant('a1', null, [{ type: 'thinking', thinking: 'hm' }])]));
    expect(group.lastOutput).toBeNull();
  });

  test('C8 the running group says that it runs', () => {
    const group = groupOf(chatOf([assistant('a1', null, [{ type: 'text', text: 'I look.' }, toolUse('T')])], LIVE));
    expect(group.lastOutput?.type).toBe('ongoing');
    expect(itemsOf(group)).toEqual(['output I look.', 'tool T']);
  });

  test('C9 an error with no answer after it is an error, one that was answered is not', () => {
    const failed = [assistant('a1', null, [toolUse('T')]), user('r1', 'a1', [toolResult('T', 'no such file', true)])];
    expect(groupOf(chatOf(failed)).status).toBe('error');
    expect(groupOf(chatOf([...failed, assistant('a2', 'r1', 'It is not there.')])).status).toBe('complete');
  });

  test('C9 a response that failed is an error', () => {
    const failure = assistant('a1', 'u1', 'API Error: 529 overloaded', { isApiErrorMessage: true });
    const view = chatOf([
      user('u1', null),
      { ...failure, message: { ...(failure.message as object), model: '<synthetic>' } },
    ]);
    expect(groupOf(view)).toMatchObject({ status: 'error', lastOutput: { type: 'text', isError: true } });
  });
});
