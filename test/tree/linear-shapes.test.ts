import { expect, test, vi } from 'vitest';
import { claudeCode } from '../../src/formats/claude-code/index.ts';
import * as graphs from '../../src/tree/graph.ts';
import { Tree } from '../../src/tree/index.ts';
import * as homes from '../../src/tree/name-sessions.ts';
import * as nodes from '../../src/tree/nodes.ts';
import { sdkFork } from '../kit/sdk-fork.ts';
import { assistant, type Files, factsOf, type Json, linesOf, toolUse, user } from '../kit/transcript.ts';

/** Whoever goes through lines compares where they stand, or looks whether one stands in a file, or to which session it belongs. */
vi.mock('../../src/tree/nodes.ts', async (original) => {
  const real = await original<typeof nodes>();
  return { ...real, compareSpots: vi.fn(real.compareSpots), spotsOf: vi.fn(real.spotsOf) };
});
vi.mock('../../src/tree/graph.ts', async (original) => {
  const real = await original<typeof graphs>();
  return { ...real, isIn: vi.fn(real.isIn) };
});
vi.mock('../../src/tree/name-sessions.ts', async (original) => {
  const real = await original<typeof homes>();
  return { ...real, homeAt: vi.fn(real.homeAt) };
});

function workOf(files: Files): number {
  const counted = [nodes.compareSpots, nodes.spotsOf, graphs.isIn, homes.homeAt].map((each) =>
    vi.mocked(each as () => unknown),
  );
  for (const each of counted) each.mockClear();
  const tree = new Tree();
  for (const [path, lines] of Object.entries(files))
    tree.feed(factsOf(claudeCode, path), linesOf(claudeCode, path, lines));
  tree.commit();
  for (const record of tree.allRecords()) tree.record(record.id);
  tree.findings();
  return counted.reduce((sum, { mock }) => sum + mock.calls.length, 0);
}

const COMMON = [user('u1', null), assistant('a1', 'u1'), user('u2', 'a1'), assistant('a2', 'u2')];
const numbersTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const name = (i: number): string => `s${String(i).padStart(6, '0')}`;
const filesFrom = (count: number, linesOfFile: (id: string) => readonly Json[], isReversed = false): Files => {
  const entries = numbersTo(count).map((i): [string, readonly Json[]] => [`${name(i)}.jsonl`, linesOfFile(name(i))]);
  return Object.fromEntries(isReversed ? entries.reverse() : entries);
};
const forkOf = (id: string): Json[] => [...COMMON, user(`${id}-u`, 'a2'), assistant(`${id}-a`, `${id}-u`)];
const sdkForkOf = (id: string): Json[] => [...sdkFork(COMMON, id), user(`${id}-u`, `${id}:a2`)];

const SHAPES: readonly (readonly [string, (count: number) => Files])[] = [
  ['sessions forked from one beginning', (count) => filesFrom(count, forkOf)],
  ['sessions forked from one beginning, the last read first', (count) => filesFrom(count, forkOf, true)],
  ['forks by the SDK', (count) => filesFrom(count, sdkForkOf)],
  ['forks by the SDK, the last read first', (count) => filesFrom(count, sdkForkOf, true)],
  [
    'different lines with one uuid',
    (count) => ({ 's.jsonl': numbersTo(count).map((i) => user('x', i === 0 ? null : 'x', `text ${i}`)) }),
  ],
  [
    'inline side chains with one prompt',
    (count) => ({
      's.jsonl': numbersTo(count).flatMap((i) => [
        assistant(`a${i}`, i === 0 ? null : `a${i - 1}`, [toolUse(`t${i}`, 'Task', { prompt: 'look' })]),
        user(`g${i}`, null, 'look', { isSidechain: true }),
      ]),
    }),
  ],
];

test.each(SHAPES)('attack D4 %s: twice as many take about twice the work', (_, shape) => {
  const [small, double, fourfold] = [100, 200, 400].map((count) => workOf(shape(count))) as [number, number, number];
  expect(double).toBeLessThan(2.6 * small);
  expect(fourfold).toBeLessThan(2.6 * double);
});
