import { expect, test } from 'vitest';
import { groupContexts } from '../../src/chat/index.ts';
import { buildContext } from '../../src/context/index.ts';
import { claudeCode } from '../../src/formats/claude-code/index.ts';
import { defaultChat, groupsOf } from '../kit/chat.ts';
import { contentFrom } from '../kit/content.ts';
import { assistant, claudeTree, onlySession, system, toolResult, toolUse, user } from '../kit/transcript.ts';

const usage = (input: number) => ({ usage: { input_tokens: input, output_tokens: 15 } });

/** The contexts of the AI groups of a session, in their order. */
function contextsOf(lines: readonly object[]) {
  const files = { 's.jsonl': lines };
  const tree = claudeTree(files);
  const content = contentFrom(claudeCode, files);
  const { id, defaultThread } = onlySession(tree);
  const chat = defaultChat(tree, content);
  const contexts = groupContexts(chat, buildContext(tree, id, defaultThread ?? '', content));
  return groupsOf(chat).map((group) => contexts.get(group.id));
}

const lines = [
  user('u1', null, 'q'.repeat(400)),
  assistant('a1', 'u1', [toolUse('T', 'Bash', { command: 'ls' })], usage(1000)),
  user('r1', 'a1', [toolResult('T', 'x'.repeat(800))]),
  assistant('a2', 'r1', 'z'.repeat(4000), usage(150_000)),
  system('b1', 'a2', 'compact_boundary', {
    parentUuid: null,
    logicalParentUuid: 'a2',
    content: 'Conversation compacted',
  }),
  user('c1', 'b1', 'This session is being continued from a previous conversation. It was about q.', {
    isCompactSummary: true,
  }),
  user('u2', 'c1', 'next'),
  assistant('a3', 'u2', 'ok', usage(20_000)),
];

test('C15 check 17: the final answer counts, a file that was not seen counts 0, totals restart per phase', () => {
  const [first, second] = contextsOf(lines);
  expect(first?.added.user_messages).toBe(100);
  expect(first?.added.tool_outputs).toBeGreaterThanOrEqual(200);
  expect(first?.added.thinking_and_text).toBe(1000);
  expect(first?.total.thinking_and_text).toBe(1000);
  expect(first?.added.claude_md).toBe(0);
  expect([first?.phase, second?.phase]).toEqual([1, 2]);
  expect(second?.total.tool_outputs).toBe(0);
  expect(second?.total.thinking_and_text).toBe(1);
});

test('C15 what the provider counted is told, and the part that nobody can name', () => {
  const [first] = contextsOf(lines);
  const total = Object.values(first?.total ?? {}).reduce((sum, tokens) => sum + tokens, 0);
  expect(first?.reported).toBe(150_000);
  expect(first?.notAttributed).toBe(150_000 - (total - 1000));
});
