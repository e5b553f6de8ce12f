import { expect, test } from 'vitest';
import { renderTool } from '../../../src/views/html/tools/index.ts';

const at = { file: 'p/s.jsonl', line: 1, offset: 0, bytes: 1 };

/** One question with these options, as a page shows it with its answer. */
function shown(labels: readonly string[], answer: unknown, multiSelect = false): string {
  const input = { questions: [{ question: 'Which?', options: labels.map((label) => ({ label })), multiSelect }] };
  const call = { type: 'call', id: 'T', name: 'AskUserQuestion', input, at } as const;
  const detail = { ...input, answers: { 'Which?': answer } };
  const block = { type: 'result', of: 'T', output: '', detail, isError: false, at } as const;
  const result = { block, time: null, more: [], body: [] };
  return renderTool({ id: 'T', name: 'AskUserQuestion', call, result, isError: false, subagents: [] }).input;
}

const chosen = (...args: Parameters<typeof shown>): string[] =>
  [...shown(...args).matchAll(/class="chosen">([^<]*?) </g)].map(([, label = '']) => label);

test('U17 an option with a comma is marked as chosen', () => {
  expect(chosen(['Yes, both', 'No'], 'Yes, both')).toEqual(['Yes, both']);
});

test.each([
  ['each of several', ['Red', 'Green', 'Blue'], 'Red, Blue', ['Red', 'Blue']],
  ['also with commas in them', ['Yes, both', 'No', 'Later'], 'Yes, both, Later', ['Yes, both', 'Later']],
  ['the longer of two that begin alike', ['Yes', 'Yes, both', 'both'], 'Yes, both', ['Yes, both']],
  ['beside what was typed', ['Red', 'Green'], 'purple, Green', ['Green']],
  ['not one that a word only begins with', ['Red', 'Green'], 'Reddish, Green', ['Green']],
  ['of a list', ['Red', 'Green'], ['Red', 'Green'], ['Red', 'Green']],
])('U17 of several answers an option is marked: %s', (_, labels, answer, marked) => {
  expect(chosen(labels, answer, true)).toEqual(marked);
});

test('U17 where one answer is asked for, a part of what was typed is no option', () => {
  expect(chosen(['Yes', 'No'], 'Not now, Yes')).toEqual([]);
});

test('U17 the answer is called so', () => {
  expect(shown(['Yes', 'No'], 'Yes')).toContain('<p>Answer: Yes</p>');
});
