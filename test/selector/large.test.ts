import { describe, expect, test } from 'vitest';
import { connectorsOf, keyOf } from '../../src/selector/index.ts';
import { drawScreen } from '../../src/tui/draw-screen.ts';
import { TreeScreen } from '../../src/tui/tree-screen.ts';
import { selectorOf } from '../kit/selector.ts';
import { piAssistant, piHeader, piTree, piUser } from '../kit/transcript.ts';

const SIZE = { columns: 120, rows: 40 };
const draw = (screen: TreeScreen) => drawScreen(screen, SIZE, (_styles, text) => text).lines;
const open = (selector: ReturnType<typeof selectorOf>) =>
  new TreeScreen(selector, { title: 'large', id: 'large', branch: 'Branch?', shows: 'tree' });

/** One entry of every hundred is a dead end. */
const long = (count: number) =>
  piTree([
    piHeader(),
    ...Array.from({ length: count }, (_, at) => {
      const parent = at === 0 ? null : `n${at % 100 === 1 && at > 1 ? at - 2 : at - 1}`;
      return at % 2 === 0 ? piUser(`n${at}`, parent) : piAssistant(`n${at}`, parent);
    }),
  ]);

/** Each prompt is given twice; the second way goes on. */
const nested = (depth: number) =>
  piTree([
    piHeader(),
    piUser('n0', null),
    ...Array.from({ length: depth }, (_, at) => [piUser(`dead${at}`, `n${at}`), piUser(`n${at + 1}`, `n${at}`)]).flat(),
  ]);

describe('J17 large trees', () => {
  test('of 100,000 entries a frame reads only the rows it shows', () => {
    const screen = open(selectorOf(long(100_000)));
    expect(draw(screen)).toHaveLength(40);
    expect(screen.selector.texts.reads).toBe(37);
    for (const name of ['up', 'pageup', 'home', 'end', 'left', 'right', 'ctrl-o']) screen.press({ name, text: '' });
    draw(screen);
    expect(screen.selector.texts.reads).toBeLessThanOrEqual(2 * 37);
  });

  test('a search of 100,000 entries goes on in steps; a frame in between shows what was found so far', () => {
    const screen = open(selectorOf(long(100_000)));
    for (const text of 'n99010') screen.press({ name: '', text });
    let looked = 0;
    screen.selector.work(() => ++looked === 2000);
    expect(screen.selector.found).toEqual({ count: 1, isDone: false });
    expect(draw(screen).at(-2)).toMatch(/^Search: n99010 {2}1 found… · default/);
    expect(screen.selector.texts.reads).toBeLessThan(2100);
    screen.selector.finish();
    expect(screen.selector.found).toEqual({ count: 1, isDone: true });
  });

  test.each([
    [80, 120],
    [80, 40],
    [5000, 120],
  ])('on row %i forks deep, at %i columns, a third of the line is left for what it says', (depth, columns) => {
    const screen = open(selectorOf(nested(depth), { texts: { [`n${depth}`]: 'deep words '.repeat(10) } }));
    const { lines } = drawScreen(screen, { columns, rows: 24 }, (_styles, text) => text);
    const selected = lines.find((line) => line.startsWith('❯')) ?? '';
    const said = selected.slice(selected.indexOf('user: '));
    expect(said.length).toBeGreaterThanOrEqual(Math.min(30, columns / 2));
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(columns);
  });

  test('going up from the deepest fork every selected row stays readable', () => {
    const screen = open(selectorOf(nested(80)));
    for (let level = 80; level > 0; level--) {
      const { lines } = drawScreen(screen, { columns: 60, rows: 10 }, (_styles, text) => text);
      const selected = lines.find((line) => line.startsWith('❯')) ?? '';
      expect(selected.indexOf('user: ')).toBeLessThan(30);
      screen.press({ name: 'up', text: '' });
    }
    expect(keyOf(screen.selector.selectedNode ?? { record: null, annotation: null })).toBe('S/n0');
  });

  test('attack D4 a row of forks nested in forks goes through no more levels than there are columns for', () => {
    const { selector } = open(selectorOf(nested(3000)));
    let steps = 0;
    const parent = new Proxy(selector.rows.parent, {
      get: (target, name) => {
        steps++;
        return Reflect.get(target, name);
      },
    });
    const row = selector.length - 1;
    const drawn = connectorsOf({ ...selector.rows, parent }, row, 0, 200);
    expect(drawn.slice(0, 200)).toBe(connectorsOf(selector.rows, row, 0).slice(0, 200));
    expect(steps).toBeLessThan(600);
  });
});
