import { expect, test } from 'vitest';
import { jsonConversation } from '../../../src/views/json/json-chat.ts';
import { chatOf } from '../../kit/chat.ts';
import { assistant, type Json, toolResult, toolUse, user } from '../../kit/transcript.ts';

const wire = (lines: readonly Json[]) => JSON.parse([...jsonConversation(chatOf(lines))].join(''));

test('P4 keys are snake_case, dates ISO strings, a map an object, records where they stand', () => {
  const { items, ...rest } = wire([
    user('u1', null, 'hi', { timestamp: '2026-01-01T00:00:00.000Z' }),
    assistant('a1', 'u1', [toolUse('T', 'Read', { filePath: '/r' })]),
  ]);
  expect(rest).toMatchObject({ session_id: 's', thread_id: 'u1', total_ai_groups: 1, is_ongoing: false });
  expect(items[0]).toMatchObject({
    type: 'user',
    group: {
      id: 'user-u1',
      timestamp: '2026-01-01T00:00:00.000Z',
      message: { uuid: 'u1', parent_uuid: null, kind: 'user', file: 'p/s.jsonl', line: 1 },
      content: { raw_text: 'hi', file_references: [] },
    },
  });
  expect(items[1].group.linked_tools.T).toMatchObject({ name: 'Read', is_orphaned: true });
});

test('P4 what a tool was given and gave back keeps its keys', () => {
  const { items } = wire([
    assistant('a1', null, [toolUse('T', 'Odd', { filePath: '/r', deepKey: { innerKey: 1 } })]),
    user('r1', 'a1', [toolResult('T', [{ type: 'text', text: 'x', someKey: 1 }])], { toolUseResult: { stdOut: 'x' } }),
  ]);
  const tool = items[0].group.linked_tools.T;
  expect(tool.input).toEqual({ filePath: '/r', deepKey: { innerKey: 1 } });
  expect(tool.result.tool_use_result).toEqual({ stdOut: 'x' });
  expect(tool.result.content[0]).toMatchObject({ someKey: 1 });
  expect(items[0].group.steps[0].content.tool_input).toEqual(tool.input);
});

test('P6 ids of calls that look like fields are just ids', () => {
  const ids = ['message', 'responses', 'input', 'content', '__proto__', 'toolInput'];
  const { items } = wire([
    assistant(
      'a1',
      null,
      ids.map((id) => toolUse(id)),
    ),
  ]);
  expect(Object.keys(items[0].group.linked_tools).sort()).toEqual(ids.sort());
});

test('P6 a value nested too deep to be written is cut, the rest is there', () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const line = JSON.stringify(assistant('a1', null, [toolUse('T', 'Odd', { deep: 'DEEP', flat: 1 })]));
  const view = chatOf({ 's.jsonl': `${line.replace('"DEEP"', deep)}\n` });
  const { items } = JSON.parse([...jsonConversation(view)].join(''));
  expect(items[0].group.linked_tools.T.input.flat).toBe(1);
});
