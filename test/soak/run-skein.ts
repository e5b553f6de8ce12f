import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';

/** What a command answered. */
export interface Answer {
  readonly out: string;
  readonly err: string;
  /** Null: it was killed. */
  readonly code: number | null;
}

const BIN = resolve(import.meta.dirname, '../../bin/skein.cjs');
/** A command takes a fraction of a second: one that takes so long hangs. */
const HANGS = 120_000;

export interface Place {
  /** The home of somebody who uses agents. */
  readonly home: string;
  /** Where Skein keeps what it stores. */
  readonly data: string;
}

/** Runs the program as users do; `killAfter` so many milliseconds. */
export function runSkein({ home, data }: Place, args: readonly string[], killAfter?: number): Promise<Answer> {
  const env = { PATH: process.env.PATH ?? '', HOME: home, SKEIN_HOME: data, TZ: 'UTC' };
  return ended(spawn(process.execPath, [BIN, ...args], { env, cwd: home }), killAfter);
}

/** Killed so many milliseconds after its start, or after it first said something. */
export function ended(child: ChildProcess, killAfter = HANGS, since: 'start' | 'output' = 'start'): Promise<Answer> {
  return new Promise((done) => {
    let [out, err] = ['', ''];
    child.stdout?.setEncoding('utf8').on('data', (text) => {
      if (out === '' && since === 'output') timer = setTimeout(() => child.kill('SIGKILL'), killAfter);
      out += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      err += text;
    });
    let timer = since === 'start' ? setTimeout(() => child.kill('SIGKILL'), killAfter) : undefined;
    child.on('close', (code) => {
      clearTimeout(timer);
      done({ out, err, code });
    });
  });
}
