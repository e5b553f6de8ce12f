import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BIN, openHome } from '../kit/home.ts';
import { ACTS, EVIL_NAME, writeHostile } from '../kit/hostile.ts';
import { hasProgram, hasTmux, openTerminal, type Terminal } from '../kit/tmux.ts';

/** How our screens draw: the cursor, clearing, the other screen, frames in one piece, pasted text, and our colours. */
const OWN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /\u001b\[(?:\?(?:25|1049|2004|2026)[hl]|\d*[A-HJK]|\d+;\d+H|(?:0|1|2|22|3[1-6]|39)?m)|\u001b\[[<>=?]*\d*u|\r/g;

const can = hasTmux && hasProgram('script');
describe.skipIf(!can)(`attack B2: screens${can ? '' : ' (skipped: tmux and "script" are needed)'}`, () => {
  const home = openHome();
  beforeAll(() => {
    writeHostile(home);
    home.skein(['index'], { SKEIN_HOME: join(home.path, `data${EVIL_NAME}`) });
  });
  afterAll(() => home.remove());

  /** Types in a screen; gives everything that was sent to the terminal meanwhile. */
  async function walk(args: string, steps: (terminal: Terminal) => Promise<void>): Promise<string> {
    const log = join(home.path, 'sent');
    const env = {
      ...home.env,
      NODE: process.execPath,
      BIN,
      SKEIN_HOME: join(home.path, `data${EVIL_NAME}`),
      PAGER: 'cat -u',
    };
    const terminal = openTerminal(
      ['sh', '-c', `trap : INT; script -qefc '"$NODE" "$BIN" ${args}' sent; echo the end; while :; do sleep 100; done`],
      {
        cwd: home.path,
        env,
        columns: 120,
        rows: 40,
      },
    );
    try {
      await steps(terminal);
      return readFileSync(log, 'utf8')
        .replace(/^Script started.*\n/, '')
        .replace(/\n?Script done.*\n?$/, '');
    } finally {
      terminal.close();
    }
  }

  const actsIn = (sent: string): string | null => {
    const rest = sent.replace(OWN, '');
    const found = ACTS.exec(rest);
    return found ? JSON.stringify(rest.slice(Math.max(0, found.index - 80), found.index + 40)) : null;
  };

  const through =
    (wanted: RegExp, ...keys: readonly string[]) =>
    async (terminal: Terminal): Promise<void> => {
      await terminal.shows(wanted);
      for (const key of keys) {
        if (/^(Up|Down|Left|Right|Enter|Escape|[CS]-.)$/.test(key)) terminal.press(key);
        else terminal.type(key);
        await new Promise((resolve) => setTimeout(resolve, 150));
      }
      // What is left open says so, and takes its time.
      for (let tries = 0; tries < 50 && !terminal.screen().includes('the end'); tries++) {
        terminal.press(tries % 2 === 0 ? 'q' : 'C-c');
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
      await terminal.shows(/the end/);
    };

  test.each([
    [
      'tree c0d',
      through(/Clock/, 'Down', 'C-o', 'C-o', 'C-o', 'C-o', '/', 'clock', 'Enter', 'Escape', 'Escape', 'C-c'),
    ],
    ['tree p0s', through(/Go/, 'Down', 'Down', 'L', 'x', 'Enter', 'C-c')],
    ['tree p0b --branch', through(/Branch|branch|prompt/i, 'Down', 'Escape', 'C-c')],
    ['tree c1d', through(/\w/, 'Enter', 'Down', 'b', 'Enter', 'C-c', 'C-c')],
    ['show', through(/which session/, 'Down', 'c0', 'Enter')],
    ['search', through(/\w/, 'the', 'Down', 'Down', 'Escape')],
    ['forget c0t', through(/y\/N/, 'n', 'Enter')],
    ['forget gone', through(/y\/N/, 'n', 'Enter')],
  ])('nothing of a log acts on it: skein %s', async (args, steps) => {
    const sent = await walk(args, steps);
    expect(sent.length).toBeGreaterThan(100);
    expect(actsIn(sent)).toBeNull();
  });
});
