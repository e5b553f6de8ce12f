import { describe, expect, test } from 'vitest';
import { FILTER_MODES, readLabels } from '../../src/selector/index.ts';
import { selectorOf, sketch } from '../kit/selector.ts';
import { onlySession, piAssistant, piEntry, piHeader, piResult, piTree, piUser } from '../kit/transcript.ts';

const call = (id: string) => ({ type: 'toolCall', id, name: 'read', arguments: {} });

const session = () =>
  piTree([
    piHeader(),
    piEntry('model_change', 'm', null, { provider: 'p', modelId: 'x' }),
    piUser('u1', 'm'),
    piAssistant('a1', 'u1', [call('t1')]),
    piResult('r1', 'a1', 't1'),
    piAssistant('a2', 'r1', [{ type: 'text', text: 'said' }, call('t2')]),
    piResult('r2', 'a2', 't2'),
    piEntry('label', 'l1', 'r2', { targetId: 'a2', label: 'old' }),
    piEntry('label', 'l2', 'l1', { targetId: 'a2', label: 'here' }),
    piEntry('label', 'l3', 'l2', { targetId: 'u1', label: 'x' }),
    piEntry('label', 'l4', 'l3', { targetId: 'u1' }),
    piUser('u2', 'l4'),
    piEntry('custom_message', 'c', 'u2', { customType: 'memo', content: 'unseen', display: false }),
    piAssistant('a3', 'c'),
  ]);

const open = (mode: (typeof FILTER_MODES)[number]) => {
  const tree = session();
  const labels = readLabels(tree, onlySession(tree));
  const selector = selectorOf(tree, { mode, labels, texts: { a1: '' } });
  selector.finish();
  return selector;
};

describe('J17 filters', () => {
  test.each([
    ['default', ['•u1', '•a1', '•[here]a2', '•u2', '•a3']],
    ['no-tools', ['•u1', '•[here]a2', '•u2', '•a3']],
    ['user-only', ['•u1', '•u2']],
    ['labeled-only', ['•[here]a2']],
    ['all', ['•m', '•u1', '•a1', '•[here]a2', 'l1', 'l2', 'l3', 'l4', '•u2', '•c', '•a3']],
  ] as const)('%s', (mode, rows) => {
    const seen = sketch(open(mode)).map((row) => row.replace('>', ''));
    expect(seen.map((row) => row.replace(/^\[(.*)\]•/, '•[$1]').replaceAll('•l', 'l'))).toEqual(rows);
  });

  test('they come one after the other, and round', () => {
    const selector = open('default');
    const modes = FILTER_MODES.map(() => {
      selector.cycleMode();
      return selector.mode;
    });
    expect(modes).toEqual([...FILTER_MODES.slice(1), 'default']);
  });

  test('where the selected row is hidden, the nearest one above it is selected, and it comes back with its row', () => {
    const selector = selectorOf(session(), { selected: 'S/a2' });
    const selected = () => sketch(selector).find((row) => row.startsWith('>'));
    selector.setMode('user-only');
    expect(selected()).toBe('>•u1');
    selector.setMode('labeled-only');
    expect([selector.length, selected()]).toEqual([0, undefined]);
    selector.setMode('default');
    expect(selected()).toBe('>•a2');
  });

  test('J5 labels: the last word about a record counts, with its time; setting one shows at once', () => {
    const tree = session();
    const labels = readLabels(tree, onlySession(tree));
    expect([...labels.keys()]).toEqual(['S/a2']);
    expect(labels.get('S/a2')).toEqual({ text: 'here', time: tree.record('S/a2')?.annotations[1]?.time });
    const selector = selectorOf(tree, { labels, mode: 'labeled-only' });
    selector.setLabel('S/u2', { text: 'new', time: 1 });
    selector.setLabel('S/a2', null);
    expect(sketch(selector)).toEqual(['>[new]•u2']);
  });
});

describe('J17 search', () => {
  test('all words, in any order and case, over what a row says, who says it and its label', () => {
    const tree = session();
    const selector = selectorOf(tree, {
      texts: { u1: 'Fix the Parser', a2: 'The parser is fixed', u2: 'Thanks' },
      labels: new Map([['S/u2', { text: 'Friendly', time: null }]]),
    });
    const found = (query: string) => {
      selector.setQuery(query);
      selector.finish();
      return sketch(selector)
        .filter((row) => !row.includes('('))
        .map((row) => row.replace(/[>•]|\[.*\]/g, ''));
    };
    expect(found('parser FIX')).toEqual(['u1', 'a2']);
    expect(found('parser user:')).toEqual(['u1']);
    expect(found('friend thank')).toEqual(['u2']);
    expect(found('read')).toEqual(['a1', 'a2']);
    expect(found('nothing')).toEqual([]);
    expect(found('  ')).toHaveLength(5);
  });

  test('ancestors of hits stay and are dim, what is beside and below goes; arrows go from hit to hit', () => {
    const tree = piTree([
      piHeader(),
      piUser('u1', null),
      piAssistant('a1', 'u1'),
      piUser('u2', 'a1'),
      piUser('u3', 'a1'),
      piAssistant('a3', 'u3'),
      piUser('u4', 'a3'),
    ]);
    const selector = selectorOf(tree, { texts: { u1: 'hit', a3: 'hit' } });
    selector.setQuery('hit');
    selector.finish();
    expect(sketch(selector)).toEqual(['•u1', '(•a1)', '(•u3)', '>•a3']);
    selector.move(-1);
    expect(sketch(selector)[0]).toBe('>•u1');
    selector.move(-1);
    selector.move(1);
    expect(sketch(selector).at(-1)).toBe('>•a3');
  });

  test('it goes on in steps, from the selected row upwards, and what is found stays found', () => {
    const selector = selectorOf(session(), { selected: 'S/u2', texts: { u1: 'hit', a2: 'hit', a3: 'hit' } });
    selector.setQuery('hit');
    const steps: (number | undefined)[] = [];
    while (selector.work(() => true)) steps.push(selector.found?.count);
    expect(steps).toEqual([0, 1, 1, 2, 3]);
    expect(sketch(selector).find((row) => row.startsWith('>'))).toBe('>•a2');
  });
});
