import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

export const BIN = resolve('bin/skein.cjs');

interface Run {
  readonly out: string;
  readonly err: string;
  readonly code: number | null;
}

/** The home folder of somebody who uses agents, for as long as a test file runs. */
export interface Home {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
  /** Lines of JSON, or raw text; gives the whole path. */
  write(path: string, content: readonly object[] | string): string;
  /** Runs the program as this person. */
  skein(args: readonly string[], env?: Readonly<Record<string, string>>): Run;
  /** A line for the shell, in which `"$NODE" "$BIN"` is the program. */
  shell(line: string): Run;
  remove(): void;
}

export function openHome(): Home {
  const path = mkdtempSync(join(tmpdir(), 'skein-home-'));
  // Compiled once for all tests, as on the machine of a person.
  const compiled = join(tmpdir(), `skein-compiled-${process.getuid?.()}`);
  mkdirSync(compiled, { recursive: true, mode: 0o700 });
  const env = { PATH: process.env.PATH ?? '', HOME: path, TZ: 'UTC', NODE_COMPILE_CACHE: compiled };
  const run = (program: string, args: readonly string[], env: Readonly<Record<string, string>>): Run => {
    const options = {
      encoding: 'utf8',
      env,
      cwd: path,
      maxBuffer: 64 * 1024 * 1024,
      timeout: 60_000,
      killSignal: 'SIGKILL',
    } as const;
    const { stdout, stderr, status } = spawnSync(program, args, options);
    return { out: stdout, err: stderr, code: status };
  };
  return {
    path,
    env,
    write(name, content) {
      const file = join(path, name);
      mkdirSync(dirname(file), { recursive: true });
      const text = typeof content === 'string' ? content : content.map((line) => `${JSON.stringify(line)}\n`).join('');
      writeFileSync(file, text);
      return file;
    },
    skein: (args, more = {}) => run(process.execPath, [BIN, ...args], { ...env, ...more }),
    shell: (line) => run('sh', ['-c', line], { ...env, NODE: process.execPath, BIN }),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
