import { describe, expect, test } from 'vitest';
import { buildPrompts, Selector } from '../../src/selector/index.ts';
import { rowText, selectorOf, sketch } from '../kit/selector.ts';
import {
  assistant,
  boundary,
  claudeTree,
  compactSummary,
  onlySession,
  piAssistant,
  piEntry,
  piHeader,
  piTree,
  piUser,
  toolResult,
  toolUse,
  user,
} from '../kit/transcript.ts';

/** The tree of pi's own tests: user-1 → asst-1 → user-2 → asst-2, from where it goes two ways; the leaf is asst-4a. */
const branches = () => [
  piHeader(),
  piUser('user-1', null),
  piAssistant('asst-1', 'user-1'),
  piUser('user-2', 'asst-1'),
  piAssistant('asst-2', 'user-2'),
  piUser('user-3b', 'asst-2'),
  piAssistant('asst-3b', 'user-3b'),
  piUser('user-3a', 'asst-2'),
  piAssistant('asst-3a', 'user-3a'),
  piUser('user-4a', 'asst-3a'),
  piAssistant('asst-4a', 'user-4a'),
];

describe('J17 rows of a session tree', () => {
  test('the active branch goes first, connectors only at forks, the active path is marked, the leaf selected', () => {
    expect(sketch(selectorOf(piTree(branches())))).toEqual([
      '•user-1',
      '•asst-1',
      '•user-2',
      '•asst-2',
      '├─ •user-3a',
      '│  •asst-3a',
      '│  •user-4a',
      '>│  •asst-4a',
      '└─ user-3b',
      '   asst-3b',
    ]);
  });

  test('what is no record stands on the branch it hangs on, and is active only on the way to the leaf', () => {
    const change = (id: string, parent: string | null) => piEntry('model_change', id, parent, { modelId: id });
    const lines = [
      piHeader(),
      change('open', null),
      piUser('u1', 'open'),
      piAssistant('a1', 'u1'),
      change('left', 'a1'),
      piEntry('label', 'named', 'left', { targetId: 'u1', label: 'x' }),
      piUser('u2', 'named'),
      change('nowhere', 'a1'),
      change('right', 'a1'),
      piUser('u3', 'right'),
      change('after', 'u3'),
    ];
    expect(sketch(selectorOf(piTree(lines), { mode: 'all' }))).toEqual([
      '•open',
      '•u1',
      '•a1',
      '├─ •right',
      '>│  •u3',
      '│  after',
      '├─ left',
      '│  named',
      '│  u2',
      '└─ nowhere',
    ]);
  });

  test('a chain of very many of them is no deeper for it', () => {
    const chain = Array.from({ length: 20_000 }, (_, at) =>
      piEntry('custom', `c${at}`, at === 0 ? 'u1' : `c${at - 1}`),
    );
    const selector = selectorOf(piTree([piHeader(), piUser('u1', null), ...chain, piUser('u2', 'c19999')]), {
      mode: 'all',
    });
    expect([selector.length, selector.row(20_001)?.depth]).toEqual([20_002, 0]);
  });

  test('J16 a Claude Code session with a rewind is the same kind of tree', () => {
    const tree = claudeTree([
      user('u1', null),
      assistant('a1', 'u1'),
      user('u2', 'a1', 'first try'),
      assistant('a2', 'u2'),
      user('u3', 'a1', 'another try'),
      assistant('a3', 'u3'),
    ]);
    expect(sketch(selectorOf(tree))).toEqual(['•u1', '•a1', '├─ •u3', '>│  •a3', '└─ u2', '   a2']);
  });

  test('J16 a fork in another file and a compaction are part of the same tree', () => {
    const first = [user('u1', null), assistant('a1', 'u1'), user('u2', 'a1'), assistant('a2', 'u2')];
    const copies = first.slice(0, 2).map((line) => ({ ...line, sessionId: 'fork' }));
    const tree = claudeTree({
      's.jsonl': [...first, boundary('k1', 'a2'), compactSummary('k2', 'k1'), user('u3', 'k2')],
      'fork.jsonl': [...copies, user('u9', 'a1', 'other', { sessionId: 'fork' })],
    });
    expect(sketch(selectorOf(tree)).map((row) => row.replace(/[>•]/g, ''))).toEqual([
      'u1',
      'a1',
      '├─ u9',
      '└─ u2',
      '   a2',
      '   k1',
      '   u3',
    ]);
  });

  test('J16 a sub-agent hangs on the record that started it, folded, and is no fork', () => {
    const tree = claudeTree({
      's.jsonl': [
        user('u1', null),
        assistant('a1', 'u1', [toolUse('t1', 'Task', { prompt: 'look' })]),
        user('r1', 'a1', [toolResult('t1')], { toolUseResult: { agentId: 'x1' } }),
        assistant('a2', 'r1'),
      ],
      's/subagents/agent-x1.jsonl': [
        user('x-u', null, 'look', { isSidechain: true, agentId: 'x1' }),
        assistant('x-a', 'x-u', 'seen', { isSidechain: true, agentId: 'x1' }),
      ],
    });
    const selector = selectorOf(tree);
    expect(sketch(selector)).toEqual(['•u1', '•a1', '└─ x-u+1', '>•a2']);
    selector.move(-1);
    selector.unfoldOrSink();
    expect(sketch(selector)).toEqual(['•u1', '•a1', '>└─ x-u', '   x-a', '•a2']);
  });

  test('several beginnings stand at the left, the active one first', () => {
    const tree = piTree([piHeader(), piUser('u1', null), piAssistant('a1', 'u1'), piUser('u2', null)]);
    expect(sketch(selectorOf(tree))).toEqual(['>•u2', 'u1', 'a1']);
  });

  test('J3 what names a parent that is missing, or itself, is a beginning', () => {
    const tree = piTree([piHeader(), piUser('u1', 'gone'), piUser('u2', 'u2'), piUser('u3', 'u1')]);
    expect(sketch(selectorOf(tree)).map((row) => row.replace(/[>•]/g, ''))).toEqual(['u1', 'u3', 'u2']);
  });

  test('J18 --branch lists the prompts of every branch in the order they were written, the last one selected', () => {
    const tree = piTree(branches());
    const selector = new Selector(buildPrompts(tree, onlySession(tree)), (node) => rowText(node, {}));
    expect(sketch(selector)).toEqual(['user-1', 'user-2', 'user-3b', 'user-3a', '>user-4a']);
  });

  test('where there is nothing there are no rows, and no key breaks that', () => {
    const tree = piTree([piHeader(), piAssistant('a1', null)]);
    const selector = new Selector(buildPrompts(tree, onlySession(tree)), (node) => rowText(node, {}));
    selector.setMode('user-only');
    selector.move(1);
    selector.foldOrRise();
    selector.unfoldOrSink();
    selector.toggleFold();
    selector.setQuery('x');
    selector.finish();
    expect([selector.length, selector.selected, selector.selectedNode]).toEqual([0, -1, null]);
  });
});

