import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { widthOf } from '../../src/views/text/width.ts';
import { BIN, openHome } from '../kit/home.ts';
import { linesIn } from '../kit/journal.ts';
import { hasTmux, openTerminal, type Terminal, type TerminalOptions } from '../kit/tmux.ts';
import { assistant, piAssistant, piEntry, piHeader, piUser, toolResult, toolUse, user } from '../kit/transcript.ts';

const home = openHome();
let terminal: Terminal | null = null;
afterEach(() => {
  terminal?.close();
  terminal = null;
});
afterAll(() => home.remove());

home.write('.claude/projects/-work-app/cccc1111.jsonl', [
  user('u1', null, 'Fix the red test', { cwd: '/work/app', sessionId: 'cccc1111' }),
  assistant('a1', 'u1', [toolUse('t1', 'Read', { file_path: '/work/app/a.ts' })]),
  user('r1', 'a1', [toolResult('t1', 'text')]),
  assistant('a2', 'r1', 'It is green'),
  user('u2', 'a2', 'Now the blue one'),
  assistant('a3', 'u2', 'Blue too'),
  user('u3', 'a2', 'Now the yellow one'),
  assistant('a4', 'u3', 'Yellow too 日本語'),
]);
const piFile = home.write('.pi/agent/sessions/--work-pi--/2026-01-01T00-00-00-000Z_pppp2222.jsonl', [
  piHeader('pppp2222', { cwd: '/work/pi' }),
  piUser('e1', null, 'Plant a tree'),
  piAssistant('e2', 'e1', 'Planted'),
  piUser('e3', 'e2', 'Water it'),
]);

/** The program in a shell, which says how it ended. */
function open(args: readonly string[], options: TerminalOptions = {}): Terminal {
  const program = `sh -c 'echo $$ > pid; exec ${process.execPath} ${BIN} tree ${args.join(' ')}'`;
  const command = `${program}; echo "ended with $?"; read line`;
  terminal = openTerminal(['sh', '-c', command], { cwd: home.path, ...options, env: { ...home.env, ...options.env } });
  return terminal;
}

const selected = /^❯.*$/m;

