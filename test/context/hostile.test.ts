import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sumTokens } from '../../src/context/index.ts';
import {
  assistant,
  attachment,
  boundary,
  meta,
  piHeader,
  piMessage,
  toolResult,
  toolUse,
  user,
} from '../kit/transcript.ts';
import { claudeContext, piContext } from './view.ts';

const anything = fc.jsonValue({ maxDepth: 4 });
const isCount = (count: number): boolean => Number.isSafeInteger(count) && count >= 0;

test('C15 any JSON where content stands is counted and never throws', () => {
  fc.assert(
    fc.property(anything, anything, anything, (one, two, three) => {
      const { view, at } = claudeContext([
        user('u1', null, one),
        attachment('h1', 'u1', { type: 'file', filename: one, content: two, addedLines: three }),
        assistant('a1', 'h1', [toolUse('T', 'Read', two), two]),
        user('r1', 'a1', [toolResult('T', three), one], { toolUseResult: two }),
        meta('m1', 'r1', three, { sourceToolUseID: 'T' }),
        attachment('h2', 'm1', { type: two, hookName: one, content: three, blockingError: one } as never),
        boundary('b1', 'h2', { compactMetadata: { preTokens: one, postTokens: two } }),
        assistant('a2', 'b1', three),
      ]);
      expect(isCount(at().tokens)).toBe(true);
      expect(view.responses.every(({ total }) => isCount(sumTokens(total)))).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test('J9 any JSON in a Pi message is counted and never throws', () => {
  const role = fc.constantFrom('user', 'assistant', 'toolResult', 'bashExecution', 'fileMention', 'custom', 'odd');
  fc.assert(
    fc.property(role, anything, anything, (name, content, more) => {
      const message = { role: name, content, command: more, files: content, toolCallId: more };
      const { at } = piContext([
        piHeader(),
        piMessage('u1', null, { role: 'user', content: 'x' }),
        piMessage('m1', 'u1', message),
      ]);
      expect(isCount(at().tokens)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test('C15 values nested two thousand deep are counted', () => {
  const content = [{ type: 'tool_use', id: 'T', name: 'Read', input: 'PLACE' }];
  const line = JSON.stringify(assistant('a1', null, content)).replace('"PLACE"', '['.repeat(2000) + ']'.repeat(2000));
  const { at } = claudeContext([JSON.parse(line)]);
  expect(at().tokens).toBeGreaterThan(900);
});
