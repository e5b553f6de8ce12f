import { expect, test, vi } from 'vitest';
import { claudeCode } from '../../src/formats/claude-code/index.ts';
import type * as calls from '../../src/tree/calls.ts';
import { Tree } from '../../src/tree/index.ts';
import type * as makers from '../../src/tree/make-nodes.ts';
import {
  assistant,
  claudeTree,
  command,
  type Files,
  factsOf,
  type Json,
  linesOf,
  progress,
  recordOf,
  stdout,
  system,
  toolResult,
  toolUse,
  user,
} from '../kit/transcript.ts';

const work = vi.hoisted(() => ({ steps: 0 }));

/** Whoever goes from line to line, or from call to call, asks one for the next. */
const counting = vi.hoisted(() => <T extends object>(object: T, names: readonly (keyof T)[]): T => {
  for (const name of names) {
    let value = object[name];
    Object.defineProperty(object, name, {
      get: () => {
        work.steps++;
        return value;
      },
      set: (next: T[keyof T]) => {
        value = next;
      },
    });
  }
  return object;
});

vi.mock('../../src/tree/make-nodes.ts', async (original) => {
  const real = await original<typeof makers>();
  const newNode: typeof real.newNode = (...given) =>
    counting(real.newNode(...given), ['target', 'children', 'sibling']);
  return { ...real, newNode };
});

vi.mock('../../src/tree/calls.ts', async (original) => {
  const real = await original<typeof calls>();
  const newSite: typeof real.newSite = (...given) => counting(real.newSite(...given), ['also']);
  return { ...real, newSite };
});

const SMALL = 100;

function stepsOf(act: () => void): number {
  work.steps = 0;
  act();
  return work.steps;
}

