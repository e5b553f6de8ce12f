import { expect, test, vi } from 'vitest';
import * as nodes from '../../src/tree/nodes.ts';
import {
  assistant,
  claudeTree,
  type Files,
  type Json,
  recordOf,
  toolResult,
  toolUse,
  user,
} from '../kit/transcript.ts';

/** Whoever goes through calls or results compares where they stand. */
vi.mock('../../src/tree/nodes.ts', async (original) => {
  const real = await original<typeof nodes>();
  return { ...real, compareSpots: vi.fn(real.compareSpots), spotsOf: vi.fn(real.spotsOf) };
});

const SMALL = 100;

function filesOf(count: number, order: 'calls first' | 'results first'): Files {
  const numbers = Array.from({ length: count }, (_, i) => i);
  const calls = numbers.map((i) =>
    assistant(`a${i}`, i === 0 ? 'u' : `a${i - 1}`, [toolUse('T'), toolUse('T')], { id: 'm' }),
  );
  const results = numbers.map((i) => user(`r${i}`, 'a0', [toolResult('T', `${i}`), toolResult('T', `${i} again`)]));
  const lines = [user('u', null), ...(order === 'calls first' ? [...calls, ...results] : [...results, ...calls])];
  return { 'one.jsonl': lines, 'two.jsonl': lines };
}

/** How often places were compared for each of these. */
function worksOf(counts: readonly number[], read: (count: number) => void): number[] {
  return counts.map((count) => {
    vi.mocked(nodes.compareSpots).mockClear();
    vi.mocked(nodes.spotsOf).mockClear();
    read(count);
    return vi.mocked(nodes.compareSpots).mock.calls.length + vi.mocked(nodes.spotsOf).mock.calls.length;
  });
}

function expectLinear([small = 0, double = 0, fourfold = 0]: readonly number[]): void {
  expect(double).toBeLessThan(2.5 * small);
  expect(fourfold).toBeLessThan(2.5 * double);
}

test.each(['calls first', 'results first'] as const)(
  'H3 calls that share an id, copied into a second file, %s: twice as many take about twice the work',
  (order) => {
    const works = worksOf([SMALL, 2 * SMALL, 4 * SMALL], (count) => {
      const calls = recordOf(claudeTree(filesOf(count, order)), 'a0').calls;
      expect(calls).toHaveLength(2 * count);
      expect(calls.flatMap(({ result, more }) => (result ? [result, ...more] : more))).toHaveLength(count);
    });
    expectLinear(works);
  },
);

test('H8 an answer of many lines whose forked copy is read before it: twice as many take about twice the work', () => {
  const works = worksOf([SMALL, 2 * SMALL, 4 * SMALL], (count) => {
    const parts = Array.from({ length: count }, (_, i) =>
      assistant(`a${i}`, i === 0 ? 'u' : `a${i - 1}`, `${i}`, { id: 'm' }),
    );
    const lines = [user('u', null), ...parts];
    const fork = lines.map((line) => ({ ...line, forkedFrom: { sessionId: 'two', messageUuid: line.uuid } }));
    const { parent, lines: own, copies } = recordOf(claudeTree({ 'one.jsonl': fork, 'two.jsonl': lines }), 'a0');
    expect(parent).toBe('u');
    expect(own.map(({ ref }) => ref.line)).toEqual(parts.map((_, i) => i + 2));
    expect(copies).toHaveLength(count);
  });
  expectLinear(works);
});

test('H3 results in a file that is read before that of the calls they answer: twice as many take about twice the work', () => {
  const works = worksOf([SMALL, 2 * SMALL, 4 * SMALL], (count) => {
    const numbers = Array.from({ length: count }, (_, i) => i);
    const calls = numbers.map((i) => assistant(`a${i}`, i === 0 ? 'u' : `a${i - 1}`, [toolUse('T')]));
    const results = numbers.map((i) => user(`r${i}`, `a${i}`, [toolResult('T', `${i}`)]));
    const tree = claudeTree({ 'one.jsonl': results, 'two.jsonl': [user('u', null), ...calls] });
    for (const i of numbers) expect(recordOf(tree, `a${i}`).calls.map(({ result }) => result?.line)).toEqual([i + 1]);
  });
  expectLinear(works);
});

const turn = (i: number): Json[] => [
  assistant(`a${i}`, i === 0 ? 'u' : `r${i - 1}b`, [toolUse('call_0', 'Bash', { command: `${i}` })], { id: `m${i}` }),
  assistant(`b${i}`, `a${i}`, [toolUse('call_1')], { id: `m${i}` }),
  user(`r${i}a`, `a${i}`, [toolResult('call_0', `${i}`)]),
  user(`r${i}b`, `r${i}a`, [toolResult('call_1', `${i}`)]),
];

test.each([
  ['in one file', { 'one.jsonl': [0, 1, 2] }],
  ['copied when the session was resumed', { 'one.jsonl': [0, 1], 'two.jsonl': [0, 1, 2] }],
  ['gone on with in another file', { 'two.jsonl': [0, 1], 'one.jsonl': [2] }],
])('H3 a model uses ids again with every answer, %s: each call has its own result', (_, turns) => {
  const files = new Map(
    Object.entries(turns).map(([path, numbers]) => [
      path,
      [...(numbers.includes(0) ? [user('u', null)] : []), ...numbers.flatMap(turn)],
    ]),
  );
  const tree = claudeTree(Object.fromEntries(files));
  for (const i of [0, 1, 2]) {
    const { calls } = recordOf(tree, `a${i}`);
    const results = calls.map(({ result, more }) => [
      result && files.get(result.file.slice('p/'.length))?.[result.line - 1]?.uuid,
      more,
    ]);
    expect(results).toEqual([
      [`r${i}a`, []],
      [`r${i}b`, []],
    ]);
  }
});