test('J17 study 5.1, check 20: user-only from asst-2 selects user-2, an empty filter and back restores', () => {
  const selector = selectorOf(piTree(branches()), { selected: 'S/asst-2' });
  const selected = () => sketch(selector).find((row) => row.startsWith('>'));
  selector.setMode('user-only');
  expect(selected()).toBe('>•user-2');
  selector.setMode('labeled-only');
  expect(selector.length).toBe(0);
  selector.setMode('default');
  expect(selected()).toBe('>•asst-2');
});

describe('J17 folds', () => {
  test('a fold hides a branch, and Down goes to the next one; Left folds or goes up, Right unfolds or goes on', () => {
    const selector = selectorOf(piTree(branches()), { selected: 'S/user-3a' });
    selector.toggleFold();
    selector.move(1);
    expect(sketch(selector)).toEqual([
      '•user-1',
      '•asst-1',
      '•user-2',
      '•asst-2',
      '├─ •user-3a+3',
      '>└─ user-3b',
      '   asst-3b',
    ]);
    selector.move(1);
    selector.foldOrRise();
    expect(sketch(selector).find((row) => row.startsWith('>'))).toBe('>└─ user-3b');
    selector.foldOrRise();
    expect(sketch(selector).find((row) => row.startsWith('>'))).toBe('>└─ user-3b+1');
    selector.foldOrRise();
    expect(sketch(selector).find((row) => row.startsWith('>'))).toBe('>•asst-2');
    selector.unfoldOrSink();
    selector.unfoldOrSink();
    expect(sketch(selector)).toHaveLength(9);
  });

  test('a search looks through folds, and afterwards they are open', () => {
    const selector = selectorOf(piTree(branches()), { selected: 'S/user-3a' });
    selector.toggleFold();
    selector.setQuery('asst-4a');
    selector.finish();
    expect(sketch(selector).at(-1)).toBe('>•asst-4a');
    selector.setQuery('');
    expect(sketch(selector)).toHaveLength(10);
    expect(sketch(selector).find((row) => row.startsWith('>'))).toBe('>│  •asst-4a');
  });
});
