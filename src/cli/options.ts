import type { Command } from 'commander';
import { History } from '../history/index.ts';
import { openArchive } from './data-folder.ts';

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

/** `--on`, `--since`, `--until`: days in local time. */
export const addRangeOptions = (command: Command): Command =>
  command
    .option('--on <day>', 'only that day: 2026-11-02, today, yesterday, "3 days ago"')
    .option('--since <day>', 'only that day and later')
    .option('--until <day>', 'only that day and earlier');

/** The history the options mean. What could not be read is told on the error stream; the rest is there. */
export function openHistory(options: RootOptions): History {
  const archive = openArchive();
  const history = History.open({ ...(options.root && { roots: options.root }), ...(archive && { archive }) });
  for (const { message } of history.problems) process.stderr.write(`skein: ${message}\n`);
  return history;
}
