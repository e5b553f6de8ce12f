import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { drawFlat } from '../../src/cli/search/draw-hit.ts';
import { drawSearch } from '../../src/cli/search/draw-search.ts';
import { moveBy, NOTHING_YET, setPage, showFound, showProblem, typeQuery } from '../../src/cli/search/search-state.ts';
import type { Found, Hit } from '../../src/search/index.ts';
import { widthOf } from '../../src/views/text/width.ts';
import { BIN, openHome } from '../kit/home.ts';
import { hasTmux, openTerminal, type Terminal } from '../kit/tmux.ts';
import { assistant, user } from '../kit/transcript.ts';

const hit = (uuid: string, text = `the ${uuid} clock`): Hit => ({
  ...{ uuid, record: uuid, session: 's1', sessionTitle: 'A title', agent: 'claude-code', subagent: null },
  ...{ type: 'user', kind: 'user', tool: null, model: null, isError: false, time: 0, score: 1 },
  project: { id: '-r', path: '/r' },
  snippet: [
    { text, marked: false },
    { text: 'x', marked: true },
  ],
});
const found = (...hits: readonly Hit[]): Found => ({
  hits,
  total: hits.length,
  isCapped: false,
  isEstimated: false,
  facets: null,
  problems: [],
});
const typed = setPage(typeQuery(NOTHING_YET, 'clock'), 2);

describe('P3 what the search screen shows', () => {
  test('while more is found, who has moved stays on their hit', () => {
    const state = moveBy(showFound(typed, found(hit('a'), hit('b')), false), 1);
    const more = showFound(state, found(hit('n'), hit('a'), hit('b')), true);
    expect(more.hits[more.selected]?.uuid).toBe('b');
    expect([more.top, more.isSearching]).toEqual([1, false]);
    expect(showFound(typed, found(hit('n'), hit('a')), true).selected).toBe(0);
  });

  test('what was found stays while a query is not complete, and goes with the last letter', () => {
    const state = showProblem(
      typeQuery(showFound(typed, found(hit('a')), true), 'clock "'),
      'This quote is not closed',
    );
    expect(state.hits).toHaveLength(1);
    expect(typeQuery(state, '').hits).toHaveLength(0);
  });

  test('no line reaches the last column, whatever stands in it', () => {
    const wide = showFound(
      typed,
      found(hit('日本'.repeat(80), '日本語 '.repeat(100)), hit('b', 'y'.repeat(900))),
      true,
    );
    for (const columns of [8, 20, 40, 80])
      for (const state of [wide, moveBy(wide, 1)])
        for (const line of drawSearch(state, { columns, preview: 3, paint: (_, text) => text }).lines)
          expect(widthOf(line)).toBeLessThan(columns);
  });
});

test('M14 a snippet in a list takes one line of a terminal, however wide its characters are', () => {
  const before = Object.getOwnPropertyDescriptor(process.stdout, 'columns');
  Object.defineProperty(process.stdout, 'columns', { value: 60, configurable: true });
  try {
    const [, snippet = ''] = drawFlat(hit('a', '日本語'.repeat(20)), {}).split('\n');
    expect(widthOf(snippet)).toBeLessThanOrEqual(60);
    expect(snippet).toContain('日本語');
  } finally {
    if (before) Object.defineProperty(process.stdout, 'columns', before);
    else Reflect.deleteProperty(process.stdout, 'columns');
  }
});

describe.skipIf(!hasTmux)('P3 skein search on a terminal', () => {
  const home = openHome();
  afterAll(() => home.remove());
  home.write('.claude/projects/-r/aaaa1111.jsonl', [
    user('u1', null, 'The clock is wrong', { cwd: '/r' }),
    assistant('a1', 'u1', 'I see no clock here.', { cwd: '/r' }),
    user('u2', 'a1', 'Look again \u001b[2J at the tower', { cwd: '/r' }),
    assistant('a2', 'u2', 'There it is.', { cwd: '/r' }),
  ]);
  let terminal: Terminal;
  afterEach(() => terminal.close());
  const open = (...args: string[]): void => {
    const command = [process.execPath, BIN, 'search', ...args];
    const shell = ['sh', '-c', '"$@"; echo "exit $?"; sleep 60', 'sh', ...command];
    terminal = openTerminal(shell, { cwd: home.path, env: { ...home.env, PAGER: 'cat' } });
  };

  test('searches while typing, previews with the arrows, opens with Enter', async () => {
    open();
    await terminal.shows(/^Search words/);
    terminal.type('clo');
    await terminal.shows(/❯ .* user +The clock is wrong/);
    terminal.type('ck');
    await terminal.shows(/❯ .* user +The clock is wrong\n.* assistant +I see no clock here[\s\S]*2 messages/);
    terminal.press('Down');
    await terminal.shows(/❯ .* assistant +I see no clock here/);
    terminal.press('Enter');
    const screen = await terminal.shows(/exit 0/);
    expect(screen).toMatch(
      /^The clock is wrong\naaaa1111 · X\n\n\[.*\] <Assistant> I see no clock here\.\n[\s\S]*<User> Look again/,
    );
  }, 60_000);

  test('says what is wrong with a query, and Escape leaves the terminal as it was', async () => {
    open();
    await terminal.shows(/^Search words/);
    terminal.type('"tower');
    await terminal.shows(/This quote is not closed/);
    terminal.type('"');
    await terminal.shows(/user +Look again at the tower/);
    terminal.press('C-u');
    terminal.type('zeppelin');
    await terminal.shows(/Nothing found for zeppelin/);
    terminal.press('Escape');
    expect(await terminal.shows(/exit 0/)).toBe('exit 0');
  }, 60_000);

  test('filters given as options hold', async () => {
    open('--type', 'assistant');
    await terminal.shows(/^Search words/);
    terminal.type('clock');
    await terminal.shows(/1 message /);
    terminal.press('C-c');
    await terminal.shows(/exit 0/);
  }, 60_000);

  test('M14 with an index threads answer, also of what is left in the archive only', async () => {
    home.skein(['index']);
    rmSync(join(home.path, '.claude/projects/-r/aaaa1111.jsonl'));
    open();
    await terminal.shows(/^Search words/);
    terminal.type('"clock is"');
    await terminal.shows(/❯ .* user +The clock is wrong[\s\S]*1 message /);
    terminal.type(' -zeppelin OR tower');
    await terminal.shows(/2 messages/);
    terminal.press('Escape');
    expect(await terminal.shows(/exit 0/)).toBe('exit 0');
  }, 60_000);
});
