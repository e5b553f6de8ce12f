import { expect, test, vi } from 'vitest';
import * as nodes from '../../src/tree/nodes.ts';
import { assistant, claudeTree, type Files, recordOf, toolResult, toolUse, user } from '../kit/transcript.ts';

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

test.each(['calls first', 'results first'] as const)(
  'H3 calls that share an id, copied into a second file, %s: twice as many take about twice the work',
  (order) => {
    const works = [SMALL, 2 * SMALL, 4 * SMALL].map((count) => {
      vi.mocked(nodes.compareSpots).mockClear();
      vi.mocked(nodes.spotsOf).mockClear();
      const calls = recordOf(claudeTree(filesOf(count, order)), 'a0').calls;
      expect(calls).toHaveLength(2 * count);
      expect(calls.flatMap(({ result, more }) => (result ? [result, ...more] : more))).toHaveLength(count);
      return vi.mocked(nodes.compareSpots).mock.calls.length + vi.mocked(nodes.spotsOf).mock.calls.length;
    });
    const [small = 0, double = 0, fourfold = 0] = works;
    expect(double).toBeLessThan(2.5 * small);
    expect(fourfold).toBeLessThan(2.5 * double);
  },
);
