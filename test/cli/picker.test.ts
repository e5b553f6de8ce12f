import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { drawPicker } from '../../src/cli/draw-picker.ts';
import {
  addChoices,
  type Choice,
  EMPTY,
  moveBy,
  type PickerState,
  setPage,
  setQuery,
} from '../../src/cli/picker-state.ts';
import { eraseCharacter, eraseWord } from '../../src/tui/edit-line.ts';
import { widthOf } from '../../src/views/text/width.ts';
import { hasTmux, openTerminal, type Terminal } from '../kit/tmux.ts';

const listOf = (...labels: readonly string[]): PickerState =>
  addChoices(
    setPage(EMPTY, 3),
    labels.map((label) => ({ value: label, label })),
  );
const found = ({ matches }: PickerState): string[] => matches.map(({ value }) => value);
const shown = ({ matches, top, page }: PickerState): string[] =>
  matches.slice(top, top + page).map(({ value }) => value);

describe('P3 what an open list shows', () => {
  test.each([
    ['red', ['Fix the red test', 'Red']],
    ['TEST red', ['Fix the red test']],
    ['  ', ['Fix the red test', 'Red', 'a.b (c)']],
    ['a.b', ['a.b (c)']],
    ['(', ['a.b (c)']],
    ['red red', ['Fix the red test', 'Red']],
    ['nothing', []],
  ])('"%s" leaves %j', (query, expected) => {
    expect(found(setQuery(listOf('Fix the red test', 'Red', 'a.b (c)'), query))).toEqual(expected);
  });

  test('a word is looked for in label and detail', () => {
    const state = addChoices(EMPTY, [{ value: 'x', label: 'Fix', detail: '2026-11-02 app' }]);
    expect(found(setQuery(state, 'app fix'))).toEqual(['x']);
  });

  test('what comes later is filtered too and leaves the selection where it is', () => {
    const state = moveBy(setQuery(listOf('a1', 'b', 'a2'), 'a'), 1);
    const more = addChoices(state, [
      { value: 'c', label: 'c' },
      { value: 'a3', label: 'a3' },
    ]);
    expect(found(more)).toEqual(['a1', 'a2', 'a3']);
    expect(more.matches[more.selected]?.value).toBe('a2');
  });

  test('another query selects the first match', () => {
    expect(setQuery(moveBy(listOf('a', 'ab', 'abc'), 2), 'ab').selected).toBe(0);
  });

  test('the list moves with the selection, as little as it must', () => {
    const list = listOf('a', 'b', 'c', 'd', 'e');
    expect(shown(moveBy(list, 2))).toEqual(['a', 'b', 'c']);
    expect(shown(moveBy(list, 3))).toEqual(['b', 'c', 'd']);
    expect(shown(moveBy(moveBy(list, 3), -1))).toEqual(['b', 'c', 'd']);
    expect(shown(moveBy(list, Infinity))).toEqual(['c', 'd', 'e']);
    expect(shown(setPage(moveBy(list, Infinity), 5))).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('a character, a word', () => {
    expect(eraseCharacter('ab👩‍👩‍👧')).toBe('ab');
    expect(eraseCharacter('')).toBe('');
    expect(eraseWord('red  test ')).toBe('red  ');
    expect(eraseWord('red')).toBe('');
  });

  test('the selection is always one of the matches, and on the screen', () => {
    const step = fc.oneof(
      fc.constantFrom(1, -1, 3, -3, Infinity, -Infinity).map((by) => (state: PickerState) => moveBy(state, by)),
      fc.constantFrom('', 'a', 'b a', 'zz').map((query) => (state: PickerState) => setQuery(state, query)),
      fc.integer({ min: -1, max: 6 }).map((page) => (state: PickerState) => setPage(state, page)),
      fc.array(fc.constantFrom('a', 'b', 'ab', 'c')).map(
        (labels) => (state: PickerState) =>
          addChoices(
            state,
            labels.map((label) => ({ value: label, label })),
          ),
      ),
    );
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const state = steps.reduce((before, next) => next(before), EMPTY);
        const { matches, selected, top, page } = state;
        expect(matches).toEqual(setQuery(setQuery(state, '?'), state.query).matches);
        expect(selected >= 0 && (matches.length === 0 ? selected === 0 : selected < matches.length)).toBe(true);
        expect(top >= 0 && top <= selected && selected < top + page).toBe(true);
        expect(matches.length >= page && matches.length - top < page).toBe(false);
      }),
    );
  });
});

