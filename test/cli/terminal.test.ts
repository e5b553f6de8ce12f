import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { widthOf } from '../../src/views/text/width.ts';
import { BIN, type Home, openHome } from '../kit/home.ts';
import { hasTmux, openTerminal, type Terminal } from '../kit/tmux.ts';
import { assistant, type Json, piHeader, piUser, toolResult, toolUse, user } from '../kit/transcript.ts';

/** Each of these does something when it is sent as it is. */
const ACTS = [
  '\u001b]0;pwned title\u0007',
  '\u001b]2;pwned title\u001b\\',
  '\u009d0;pwned title\u009c',
  '\u001b[31;44m red on blue ',
  '\u009b1m bold ',
  '\u001b[2J\u001b[H',
  '\u001b[?1049h',
  '\u001b[?25l',
  '\u001b[?1000h',
  '\u001b[3;5r',
  '\u001b(0',
  '\u001bP$q"p\u001b\\',
  '\u001bc',
  '\u0007\b\b\b\u000e',
  '\u202eright to left\u2066',
  '\rover the beginning',
];
const HOSTILE = `before ${ACTS.join(' ')} after`;
const TITLES = [
  '日本語のタイトル',
  'Emoji 🎉 and 👍',
  'Plain title',
  'Combining e\u0301a\u0308',
  '한국어 제목',
  'ｆｕｌｌ ｗｉｄｔｈ',
];