/** Twice as many take about twice the steps. */
function expectLinear(read: (count: number) => void): void {
  const [small = 0, double = 0, fourfold = 0] = [1, 2, 4].map((times) => stepsOf(() => read(times * SMALL)));
  expect(small).toBeGreaterThan(0);
  expect(double).toBeLessThan(2.5 * small);
  expect(fourfold).toBeLessThan(2.5 * double);
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/** Each line hangs on the one before, the first on `a`. */
const chain = (count: number, line: (id: string, parent: string, i: number) => Json): Json[] =>
  numbers(count).map((i) => line(`p${i}`, i === 0 ? 'a' : `p${i - 1}`, i));

const CALLS = (count: number): Json =>
  assistant(
    'a',
    'u',
    numbers(count).map((i) => toolUse(`T${i}`)),
  );
const CHAINS: Readonly<Record<string, { above: (count: number) => Json; line: Parameters<typeof chain>[1] }>> = {
  results: { above: CALLS, line: (id, parent, i) => user(id, parent, [toolResult(`T${i}`)]) },
  bodies: { above: CALLS, line: (id, parent, i) => user(id, parent, id, { isMeta: true, sourceToolUseID: `T${i}` }) },
  'results without calls': {
    above: () => assistant('a', 'u'),
    line: (id, parent, i) => user(id, parent, [toolResult(`T${i}`)]),
  },
  'system lines': { above: () => assistant('a', 'u'), line: (id, parent) => system(id, parent, 'turn_duration') },
  'progress lines': { above: () => assistant('a', 'u'), line: (id, parent) => progress(id, parent) },
  outputs: { above: () => command('a', 'u', '/context-of-mine'), line: (id, parent) => stdout(id, parent, id) },
  'parts of an answer': {
    above: () => user('a', 'u'),
    line: (id, parent) => assistant(id, parent, id, { id: 'm' }),
  },
};

const isEven = (_: Json, i: number): boolean => i % 2 === 0;
const isOdd = (_: Json, i: number): boolean => i % 2 === 1;

/** Above the chain stands `above`, below it a line that ends it. */
const LAYOUTS: Readonly<Record<string, (above: readonly Json[], lines: readonly Json[], end: Json) => Files>> = {
  'in one file': (above, lines, end) => ({ 's.jsonl': [...above, ...lines, end] }),
  'read before what it hangs on': (above, lines, end) => ({ 's.jsonl': [...lines, end, ...above] }),
  backwards: (above, lines, end) => ({ 's.jsonl': [...above, ...lines, end].reverse() }),
  'every second line later': (above, lines, end) => ({
    's.jsonl': [...above, ...lines.filter(isEven), ...lines.filter(isOdd), end],
  }),
  'in a file before that of what it hangs on': (above, lines, end) => ({
    'one.jsonl': [...lines, end],
    'two.jsonl': above,
  }),
  'in a file after that of what it hangs on': (above, lines, end) => ({
    'one.jsonl': above,
    'two.jsonl': [...lines, end],
  }),
  'every second line in another file': (above, lines, end) => ({
    'one.jsonl': [...above, ...lines.filter(isEven)],
    'two.jsonl': [...lines.filter(isOdd), end],
  }),
  'copied into a second file': (above, lines, end) => ({
    'one.jsonl': [...above, ...lines, end],
    'two.jsonl': [...above, ...lines, end],
  }),
  'its ids used for other lines in a second file': (above, lines, end) => ({
    'two.jsonl': [...above, ...lines, end],
    'one.jsonl': lines.map(({ uuid, parentUuid }) => assistant(`${uuid}`, `${parentUuid}`, 'other', { id: 'm' })),
  }),
};

test.each(Object.keys(CHAINS).flatMap((what) => Object.keys(LAYOUTS).map((where) => [what, where] as const)))(
  'H19 a chain of %s, %s: twice as long takes about twice the work',
  (what, where) => {
    const { above, line } = CHAINS[what] as (typeof CHAINS)[string];
    expectLinear((count) => {
      const end = assistant('z', `p${count - 1}`);
      claudeTree(LAYOUTS[where]?.([user('u', null), above(count)], chain(count, line), end) ?? {});
    });
  },
);

test.each(['forward', 'backward'])(
  'H19 results whose calls come after them, %s: twice as many take about twice the work',
  (order) => {
    expectLinear((count) => {
      const answers = numbers(count).map((i) => assistant(`a${i}`, 'u', [toolUse(`T${i}`)]));
      const results = chain(count, (id, parent, i) => user(id, parent, [toolResult(`T${i}`)]));
      const later = order === 'forward' ? answers : answers.reverse();
      const tree = claudeTree([user('u', null), user('a', 'u'), ...results, assistant('z', `p${count - 1}`), ...later]);
      expect(recordOf(tree, 'z').parent).toBe('a');
    });
  },
);

test.each(['forward', 'backward'])(
  'H3, H10 thousands of results that hang on each other all find the calls that come after them, %s',
  (order) => {
    const count = 2000;
    const names = order === 'forward' ? numbers(count) : numbers(count).reverse();
    const tree = claudeTree([
      user('u', null),
      user('a', 'u'),
      ...chain(count, (id, parent, i) => user(id, parent, [toolResult(`T${i}`)])),
      assistant('z', `p${count - 1}`),
      assistant(
        'b',
        'u',
        names.map((i) => toolUse(`T${i}`)),
      ),
    ]);
    expect(recordOf(tree, 'z').parent).toBe('a');
    expect(recordOf(tree, 'b').calls.every(({ result }) => result !== null)).toBe(true);
  },
);

test('M9 a session of skipped lines is copied line by line: a further line costs the same after any number', () => {
  const costs = [SMALL, 4 * SMALL].map((count) => {
    const lines = [user('u', null), assistant('a', 'u'), ...chain(count, (id, parent) => progress(id, parent))];
    const tree = claudeTree({ 'one.jsonl': lines });
    const facts = factsOf(claudeCode, 'two.jsonl');
    const copies = linesOf(claudeCode, 'two.jsonl', lines);
    tree.add(facts, copies.slice(0, -20));
    // The last line of the chain has none below it.
    return copies.slice(-20, -1).map((line) => stepsOf(() => tree.add(facts, [line])));
  });
  expect(costs[1]).toEqual(costs[0]);
});

test('H11 a circle of results closes when their calls turn up: what hangs on it has no parent, in whatever order it is read', () => {
  const results = chain(5, (id, parent, i) => user(id, parent === 'a' ? 'p4' : parent, [toolResult(`T${i}`)]));
  const answer = assistant(
    'b',
    'u',
    numbers(5).map((i) => toolUse(`T${i}`)),
  );
  const end = assistant('z', 'p2');
  for (const lines of [
    [user('u', null), answer, ...results, end],
    [user('u', null), ...results, end, answer],
    [end, ...results.toReversed(), answer, user('u', null)],
  ]) {
    const whole = claudeTree(lines);
    const grown = new Tree();
    for (const line of linesOf(claudeCode, 's.jsonl', lines)) grown.add(factsOf(claudeCode, 's.jsonl'), [line]);
    for (const tree of [whole, grown]) expect(recordOf(tree, 'z').parent).toBe(null);
  }
});
