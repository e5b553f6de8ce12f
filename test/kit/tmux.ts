import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A terminal that a test types into and looks at: a tmux server of its own, ended with the test. */
export interface Terminal {
  /** Names of keys as tmux has them: `Enter`, `Up`, `C-u`. */
  press(...keys: readonly string[]): void;
  type(text: string): void;
  /** What is on the screen, without spaces at the end of lines and without empty lines at its end; `styled` with colours. */
  screen(how?: 'styled'): string;
  /**
   * The screen, once it is as wanted. It is taken when it stands still, for it may be caught in the middle of a frame;
   * one that never stands still is taken when it was as wanted ten times.
   */
  shows(wanted: RegExp): Promise<string>;
  cursor(): string;
  /** What tmux knows of the terminal, by one of its formats: `#{pane_title}`. */
  tell(format: string): string;
  resize(columns: number, rows: number): void;
  close(): void;
}

export const hasProgram = (name: string): boolean => spawnSync(name, ['--version']).error === undefined;
export const hasTmux = spawnSync('tmux', ['-V']).status === 0;

export interface TerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export function openTerminal(command: readonly string[], options: TerminalOptions = {}): Terminal {
  const { columns = 80, rows = 24, cwd = process.cwd(), env = {} } = options;
  const socket = `skein-test-${process.pid}`;
  // tmux leaves its socket behind.
  const folder = mkdtempSync(join(tmpdir(), 'skein-tmux-'));
  const tmux = (...args: readonly string[]): string => {
    const { stdout, stderr, status } = spawnSync('tmux', ['-u', '-L', socket, '-f', '/dev/null', ...args], {
      encoding: 'utf8',
      cwd,
      env: { PATH: process.env.PATH, HOME: cwd, LANG: 'C.UTF-8', TERM: 'xterm-256color', ...env, TMUX_TMPDIR: folder },
    });
    if (status !== 0) throw new Error(`tmux ${args[0]}: ${stderr}`);
    return stdout;
  };
  tmux('new-session', '-d', '-x', `${columns}`, '-y', `${rows}`, ...command);
  const screen = (how?: 'styled'): string =>
    tmux('capture-pane', '-p', ...(how ? ['-e'] : []))
      .replace(/ +$/gm, '')
      .trimEnd();
  return {
    press: (...keys) => tmux('send-keys', ...keys),
    type: (text) => tmux('send-keys', '-l', '--', text),
    screen,
    async shows(wanted) {
      const end = Date.now() + 40_000;
      let before = '';
      for (let times = 0; ; ) {
        const seen = screen();
        if (wanted.test(seen) && (seen === before || ++times === 10)) return seen;
        if (Date.now() > end) throw new Error(`Not on the screen: ${wanted}\n${seen}`);
        before = seen;
        await sleep(25);
      }
    },
    cursor: () => tmux('display-message', '-p', '#{cursor_x},#{cursor_y},#{cursor_flag}').trim(),
    tell: (format) => tmux('display-message', '-p', format).trim(),
    resize: (width, height) => tmux('resize-window', '-x', `${width}`, '-y', `${height}`),
    close() {
      tmux('kill-server');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
