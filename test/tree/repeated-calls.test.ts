import { expect, test, vi } from 'vitest';
import { claudeCode } from '../../src/formats/claude-code/index.ts';
import * as graphs from '../../src/tree/graph.ts';
import { Tree } from '../../src/tree/index.ts';
import { linkSubagents } from '../../src/tree/link-subagents.ts';
import * as nodes from '../../src/tree/nodes.ts';
import {
  assistant,
  bytesOf,
  claudeTree,
  type Files,
  factsOf,
  type Json,
  linesOf,
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

/** Whoever looks again at a line looks whether its parent stands in its file. */
vi.mock('../../src/tree/graph.ts', async (original) => {
  const real = await original<typeof graphs>();
  return { ...real, isIn: vi.fn(real.isIn) };
});

vi.mock('../../src/tree/link-subagents.ts', async (original) => {
  const real = await original<{ linkSubagents: typeof linkSubagents }>();
  return { ...real, linkSubagents: vi.fn(real.linkSubagents) };
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

/** How often places were compared or looked at for each of these. */
function worksOf(counts: readonly number[], read: (count: number) => void): number[] {
  const counted = [nodes.compareSpots, nodes.spotsOf, graphs.isIn].map((each) => vi.mocked(each as () => unknown));
  return counts.map((count) => {
    for (const each of counted) each.mockClear();
    read(count);
    return counted.reduce((sum, { mock }) => sum + mock.calls.length, 0);
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
      // What further lines call again was written again (peers D4).
      expect(calls).toHaveLength(2);
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

test('H3, H8 ids used again, and the forked copy is read first: twice as many take about twice the work', () => {
  const works = worksOf([SMALL, 2 * SMALL, 4 * SMALL], (count) => {
    const lines = [user('u', null), ...Array.from({ length: count }, (_, i) => turn(i)).flat()];
    const fork = lines.map((line) => ({ ...line, forkedFrom: { sessionId: 'two', messageUuid: line.uuid } }));
    const tree = claudeTree({ 'one.jsonl': fork, 'two.jsonl': lines });
    const { calls } = recordOf(tree, `a${count - 1}`);
    expect(calls.map(({ result, more }) => [result?.line, more.length])).toEqual([
      [4 * count, 0],
      [4 * count + 1, 0],
    ]);
  });
  expectLinear(works);
});

test('H12 ids used again while a session grows and starts sub-agents: few calls make anybody look for who started what', () => {
  const tree = new Tree();
  const add = (path: string, lines: readonly Json[]): void => {
    const facts = factsOf(claudeCode, path);
    for (const line of linesOf(claudeCode, path, bytesOf(lines))) tree.add(facts, [line]);
  };
  add('s/subagents/agent-k.jsonl', [{ ...user('k', null), isSidechain: true, agentId: 'k' }]);
  add('s.jsonl', [
    user('u', null),
    assistant('t', 'u', [toolUse('call_0', 'Task', { prompt: 'p' })]),
    { ...user('s', 't', [toolResult('call_0')]), toolUseResult: { agentId: 'k' } },
  ]);
  vi.mocked(linkSubagents).mockClear();
  const lines = Array.from({ length: SMALL }, (_, i) => turn(i)).flat();
  add('s.jsonl', lines);
  expect(linkSubagents).not.toHaveBeenCalled();
  expect(recordOf(tree, 't').calls[0]?.subagents).toEqual(['k']);
});
