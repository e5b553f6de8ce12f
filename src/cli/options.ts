import { existsSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { History, type HistoryOptions, type StoredTrees } from '../history/index.ts';
import { type KeptFile, SkeinError } from '../model/index.ts';
import { warn } from '../terminal/output.ts';
import { archivePath, indexPath } from './data-place.ts';
import { tell, watchHistory } from './unread.ts';

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
    .option('--on <day>', 'only that day: 2026-11-02, today, yesterday, monday, 3d; or "last week", 2026-11')
    .option('--since <day>', 'only that day and later')
    .option('--until <day>', 'only that day and earlier');

/** The value of `--limit`. */
export function readCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new InvalidArgumentError('It must be a whole number from 1.');
  return count;
}

/** The history the options mean, without a word about what could not be read. */
export const findHistory = ({ root }: RootOptions, more: HistoryOptions = {}): History =>
  watchHistory(openWithArchive({ ...more, ...(root && { roots: root }) }));

/** The history the options mean. What could not be read is told on the error stream; the rest is there. */
export function openHistory(options: RootOptions, more: HistoryOptions = {}): History {
  const history = findHistory(options, more);
  for (const { message } of history.problems) tell(message);
  return history;
}

let archiveOptions: () => Pick<HistoryOptions, 'archive' | 'isLeftOut'> = () => ({});

let openTrees: () => StoredTrees | null = () => null;
let recallFormats: () => void = () => undefined;

/** A history in which a session is looked for: its project is put together from the index, where that is up to date with it. */
export function openToFind(options: RootOptions): History {
  const stored = openTrees();
  return openHistory(options, stored ? { stored } : {});
}

/** Brings in what reads the data folder, where there is one: SQLite takes longer to load than most commands to run. */
export async function loadArchive(): Promise<void> {
  if (existsSync(archivePath())) ({ archiveOptions } = await import('./data-folder.ts'));
  if (existsSync(indexPath())) ({ openTrees, recallFormats } = await import('./open-trees.ts'));
}

/** What is archived; nothing where that cannot be told. */
export function readKeptFiles(): readonly KeptFile[] {
  try {
    return archiveOptions().archive?.keptFiles() ?? [];
  } catch {
    return [];
  }
}

/** An archive that cannot be read does not hide what lies on disk. */
function openWithArchive(options: HistoryOptions): History {
  recallFormats();
  try {
    return History.open({ ...options, ...archiveOptions() });
  } catch (error) {
    if (!(error instanceof SkeinError)) throw error;
    warn(error.message);
    return History.open(options);
  }
}
