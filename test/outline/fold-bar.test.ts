import { describe, expect, test } from 'vitest';
import {
  type BarCounts,
  barLabels,
  barTooltips,
  type FoldState,
  initialState,
  type NodeType,
  press,
  stateBelow,
} from '../../src/outline/index.ts';

describe('O6 the states of a bar', () => {
  const TABLE: readonly (readonly [state: FoldState, one: FoldState, all: FoldState])[] = [
    ['A', 'B', 'C'],
    ['B', 'A', 'C'],
    ['C', 'A', 'B'],
  ];
  test.each(TABLE)('%s: one level gives %s, all levels give %s', (state, one, all) => {
    expect([press(state, 'one'), press(state, 'all')]).toEqual([one, all]);
  });

  test('going to A or B folds every bar below, going to C unfolds it', () => {
    expect((['A', 'B', 'C'] as const).map(stateBelow)).toEqual(['A', 'A', 'C']);
  });
});

const counts = (immediateByType: BarCounts['immediateByType'], totalCount: number, allPaired = false): BarCounts => ({
  immediateByType,
  immediateCount: Object.values(immediateByType).reduce((sum, count) => sum + count, 0),
  totalCount,
  allPaired,
});
const mixed = { user: 1, assistant: 1, system: 0, hook: 0 };

describe('O7 labels', () => {
  test("the seed's example flow", () => {
    const bar = counts(mixed, 125);
    const flow: (readonly [FoldState, string, string | null])[] = [];
    let state: FoldState = 'A';
    const look = (): void => {
      const { one, all } = barLabels(state, bar);
      flow.push([state, one, all]);
    };
    look();
    for (const button of ['all', 'all', 'one', 'one'] as const) {
      state = press(state, button);
      look();
    }
    expect(flow).toEqual([
      ['A', '▶ 2 messages', '▶▶ 125 total'],
      ['C', '▼ fold 2', '▼▼ fold all below'],
      ['B', '▼ fold 2', '▶▶ fold all 125 below'],
      ['A', '▶ 2 messages', '▶▶ 125 total'],
      ['B', '▼ fold 2', '▶▶ fold all 125 below'],
    ]);
  });

  test.each<[counts: BarCounts, label: string]>([
    [counts({ assistant: 3, tool: 4 }, 20), '▶ 3 assistant, 4 tools'],
    [counts({ tool: 1 }, 1), '▶ 1 tool'],
    [counts({ tool: 1 }, 1, true), '▶ 1 tool'],
    [counts({ tool: 2 }, 2, true), '▶ 2 tool pairs'],
    [counts({ tool: 2 }, 2), '▶ 2 tools'],
    [counts({ assistant: 1, tool: 2, system: 1 }, 9), '▶ 1 assistant, 2 tools, 1 system'],
    [counts({ branch: 2 }, 9), '▶ 2 branches'],
    [counts({ branch: 1 }, 9), '▶ 1 branch'],
    [counts({ branch_summary: 1 }, 1), '▶ 1 branch summary'],
    [counts({ user: 1, assistant: 1, tool: 1, system: 1 }, 9), '▶ 4 messages'],
  ])('%j', (given, label) => {
    expect(barLabels('A', given).one).toBe(label);
  });

  test('O8 where there is one level there is one button, and B says what C would', () => {
    const bar = counts({ tool: 3 }, 3);
    expect(barLabels('A', bar)).toEqual({ one: '▶ 3 tools', all: null });
    expect(barLabels('B', bar)).toEqual(barLabels('C', bar));
  });
});

test('O8 tooltips say what a click will do', () => {
  expect((['A', 'B', 'C'] as const).map(barTooltips)).toEqual([
    { one: 'Unfold (1st level)...', all: 'Unfold (all levels)...' },
    { one: 'Fold (all levels)...', all: 'Unfold (all levels)...' },
    { one: 'Fold (all levels)...', all: 'Fold (to 1st level)...' },
  ]);
});

describe('O8 initial states', () => {
  const open = new Set(['branch-x']);
  test.each<[type: NodeType, level: number, id: string, state: FoldState]>([
    ['session', 0, 's', 'B'],
    ['user', 1, 'u', 'B'],
    ['compaction', 1, 'c', 'B'],
    ['assistant', 2, 'a', 'A'],
    ['tool', 3, 't', 'A'],
    ['user', 4, 'sub', 'A'],
    ['branch', 0.5, 'branch-x', 'B'],
    ['branch', 0.5, 'branch-y', 'A'],
  ])('%s on level %d (%s): %s', (type, level, id, state) => {
    expect(initialState({ type, level, id }, open)).toBe(state);
  });
});
