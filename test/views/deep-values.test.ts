import { expect, test } from 'vitest';
import { writeJson } from '../../src/model/index.ts';
import { formsOf } from '../kit/forms.ts';
import { assistant, toolResult, toolUse, user } from '../kit/transcript.ts';

const LEVELS = 20_000;
const deep = `${'{"down":'.repeat(LEVELS)}1${'}'.repeat(LEVELS)}`;

const session = [
  user('u', null, [
    { type: 'text', text: 'begins' },
    { type: 'news', said: 'DEEP' },
  ]),
  assistant('a', 'u', [toolUse('T', 'mcp__x__y', { given: 'DEEP' }), toolUse('V', 'News', 'DEEP')]),
  user('r', 'a', [toolResult('T', [{ type: 'text', text: 'DEEP TEXT' }])], { toolUseResult: 'DEEP' }),
  user('s', 'r', [toolResult('V', 'DEEP'), toolResult('nobody', 'DEEP')]),
  { ...user('n', 's'), type: 'attachment', attachment: { type: 'news', said: 'DEEP' } },
  assistant('b', 'n', 'ends'),
]
  .map(
    (line) =>
      `${JSON.stringify(line).replaceAll('"DEEP"', deep).replaceAll('DEEP TEXT', JSON.stringify(deep).slice(1, -1))}\n`,
  )
  .join('');

test.each([false, true])('attack D3 values nested 20,000 deep are shown in every form (verbose: %s)', (verbose) => {
  for (const [form, text] of Object.entries(formsOf(session, verbose))) expect(text, form).toContain('ends');
});

test('attack D3 what lies below 500 levels of a value is left out, and everything else is there', () => {
  const told = JSON.parse(writeJson({ down: JSON.parse(deep), beside: [1] }, 2));
  expect(told.beside).toEqual([1]);
  expect(told.down.down.down).toBeDefined();
});

test('attack D3 laying a deep value out does not make it many times as long', () => {
  const levels = 2000;
  const value = JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
  expect(writeJson(value, 2).length).toBe(2 * levels);
});