test('P6 every line is printable and fits, whatever the texts and the width', () => {
  const choice = fc.record({ value: fc.string(), label: fc.string({ unit: 'binary' }), detail: fc.string() });
  fc.assert(
    fc.property(fc.array(choice), fc.string(), fc.integer({ min: 1, max: 60 }), (choices, title, columns) => {
      const state = addChoices(setPage(EMPTY, 5), choices);
      const look = { title: title.trim(), columns, isReading: false, paint: (_: unknown, text: string) => text };
      const { lines } = drawPicker(state, look);
      // The prompt keeps one column for typing.
      for (const line of lines.slice(1)) expect(widthOf(line)).toBeLessThanOrEqual(Math.max(3, columns - 1));
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
      for (const line of lines.slice(1)) expect(line).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
    }),
  );
});

const SCRIPT = `
import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { pick } from ${JSON.stringify(resolve('src/cli/picker.ts'))};
const [, , how, json] = process.argv;
const choices = JSON.parse(json);
writeFileSync('pid', String(process.pid));
const told = async () => { while (!existsSync('go')) await sleep(20); };
async function* later() {
  yield* choices.slice(0, 2);
  await told();
  if (how === 'fail') throw new Error('the disk is gone');
  yield* choices.slice(2);
}
async function* endless() {
  for (let i = 0; ; i++) yield { value: String(i), label: 'number ' + i };
}
if (how === 'throw') told().then(() => setTimeout(() => { throw new Error('boom'); }));
const source = how === 'endless' ? endless() : how === 'later' || how === 'fail' ? later() : choices;
try {
  console.log('picked', await pick(source, { title: 'Which session?' }), process.stdin.isRaw);
} catch (error) {
  console.log('failed', error.message, process.stdin.isRaw);
}
process.exit();
`;

const CHOICES: readonly Choice[] = [
  { value: 'id0', label: 'Fix the red test', detail: '2026-11-02 app' },
  { value: 'id1', label: '日本語のタイトル', detail: '2026-11-01 web' },
  { value: 'id2', label: 'Red \u001b[31mescape\u001b[0m\u0007', detail: '2026-10-31 app' },
  ...Array.from({ length: 30 }, (_, i) => ({ value: `id${i + 3}`, label: `Old ${i}`, detail: '2026-01-01 old' })),
];

