import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawText } from '../../src/cli/show/draw-text.ts';
import { BIN, type Home, openHome } from '../kit/home.ts';
import { hasProgram, hasTmux, openTerminal, type Terminal } from '../kit/tmux.ts';
import { assistant, user } from '../kit/transcript.ts';

const hasLess = hasProgram('less');

describe('H20 text for eyes', () => {
  test.each([
    ['a line that fits', 'one two', 'one two'],
    ['words', 'one two three four', 'one two\nthree four'],
    ['a word longer than a line', 'a verylongwordindeed b', 'a\nverylongwordindeed\nb'],
    ['what stands below something', '  ⎿  one two three', '  ⎿  one\n     two\n     three'],
    ['spaces inside', 'x  =  1; y  =  2', 'x  =  1; y\n=  2'],
    ['wide characters', '日本 語日 本語', '日本 語日\n本語'],
    ['several lines', 'one\n\ntwo three four', 'one\n\ntwo three\nfour'],
  ])('H20 %s', (_, text, expected) => {
    expect(drawText(text, 10)).toBe(expected);
  });
});

describe.skipIf(!hasTmux)('P3 skein show on a terminal', () => {
  let home: Home;
  let terminal: Terminal;
  beforeAll(async () => {
    home = openHome();
    home.write('.claude/projects/-r/aaaa1111.jsonl', [
      user('u1', null, 'Fix the clock', { timestamp: '2026-03-01T10:00:00.000Z' }),
      assistant('a1', 'u1', `${'word '.repeat(15)}end`, { timestamp: '2026-03-01T10:01:00.000Z' }),
      user('u2', 'a1', 'one way', { timestamp: '2026-03-01T10:02:00.000Z' }),
      user('u3', 'a1', 'another way', { timestamp: '2026-03-01T10:03:00.000Z' }),
    ]);
    home.write('.claude/projects/-r/bbbb2222.jsonl', [
      user('l1', null, Array.from({ length: 100 }, (_, i) => `line ${i}.`).join('\n')),
    ]);
    const env = { ...home.env, NODE: process.execPath, BIN, PS1: '> ' };
    terminal = openTerminal(['sh'], { cwd: home.path, columns: 60, rows: 24, env });
    terminal.type('skein() { "$NODE" "$BIN" "$@"; }');
    terminal.press('Enter');
  });
  afterAll(() => {
    terminal.close();
    home.remove();
  });
  const run = (line: string): void => {
    terminal.type(`clear; ${line}; echo " rc $?"`);
    terminal.press('Enter');
  };

  test('P3 what is short stays on the screen: a header, words whole, what else there is', async () => {
    run('skein show aaaa');
    const screen = await terminal.shows(/ rc 0\n/);
    expect(screen.split('\n').slice(0, -2)).toEqual([
      'Fix the clock',
      'aaaa1111 · X · 1 other thread',
      '',
      '[2026-03-01 10:00] <User> Fix the clock',
      '',
      `[2026-03-01 10:01] <Assistant> ${'word '.repeat(5)}word`,
      `${'word '.repeat(9)}end`,
      '',
      '[2026-03-01 10:03] <User> another way',
      '',
      '────────────────────────────────────────',
      '1 other thread:  skein threads aaaa1111',
    ]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is looked for
    expect(terminal.screen('styled')).toMatch(/\u001b\[[\d;]*m<User>\u001b/);
  });

  test.skipIf(!hasLess)('P3 what is long is read in the pager; --no-pager writes it all', async () => {
    run('skein show bbbb');
    expect(await terminal.shows(/line 10\.\n[\s\S]*:$/)).not.toContain('line 99.');
    terminal.press('q');
    await terminal.shows(/ rc 0\n/);
    run('skein show bbbb --no-pager');
    expect(await terminal.shows(/ rc 0\n/)).toContain('line 99.');
    run('PAGER="echo in the pager" skein show bbbb --thread zzzz');
    expect(await terminal.shows(/ rc 1\n/)).not.toMatch(/^in the pager$/m);
    run('PAGER=nosuchpager skein show bbbb');
    expect(await terminal.shows(/ rc 0\n/)).toContain('line 99.');
  });
});