describe.skipIf(!hasTmux)(`J19 skein tree in tmux${hasTmux ? '' : ' (skipped: tmux is not installed)'}`, () => {
  test('J18 arrows, Home and End move, Ctrl+O goes through the filters, Esc leaves and the terminal is as before', async () => {
    const screen = open(['cccc']);
    await screen.shows(/❯ │ {2}• assistant: Yellow[\s\S]*^↑↓ move {2}enter open.*esc leave$/m);
    screen.press('Up');
    await screen.shows(/❯ ├▾ • user: Now the yellow/);
    screen.press('End');
    await screen.shows(/❯ {4}assistant: Blue too/);
    screen.press('Home');
    await screen.shows(/❯ • user: Fix/);
    for (const mode of ['no-tools', 'user-only', 'labeled-only', 'all', 'default']) {
      screen.press('C-o');
      await screen.shows(new RegExp(`· ${mode}|${mode}$|/.* · ${mode}`, 'm'));
    }
    screen.press('Escape');
    expect(await screen.shows(/ended with 0/)).not.toContain('❯');
    expect(screen.cursor()).toMatch(/,1$/);
  });

  test('J18 / and typing search; arrows go from hit to hit; Esc clears the search, then leaves', async () => {
    const screen = open(['cccc']);
    await screen.shows(selected);
    screen.type('/too');
    await screen.shows(/(❯ ├─ • user|❯ │ {2}• assistant: Yellow)[\s\S]*Search: too {2}2 found/);
    await expect.poll(() => screen.cursor()).toBe('11,22,1');
    screen.press('Down');
    await screen.shows(/❯ {4}assistant: Blue too/);
    screen.type(' blue');
    await screen.shows(/Search: too blue {2}1 found/);
    expect(screen.screen()).not.toContain('yellow');
    screen.press('Escape');
    expect(await screen.shows(/❯ {4}assistant: Blue too/)).toContain('yellow');
    screen.press('Escape');
    await screen.shows(/ended with 0/);
  });

  test('J17 folds with Left and Right', async () => {
    const screen = open(['cccc']);
    await screen.shows(selected);
    screen.press('Left');
    await screen.shows(/❯ ├▾ • user: Now the yellow/);
    screen.press('Left');
    expect(await screen.shows(/❯ ├▸ • user: Now the yellow one {2}\(1 more\)/)).not.toContain('Yellow too');
    screen.press('Right');
    await screen.shows(/Yellow too/);
  });

  test('J16 Shift+L edits a label; of a Claude Code session it lives in notes.db, and is there the next time', async () => {
    const screen = open(['cccc']);
    await screen.shows(selected);
    screen.press('L');
    await screen.shows(/^Label:/m);
    screen.type('done b/L 日本');
    await screen.shows(/Label: done b\/L 日本/);
    screen.press('Enter');
    await screen.shows(/❯ │ {2}• \[done b\/L 日本\] 20\S+ \S+ assistant: Yellow too/);
    await screen.shows(/Labelled \[done b\/L 日本\], in notes\.db/);
    screen.press('L');
    await screen.shows(/Label: done b\/L 日本/);
    screen.press('C-u', 'Escape');
    await screen.shows(/· default ·/);
    screen.press('Escape');
    await screen.shows(/ended with 0/);
    expect(home.skein(['tree', 'cccc', '--filter', 'labeled-only']).out).toContain('[done b/L 日本]');
  });

  test('b asks and branches a Pi session beside its file; a word that begins with b is still searched', async () => {
    const screen = open(['pppp']);
    await screen.shows(selected);
    screen.type('bx');
    await screen.shows(/Search: bx {2}0 found/);
    screen.press('Escape');
    await screen.shows(selected);
    screen.press('b');
    await screen.shows(/Branch here into a new session file\? {2}enter yes · esc no/);
    screen.press('Enter');
    await screen.shows(/Written: /);
    screen.press('Escape');
    await screen.shows(/ended with 0/);
    const [made] = readdirSync(join(piFile, '..')).filter((name) => !piFile.endsWith(name));
    expect(
      linesIn(join(piFile, '..', made ?? ''))
        .map(({ id }) => id)
        .slice(1),
    ).toEqual(['e1', 'e2', 'e3']);
  });

  test('J5 Shift+L on a Pi session writes the label into its file', async () => {
    const screen = open(['pppp']);
    await screen.shows(selected);
    screen.press('Up', 'L');
    screen.type('planted');
    screen.press('Enter');
    await screen.shows(/❯ • \[planted\]/);
    expect(linesIn(piFile).at(-1)).toMatchObject({ type: 'label', targetId: 'e2', label: 'planted' });
  });

  test('J17 Shift+L on an entry that is no record labels that entry, and leaves the label of the record above alone', async () => {
    const path = home.write('model.jsonl', [
      piHeader('mmmm3333', { cwd: '/work/pi' }),
      piUser('m1', null, 'Plant a tree'),
      piEntry('label', 'm2', 'm1', { targetId: 'm1', label: 'first' }),
      piEntry('model_change', 'm3', 'm2', { provider: 'p', modelId: 'oak' }),
      piAssistant('m4', 'm3', 'Planted'),
    ]);
    const screen = open([path, '--filter', 'all']);
    await screen.shows(selected);
    screen.press('Up', 'L');
    screen.type('oak from here');
    screen.press('Enter');
    await screen.shows(/❯ • \[oak from here\] .*oak/);
    expect(linesIn(path).at(-1)).toMatchObject({ type: 'label', targetId: 'm3', label: 'oak from here' });
    screen.press('b');
    await screen.shows(/Branch here into a new session file/);
    screen.press('Enter');
    await screen.shows(/Written: /);
    const [made] = readdirSync(home.path).filter((name) => /_.*\.jsonl$/.test(name));
    const branched = linesIn(join(home.path, made ?? '')).filter(({ type }) => type !== 'label');
    expect(branched.map(({ id }) => id).slice(1)).toEqual(['m1', 'm3']);
    screen.press('Escape');
    await screen.shows(/ended with 0/);
    expect(home.skein(['tree', path, '--filter', 'labeled-only']).out.match(/\[.*?\]/g)).toEqual([
      '[first]',
      '[oak from here]',
    ]);
  });

  test('Enter reads on from there in the pager, and the tree is there again afterwards', async () => {
    const screen = open(['cccc'], { env: { PAGER: 'less' } });
    await screen.shows(selected);
    screen.press('Home', 'Down', 'Down', 'Enter');
    const read = await screen.shows(/<Assistant> Yellow too/);
    expect(read).toContain('It is green');
    expect(read).not.toContain('Fix the red test');
    screen.press('q');
    await screen.shows(/❯ • assistant: It is green/);
    screen.press('Escape');
    await screen.shows(/ended with 0/);
  });

  test('J18 --branch lists the prompts; Enter makes what leads there a session and gives the prompt back', async () => {
    const screen = open(['pppp', '--branch']);
    await screen.shows(/❯ user: Water it[\s\S]*enter branch before it/);
    screen.press('Enter');
    const told = await screen.shows(/ended with 0/);
    expect(told).toContain('Water it');
    const path = told.replace(/\n/g, '').match(/\/\S*?\.jsonl/)?.[0] ?? '';
    expect(existsSync(path)).toBe(true);
    expect(linesIn(path).map(({ id }) => id)).not.toContain('e3');
  });

  test('J18 it follows the size of the terminal, down to very small ones, and no line is wrapped', async () => {
    const screen = open(['cccc'], { columns: 100, rows: 30 });
    await screen.shows(selected);
    for (const [columns, rows] of [
      [40, 10],
      [20, 4],
      [200, 50],
      [12, 6],
      [80, 24],
    ] as const) {
      screen.resize(columns, rows);
      await screen.shows(columns >= 40 ? /❯ │ {2}• (\[.*\] (\S+ \S+ )?)?assistant: Yell/ : /❯ │/);
      const lines = screen.screen().split('\n');
      expect(lines.length).toBeLessThanOrEqual(rows);
      expect(lines.filter((line) => line.includes('❯'))).toHaveLength(1);
      expect(Math.max(...lines.map(widthOf))).toBeLessThan(columns);
    }
    expect(screen.screen()).toMatch(/│ {2}• (\[.*\] \S+ \S+ )?assistant: Yellow too 日本語/);
  });

  test('SIGTERM leaves the terminal as it was', async () => {
    const screen = open(['cccc']);
    await screen.shows(selected);
    expect(screen.tell('#{alternate_on}')).toBe('1');
    process.kill(Number(readFileSync(join(home.path, 'pid'), 'utf8')), 'SIGTERM');
    expect(await screen.shows(/ended with/)).not.toContain('❯');
    expect(screen.tell('#{alternate_on},#{cursor_flag}')).toBe('0,1');
  });

  test('NO_COLOR is honoured, and Ctrl+C leaves', async () => {
    const screen = open(['cccc'], { env: { NO_COLOR: '1' } });
    await screen.shows(selected);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is looked for.
    expect(screen.screen('styled')).not.toMatch(/\x1b\[3\dm/);
    screen.press('C-c');
    await screen.shows(/ended with 0/);
  });
});

describe.skipIf(!hasTmux)('J17 large trees in tmux', () => {
  test('80 nested branches: every selected row can be read', async () => {
    const lines = Array.from({ length: 80 }, (_, at) => [
      piUser(`d${at}`, `n${at}`, `Way ${at}, given up`),
      piUser(`n${at + 1}`, `n${at}`, `Level ${at + 1}, and on it goes with the work`),
    ]).flat();
    home.write('nested.jsonl', [piHeader('nested'), piUser('n0', null, 'Begin'), ...lines]);
    const screen = open(['nested.jsonl'], { columns: 120 });
    await screen.shows(/❯.*user: Level 80, and on it goes with the work/);
    for (let level = 79; level >= 60; level--) {
      screen.press('Up');
      await screen.shows(new RegExp(`❯.*user: Level ${level}, and on it goes`));
    }
    screen.press('Home');
    await screen.shows(/❯ • user: Begin/);
  });

  test('100,000 entries: keys, filters, search and a label', async () => {
    const lines = Array.from({ length: 100_000 }, (_, at) => {
      const parent = at === 0 ? null : `n${at % 100 === 1 && at > 1 ? at - 2 : at - 1}`;
      return at % 2 === 0 ? piUser(`n${at}`, parent, `Question ${at}`) : piAssistant(`n${at}`, parent, `Answer ${at}`);
    });
    const file = home.write('huge.jsonl', [piHeader('huge'), ...lines]);
    const size = readFileSync(file).length;
    const screen = open(['huge.jsonl']);
    await screen.shows(/❯.*assistant: Answer 99999/);
    screen.press('Home');
    await screen.shows(/❯ • user: Question 0/);
    screen.press('NPage', 'NPage', 'Down');
    await screen.shows(/44\/100,000/);
    screen.press('C-o', 'C-o');
    await screen.shows(/\/50,000 · user-only/);
    screen.type('/question 77776');
    await screen.shows(/❯.*user: Question 77776\n[\s\S]*1 found ·/);
    screen.press('Escape');
    await screen.shows(/\/50,000/);
    screen.press('L');
    screen.type('far');
    screen.press('Enter');
    await screen.shows(/\[far\]/);
    screen.press('Escape');
    await screen.shows(/ended with 0/);
    expect(readFileSync(file).length - size).toBeLessThan(200);
  });
});
