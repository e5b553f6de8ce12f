import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FILTER_MODES, keyOf, type Rows, type Selector } from '../../src/selector/index.ts';
import type { Tree } from '../../src/tree/index.ts';
import { nameOf, selectorOf } from '../kit/selector.ts';
import { assistant, claudeTree, piAssistant, piEntry, piHeader, piTree, piUser, user } from '../kit/transcript.ts';

/** Where each line hangs (any line before it, or nowhere), and what it is. */
const shape = fc.array(fc.record({ parent: fc.nat(60), kind: fc.nat(3), isRoot: fc.nat(9).map((n) => n === 0) }), {
  minLength: 1,
  maxLength: 60,
});

type Shape = typeof shape extends fc.Arbitrary<infer T> ? T : never;

function treeOf(lines: Shape, dialect: 'pi' | 'claude'): Tree {
  const make = lines.map(({ parent, kind, isRoot }, at) => {
    const id = `n${at}`;
    const above = isRoot || at === 0 ? null : `n${parent % at}`;
    if (dialect === 'claude') return kind % 2 === 0 ? user(id, above, id) : assistant(id, above, id);
    if (kind === 2) return piEntry('thinking_level_change', id, above, { thinkingLevel: 'high' });
    if (kind === 3) return piEntry('label', id, above, { targetId: 'n0', label: id });
    return kind === 0 ? piUser(id, above) : piAssistant(id, above);
  });
  return dialect === 'pi'
    ? piTree([piHeader(), ...make, piUser('end', null)])
    : claudeTree([...make, user('end', null)]);
}

const key = fc.oneof(
  fc.record({ press: fc.constant('move' as const), by: fc.integer({ min: -70, max: 70 }) }),
  fc.record({ press: fc.constantFrom('fold' as const, 'left' as const, 'right' as const, 'filter' as const) }),
  fc.record({ press: fc.constant('search' as const), text: fc.constantFrom('', 'n', 'n1', 'n2 user', 'zz', 'end') }),
  fc.record({ press: fc.constant('label' as const), at: fc.nat(60) }),
);

function press(selector: Selector, action: typeof key extends fc.Arbitrary<infer T> ? T : never): void {
  if (action.press === 'move') selector.move(action.by);
  else if (action.press === 'fold') selector.toggleFold();
  else if (action.press === 'left') selector.foldOrRise();
  else if (action.press === 'right') selector.unfoldOrSink();
  else if (action.press === 'filter') selector.cycleMode();
  else if (action.press === 'search') selector.setQuery(action.text);
  else if (action.press === 'label') {
    const node = selector.nodes.nodes[action.at % selector.nodes.length];
    if (node) selector.setLabel(keyOf(node) ?? '', { text: 'label', time: null });
  }
  selector.finish();
}

/** What must hold on any screen. */
function checkRows(selector: Selector): void {
  const { rows, nodes } = selector;
  const above = (at: number): number => nodes.parent[at] ?? -1;
  for (let row = 0; row < rows.length; row++) {
    const node = rows.node[row] as number;
    if (row > 0) expect(node).toBeGreaterThan(rows.node[row - 1] as number);
    expect(rows.rowOf[node]).toBe(row);
    // Every row has its nearest shown ancestor above it; only at a fork it goes one level deeper.
    let up = above(node);
    while (up >= 0 && (rows.rowOf[up] as number) < 0) up = above(up);
    const parent = rows.parent[row] as number;
    expect(parent).toBe(up < 0 ? -1 : rows.rowOf[up]);
    expect(parent).toBeLessThan(row);
    const deeper = (rows.depth[row] as number) - (parent < 0 ? 0 : (rows.depth[parent] as number));
    expect(deeper).toBe(parent >= 0 && rows.head[row] === row ? 1 : 0);
  }
  checkForks(rows);
  const folded = [...Array(rows.length).keys()].filter((row) => selector.row(row)?.fold === 'folded');
  for (const row of folded)
    for (let below = row + 1; below < rows.length; below++) expect(rows.parent[below]).not.toBe(row);
  expect(selector.selected >= 0).toBe(rows.length > 0 && (selector.found?.count ?? 1) > 0);
  if (selector.found && selector.selected >= 0) expect(selector.row(selector.selected)?.isDim).toBe(false);
}

