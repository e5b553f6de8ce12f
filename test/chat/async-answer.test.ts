import { expect, test } from 'vitest';
import { chatOf, groupOf } from '../kit/chat.ts';
import { assistant, notification, toolResult, toolUse, user } from '../kit/transcript.ts';
import { claudeOutline } from '../outline/view.ts';

const ANSWER = 'All is covered.';
const aside = { isSidechain: true, agentId: 'k' };
const files = {
  's.jsonl': [
    user('u1', null, 'go'),
    assistant('a1', 'u1', [toolUse('T', 'Task', { prompt: 'look', run_in_background: true })]),
    user('r1', 'a1', [toolResult('T', 'Async agent launched successfully\nagentId: k')], {
      toolUseResult: { isAsync: true, agentId: 'k' },
    }),
    assistant('a2', 'r1', 'It runs'),
    notification(
      'n1',
      'a2',
      `<task-id>k</task-id>\n<summary>Agent done</summary>\n<result>${ANSWER}</result>\n<usage>total_tokens: 23099\ntool_uses: 2\nduration_ms: 15506</usage>`,
    ),
    assistant('a3', 'n1', 'Fine'),
  ],
  's/subagents/agent-k.jsonl': [user('k1', null, 'look', aside), assistant('k2', 'k1', ANSWER, aside)],
};

test('peers D12 a notification that names only its task is linked to the call that started it', () => {
  const item = groupOf(chatOf(files)).displayItems.find(({ type }) => type === 'notification');
  expect(item).toMatchObject({ notification: { taskId: 'k', callId: 'T' } });
});

test('peers D12 its answer stands once in the outline: with the sub-agent', () => {
  const { all } = claudeOutline(files);
  const says = all.filter((node) => JSON.stringify([node.text, node.blocks]).includes(ANSWER));
  expect(says.map(({ id }) => id)).toEqual(['k2']);
});

test('peers D12 with no sub-agent that says it, the answer stays', () => {
  const { all } = claudeOutline({ 's.jsonl': files['s.jsonl'] });
  expect(all.filter((node) => JSON.stringify(node.blocks).includes(ANSWER)).map(({ id }) => id)).toEqual(['n1']);
});

test('peers D12 what the task used is kept, and where its transcript lies', () => {
  const text = `<task-notification>\n<task-id>k</task-id>\n<status>completed</status>\n<usage>total_tokens: 23099\ntool_uses: 2\nduration_ms: 15506</usage>\n</task-notification>\nFull transcript available at: /tmp/k.output`;
  const { at } = claudeOutline([user('u1', null, 'go'), user('n1', 'u1', text)]);
  expect(at('n1').blocks).toMatchObject([
    { usage: { tokens: 23099, toolUses: 2, durationMs: 15506 }, transcript: '/tmp/k.output' },
  ]);
});