describe.skipIf(!hasTmux)(`P6 on a terminal${hasTmux ? '' : ' (skipped: tmux is not installed)'}`, () => {
  let home: Home;
  let terminal: Terminal;
  const at = (hour: number): Json => ({ timestamp: `2026-01-02T${String(hour).padStart(2, '0')}:00:00.000Z` });

  beforeAll(() => {
    home = openHome();
    const folder = '.claude/projects/-work-hostile';
    const more = { cwd: '/work/hostile', gitBranch: HOSTILE, ...at(23) };
    home.write(`${folder}/aaaa\u001b[31m\u0007.jsonl`, [user('h1', null, HOSTILE, more)]);
    home.write(`${folder}/bbbb1111.jsonl`, [
      user('b\u001b[31m1', null, HOSTILE, { cwd: '/work/hostile', ...at(22) }),
      assistant('b2', 'b\u001b[31m1', [{ type: 'thinking', thinking: HOSTILE }], { ...at(22), id: 'm' }),
      assistant('b3', 'b2', HOSTILE, { ...at(22), id: 'm' }),
      assistant('b4', 'b3', [toolUse('t1', `To${HOSTILE}ol`, { [HOSTILE]: HOSTILE })], { ...at(22), id: 'm' }),
      user('b5', 'b4', [toolResult('t1', HOSTILE)], at(22)),
      assistant('b6', 'b5', [toolUse('t2', 'Bash', { command: HOSTILE })], { ...at(22), id: 'm2' }),
      user('b7', 'b6', [toolResult('t2', `${'z'.repeat(1_000_000)}`)], at(22)),
    ]);
    home.write('.pi/agent/sessions/--work-pi--/2026-01-01T00-00-00-000Z_p.jsonl', [
      piHeader(`pi\u001b]0;pwned title\u0007`, { cwd: `/work/${HOSTILE}`, ...at(21) }),
      { ...piUser('e1', null, HOSTILE), ...at(21) },
    ]);
    for (const [i, title] of TITLES.entries())
      home.write(`.claude/projects/-work-wide/cccc000${i}.jsonl`, [
        user(`w${i}`, null, title, { cwd: '/work/wide', gitBranch: 'main', ...at(i) }),
      ]);
  });
  beforeAll(async () => {
    const env = { ...home.env, NODE: process.execPath, BIN };
    terminal = openTerminal(['sh'], { cwd: home.path, columns: 130, rows: 50, env });
    await terminal.shows(/^[#$>]/);
    terminal.type(`PS1='> '; skein() { "$NODE" "$BIN" "$@"; }`);
    terminal.press('Enter');
  });
  afterAll(() => {
    terminal.close();
    home.remove();
  });
  beforeEach(async () => {
    terminal.type('clear');
    terminal.press('Enter');
    await terminal.shows(/^>$/);
  });

  /** The screen after a command, when it is done. */
  const run = async (line: string): Promise<string> => {
    terminal.type(`${line}; echo " rc $?"`);
    terminal.press('Enter');
    return terminal.shows(/ rc \d+\n>$/);
  };
  const STATE =
    '#{pane_title} #{alternate_on} #{cursor_flag} #{insert_flag} #{keypad_flag} #{mouse_any_flag} #{origin_flag} ' +
    '#{scroll_region_upper} #{scroll_region_lower} #{window_bell_flag} #{wrap_flag}';

  test.each([
    ['show bbbb1111', /before/],
    ['show bbbb1111 --verbose | tail -c 300', /zzz/],
    ['show bbbb1111 --file-order', /before/],
    ['show bbbb1111 --as json | head -c 3000', /"records"/],
    ['sessions --all-threads --full-ids -p hostile', /aaaa/],
    ['sessions', /bbbb1111/],
    ['threads bbbb', /LEAF/],
    ['projects', /\/work\/before/],
    ['check', /accounted/],
    ['resume pi', /cd /],
    ['', /newest/],
    ['show b\u202e', /rc 1/],
    ['show a', /before|Ambiguous/],
  ])('P6, H21 nothing in a transcript acts: skein %s', async (args, wanted) => {
    const before = terminal.tell(STATE);
    const screen = await run(`NO_COLOR=1 skein ${args}`);
    expect(screen).toMatch(wanted);
    expect(terminal.tell(STATE)).toBe(before);
    expect(terminal.cursor()).toMatch(/^2,\d+,1$/);
    expect(terminal.screen('styled')).not.toContain('\u001b');
  });

  test('H21 the columns of a table stand below each other, however wide the characters are', async () => {
    const screen = await run('skein sessions -p wide');
    const rows = screen.split('\n').filter((line) => /cccc\d{4}|LAST ACTIVITY/.test(line));
    expect(rows).toHaveLength(TITLES.length + 1);
    const columns = rows.map((row) => widthOf(row.slice(0, row.search(/BRANCH|main/))));
    expect(new Set(columns).size).toBe(1);
  });

  describe.each([50, 80, 120])('P3 on a screen of %i columns', (columns) => {
    beforeAll(() => terminal.resize(columns, 50));
    afterAll(() => terminal.resize(130, 50));

    test.each([
      ['sessions --all-threads', /^(LAST|2026-01-02)/],
      ['projects', /^(LAST|2026-01-02)/],
      ['stats --by session', /^(SESSION|bbbb1111|Total)/],
    ])('no row is broken: skein %s', async (list, row) => {
      // The program is told of the size a moment later.
      const wait = `until stty size | grep -q ' ${columns}$'; do sleep 0.01; done; clear`;
      const screen = await run(`${wait}; skein ${list}`);
      const table = screen.slice(0, screen.indexOf('\n\n')).split('\n');
      expect(table.length).toBeGreaterThan(2);
      expect(table.filter((line) => !row.test(line))).toEqual([]);
    });
  });

  test('H21 the terminal gives a text as many columns as we do', async () => {
    for (const title of TITLES) {
      terminal.type(`clear; printf '%s|' '${title}'; read -r x`);
      terminal.press('Enter');
      await terminal.shows(new RegExp(`^${title}\\|$`));
      expect([title, Number(terminal.tell('#{cursor_x}')) - 1]).toEqual([title, widthOf(title)]);
      terminal.press('Enter');
      await terminal.shows(/\n>$/);
    }
  });

  test('P6 what these tests look at does change when an escape is sent', async () => {
    const before = terminal.tell(STATE);
    await run(`printf '\\033]0;pwned\\007\\007'`);
    expect(terminal.tell(STATE)).not.toBe(before);
    await run(`printf '\\033[31mred'`);
    expect(terminal.screen('styled')).toContain('\u001b[31mred');
    await run(`printf '\\033c'`);
  });

  test('P3 without an id a session is picked from a list, and read', async () => {
    terminal.type('skein show');
    terminal.press('Enter');
    await terminal.shows(/Show which session\?[\s\S]* {2}9 {2}·/);
    terminal.type('plain');
    await terminal.shows(/❯ Plain title .*cccc0002 wide\n {2}1 of 9/);
    terminal.press('Enter');
    const screen = await terminal.shows(/\n>$/);
    expect(screen).toBe('> skein show\nPlain title\ncccc0002\n\n[2026-01-02 02:00] <User> Plain title\n>');
  });

  test('P3 who leaves the list reads nothing', async () => {
    terminal.type('skein show');
    terminal.press('Enter');
    await terminal.shows(/Show which session\?/);
    terminal.press('Escape');
    expect(await terminal.shows(/\n>$/)).toBe('> skein show\n>');
  });
});