/** A row begins a branch exactly where its parent has other children; the last of them is known as the last. */
function checkForks(rows: Rows): void {
  const children = new Map<number, number[]>();
  for (let row = 0; row < rows.length; row++) {
    const parent = rows.parent[row] as number;
    children.set(parent, [...(children.get(parent) ?? []), row]);
  }
  for (const family of children.values())
    for (const row of family) {
      expect(rows.head[row] === row).toBe(family.length > 1);
      if (family.length > 1) expect(rows.last[row] === 1).toBe(row === family.at(-1));
    }
}

describe.each(['pi', 'claude'] as const)('J17 any tree (%s)', (dialect) => {
  test('shows every row with its ancestors, in order, whatever keys were pressed', () => {
    fc.assert(
      fc.property(shape, fc.array(key, { maxLength: 12 }), (lines, keys) => {
        const selector = selectorOf(treeOf(lines, dialect));
        checkRows(selector);
        for (const each of keys) {
          press(selector, each);
          checkRows(selector);
        }
      }),
      { numRuns: 150 },
    );
  });

  test('with the filter all shows every record and annotation once, the active branch first at every fork', () => {
    fc.assert(
      fc.property(shape, (lines) => {
        const tree = treeOf(lines, dialect);
        const selector = selectorOf(tree, { mode: 'all' });
        const shown = Array.from({ length: selector.length }, (_, row) => selector.row(row));
        const records = [...tree.allRecords()];
        const annotations = records.flatMap((record) => record.annotations.map(({ key: id }) => id));
        const all = new Set([...records.map(({ id }) => id), ...annotations]);
        const seen = new Set(shown.map((row) => row && keyOf(row.node)));
        expect([...all].filter((id) => !seen.has(id))).toEqual([]);
        expect(seen.size).toBe(shown.length);
        // Once the active path is left it is not met again, except after a sub-agent: there is none here.
        const active = shown.map((row) => row?.isActive === true);
        const first = active.indexOf(false);
        expect(first < 0 || active.slice(first).every((each) => !each)).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  test('a search finds the same in steps of any size, and shows exactly the hits and what they hang on', () => {
    const query = fc.constantFrom('n1', 'n2 user', 'assistant', 'end n');
    fc.assert(
      fc.property(shape, query, fc.integer({ min: 1, max: 9 }), fc.nat(60), (lines, text, step, at) => {
        const tree = treeOf(lines, dialect);
        const [whole, stepped] = [selectorOf(tree), selectorOf(tree, { mode: 'default' })];
        stepped.move(-at);
        for (const selector of [whole, stepped]) selector.setQuery(text);
        whole.finish();
        let looked = 0;
        while (stepped.work(() => ++looked % step === 0));
        expect(namesOf(stepped)).toEqual(namesOf(whole));
        const { nodes, rows } = whole;
        const words = text.split(' ');
        const isHit = (row: number): boolean => {
          const { role = '', text: said = '' } = whole.row(row)?.text ?? {};
          return words.every((word) => `${role}: ${said}`.includes(word));
        };
        const hits = [...Array(rows.length).keys()].filter(isHit);
        expect(whole.found?.count).toBe(hits.length);
        const kept = new Set<number>();
        for (const row of hits)
          for (let node = rows.node[row] ?? -1; node >= 0; node = nodes.parent[node] ?? -1) kept.add(node);
        const records = [...kept].filter((node) => nodes.nodes[node]?.annotation === null);
        expect([...rows.node]).toEqual(records.sort((a, b) => a - b));
      }),
      { numRuns: 150 },
    );
  });

  test('a fold hides exactly what is below it, and unfolding brings back the same rows', () => {
    fc.assert(
      fc.property(shape, fc.nat(60), (lines, at) => {
        const selector = selectorOf(treeOf(lines, dialect));
        selector.move(-Infinity);
        selector.move(at);
        const before = namesOf(selector);
        const row = selector.row(selector.selected);
        selector.toggleFold();
        expect(before.length - namesOf(selector).length).toBe(row?.fold === 'open' ? row.below : 0);
        selector.toggleFold();
        expect(namesOf(selector)).toEqual(before);
      }),
      { numRuns: 150 },
    );
  });
});

const namesOf = (selector: Selector): string[] =>
  Array.from({ length: selector.length }, (_, row) =>
    nameOf(selector.row(row)?.node ?? { record: null, annotation: null }),
  );

test('J17 the filters are those of the seed', () => {
  expect(FILTER_MODES).toEqual(['default', 'no-tools', 'user-only', 'labeled-only', 'all']);
});
