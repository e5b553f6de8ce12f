import type { Command } from 'commander';
import { History } from '../history/index.ts';

export interface RootOptions {
  readonly root?: readonly string[];
}

/** `--root DIR`, as often as wanted. */
export const addRootOption = (command: Command): Command =>
  command.option(
    '--root <dir>',
    'read this folder instead of the places the agents use (repeatable)',
    (dir, all: string[] = []) => [...all, dir],
  );

/** The history the options mean. What could not be read is told on the error stream; the rest is there. */
export function openHistory(options: RootOptions): History {
  const history = History.open(options.root ? { roots: options.root } : {});
  for (const { message } of history.problems) process.stderr.write(`skein: ${message}\n`);
  return history;
}
