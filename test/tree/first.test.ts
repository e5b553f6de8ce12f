import { expect, test } from 'vitest';
import { assistant, claudeTree, digestOf, recordOf, threadOf, toolResult, toolUse, user } from '../kit/transcript.ts';

test('H3 results find their calls in any order and the next answer hangs on the answer that called', () => {
  const tree = claudeTree([
    user('u1', null),
    assistant('a2', 'u1', [toolUse('A'), toolUse('B')]),
    user('r3', 'a2', [toolResult('B')]),
    user('r4', 'r3', [toolResult('A')]),
    assistant('a5', 'r4', 'done'),
  ]);
  expect(threadOf(tree)).toEqual(['u1', 'a2', 'a5']);
  expect(recordOf(tree, 'a5').parent).toBe('a2');
  expect(recordOf(tree, 'a2').calls.map((call) => call.result?.line)).toEqual([4, 3]);
  expect(digestOf(tree)).toContain('"a5"');
});
