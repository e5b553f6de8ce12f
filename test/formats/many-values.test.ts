import { expect, test } from 'vitest';
import { LineSplitter } from '../../src/formats/index.ts';
import { hasTooManyValues, MOST_VALUES } from '../../src/formats/lines/many-values.ts';
import { bytesOf, claudeTree, recordOf, toolResult, user } from '../kit/transcript.ts';

const dense = (value: string, count: number): string =>
  `${JSON.stringify(user('u1', null, [toolResult('T')], { toolUseResult: 'MANY', last: 1 })).replace('"MANY"', `[${`${value},`.repeat(count)}1]`)}\n`;

test.each(['[]', '{}', '1', '""', '[[1]]'])(
  'attack D2: a line of millions of %s comes with its long values shortened',
  (value) => {
    const found: [number, boolean][] = [];
    const splitter = new LineSplitter('f', (bytes, _, cut) => found.push([bytes.length, cut]));
    splitter.push(bytesOf(dense(value, MOST_VALUES)));
    splitter.push(bytesOf(dense(value, 10)));
    expect(found.map(([length, cut]) => [length < 1_000_000, cut])).toEqual([
      [true, true],
      [true, false],
    ]);
  },
);

test('attack D2: such a line is a record like any other, and named', () => {
  const tree = claudeTree({ 's.jsonl': dense('[]', MOST_VALUES) + dense('[]', 10).replaceAll('u1', 'u2') });
  expect([recordOf(tree, 'u1').kind, recordOf(tree, 'u2').kind]).toEqual(['user', 'user']);
  expect(tree.findings().filter(({ type }) => type === 'line_too_long')).toMatchObject([{ line: 1, uuid: 'u1' }]);
});

test('attack D2: what looks like JSON in a text counts for nothing', () => {
  const bytes = bytesOf(JSON.stringify({ text: '[{"a":"\\\\"},{}],'.repeat(10), more: [1, 2] }));
  expect([2, 3, 4].map((most) => hasTooManyValues(bytes, most))).toEqual([true, true, false]);
});

test('attack D2: 300,000 small rows in a line of 16 MB are read whole', () => {
  const rows = Array.from({ length: 300_000 }, (_, id) => ({ id, name: `row number ${id}`, done: true }));
  const tree = claudeTree([user('u1', null, [toolResult('T')], { toolUseResult: rows })]);
  expect(tree.findings().filter(({ type }) => type === 'line_too_long')).toEqual([]);
});