describe.skipIf(!hasTmux)(`P3 on a terminal${hasTmux ? '' : ' (skipped: tmux is not installed)'}`, () => {
  let home = '';
  let terminal: Terminal;
  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), 'skein-picker-'));
    writeFileSync(join(home, 'pick.mjs'), SCRIPT);
    writeFileSync(join(home, 'choices.json'), JSON.stringify(CHOICES));
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  /** A plain shell: what it says about the terminal afterwards is how the picker left it. */
  const open = async (how: string, env: Readonly<Record<string, string>> = {}): Promise<void> => {
    terminal = openTerminal(['sh'], {
      cwd: home,
      columns: 60,
      rows: 12,
      env: { ...env, NODE: resolve('node_modules/.bin/node') },
    });
    await terminal.shows(/^[#$>]/);
    terminal.type(
      `PS1='> '; clear; echo before; "$NODE" pick.mjs ${how} "$(cat choices.json)"; stty -a | grep -o '.icanon'`,
    );
    terminal.press('Enter');
    await terminal.shows(/^before\nWhich session\?[\s\S]*^ {2}[1-9][\d,]*(, reading…| {2}·)/m);
  };
  /** Nothing of the list is left, and lines are read as lines again. */
  const left = async (result: string): Promise<void> => {
    expect(await terminal.shows(/icanon\n>$/)).toBe(`before\n${result}\n icanon\n>`);
    expect(terminal.cursor()).toMatch(/,1$/);
  };
  const go = (): void => writeFileSync(join(home, 'go'), '');
  afterEach(() => {
    terminal.close();
    rmSync(join(home, 'go'), { force: true });
  });

  test('it is drawn below what is there, aligned, with the cursor where typing goes', async () => {
    await open('all');
    expect(terminal.screen()).toBe(
      `before
Which session? type to filter
❯ Fix the red test  2026-11-02 app
  日本語のタイトル  2026-11-01 web
  Red escape␇       2026-10-31 app
  Old 0             2026-01-01 old
  Old 1             2026-01-01 old
  Old 2             2026-01-01 old
  Old 3             2026-01-01 old
  Old 4             2026-01-01 old
  Old 5             2026-01-01 old
  33  ·  ↑↓ move  ·  enter pick  ·  esc leave`,
    );
    expect(terminal.cursor()).toBe('15,1,1');
  });

  test('typing filters, Enter picks, and nothing is left of it', async () => {
    await open('all');
    terminal.type('RED app');
    expect(await terminal.shows(/RED app\n/)).toBe(
      `before
Which session? RED app
❯ Fix the red test  2026-11-02 app
  Red escape␇       2026-10-31 app
  2 of 33  ·  ↑↓ move  ·  enter pick  ·  esc leave`,
    );
    expect(terminal.screen('styled')).toContain('\u001b[33mred');
    terminal.press('Down', 'Enter');
    await left('picked id2 false');
  });

  test.each([
    [['Down', 'C-n', 'Up', 'C-p', 'Down', 'Enter'], 'id1'],
    [['NPage', 'Enter'], 'id9'],
    [['NPage', 'NPage', 'PPage', 'Enter'], 'id9'],
    [['End', 'Enter'], 'id32'],
    [['End', 'Home', 'Enter'], 'id0'],
    [['9', 'BSpace', 'Down', 'Enter'], 'id1'],
    [['x', 'y', 'C-u', 'Down', 'Enter'], 'id1'],
    [['r', 'e', 'd', 'Space', 'x', 'C-w', 'Down', 'Enter'], 'id2'],
    [['日', '本', 'Enter'], 'id1'],
    [['Up', 'x', 'x', 'Enter', 'C-u', 'Enter'], 'id0'],
    [['Escape'], null],
    [['C-c'], null],
    [['C-d'], null],
  ])('%j gives %s', async (keys, value) => {
    await open('all');
    terminal.press(...keys);
    await left(`picked ${value} false`);
  });

  test('what comes later is added while it is open', async () => {
    await open('later');
    expect(terminal.screen()).toContain('  2, reading…');
    terminal.type('old 7');
    await terminal.shows(/0 of 2, reading/);
    go();
    await terminal.shows(/❯ Old 7 /);
    terminal.press('Enter');
    await left('picked id10 false');
  });

  test('keys are read while a source never waits', async () => {
    await open('endless');
    await terminal.shows(/\d,\d{3}, reading/);
    terminal.press('Escape');
    await left('picked null false');
  });

  test('it follows the size of the terminal', async () => {
    await open('all');
    terminal.press('End');
    await terminal.shows(/❯ Old 29/);
    terminal.resize(30, 8);
    expect(await terminal.shows(/^ {2}33$/m)).toMatch(
      /Which session\? type to filte?…?\n( {2}Old.*\n){4}❯ Old 29.*\n {2}33$/,
    );
    terminal.resize(60, 12);
    await terminal.shows(/33 {2}· .*esc leave$/);
    terminal.press('Enter');
    expect(await terminal.shows(/icanon/)).toContain('picked id32 false');
  });

  test('NO_COLOR is honoured', async () => {
    await open('all', { NO_COLOR: '1' });
    terminal.type('red');
    await terminal.shows(/2 of 33/);
    expect(terminal.screen('styled')).not.toContain('\u001b[');
  });

  test('a source that fails is told, the terminal restored', async () => {
    await open('fail');
    go();
    await left('failed the disk is gone false');
  });

  test('an exception elsewhere leaves the terminal as it was', async () => {
    await open('throw');
    go();
    const screen = await terminal.shows(/icanon\n>$/);
    expect(screen).toContain('Error: boom');
    expect(screen).toMatch(/\n icanon\n>$/);
    expect(screen).not.toContain('Which session?');
  });

  test('SIGTERM leaves the terminal as it was', async () => {
    await open('all');
    process.kill(Number(readFileSync(join(home, 'pid'), 'utf8')), 'SIGTERM');
    await left('Terminated');
  });
});
