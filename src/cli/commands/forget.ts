import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { bestMatches, History, only } from '../../history/index.ts';
import { forgetFiles, forgetPrompts, nativeOf, promptsOnly, unitOf } from '../../ingest/index.ts';
import { type ArchiveReader, type FilePlace, SkeinError } from '../../model/index.ts';
import { type LogFile, onDisk } from '../../sources/index.ts';
import type { SessionNames } from '../../stores/notes-store.ts';
import type { ArchivedFile } from '../../stores/store.ts';
import { print, warn } from '../../terminal/output.ts';
import { ask } from '../../terminal/streams.ts';
import { formatTime } from '../../views/text/format-time.ts';
import { printableLine } from '../../views/text/printable.ts';
import { chosenFiles } from '../choose-archived.ts';
import { needArchive, writeArchive } from '../data-folder.ts';
import { dataFolder } from '../data-place.ts';
import { dropHomePages } from '../export/home-pages.ts';
import { isNoted, readNotes, writeNotes } from '../notes.ts';
import { addRootOption, type RootOptions } from '../options.ts';
import { dropIndex } from '../stored-index.ts';
import { formatSize, plural } from '../table.ts';

interface Options extends RootOptions {
  readonly project?: string;
  readonly yes?: boolean;
}

export function define(command: Command): void {
  addRootOption(command)
    .argument('[id]', 'a session by its id (or a part of it)')
    .option('-p, --project <project>', 'all sessions of a project instead, by its path or name')
    .option('--yes', 'do not ask')
    .addHelpText('after', HELP)
    .action((id: string | undefined, options: Options) => run(id, options));
}

const HELP = `
Removes it from the archive for good, with its labels and notes; what the agent itself still has on disk is not touched: it is
listed until it is deleted there, and not archived again.
To keep a whole project out from now on, put its path into SKEIN_HOME/exclude.

Examples:
  skein forget 29ccd257
  skein forget -p ~/secret --yes`;

async function run(id: string | undefined, options: Options): Promise<void> {
  try {
    await forgetArchived(id, options);
  } catch (error) {
    const isUnknown = error instanceof SkeinError && error.code === 'not_found';
    if (!isUnknown || id === undefined || !(await forgetNoted(id, options))) throw error;
  }
}

async function forgetArchived(id: string | undefined, options: Options): Promise<void> {
  needArchive().closeNow();
  await writeArchive(async (archive) => {
    const lone = id === undefined ? null : promptsOnly(archive, id);
    if (lone) {
      if (!options.yes && !(await agrees(`Forget the prompts of ${lone.id} for good?`))) return;
      await forgetNotes([{ agent: lone.agent, sessions: [lone.id] }]);
      await forgetPrompts(archive, lone.agent, lone.id);
      print(`The prompts of ${lone.id} are forgotten\n`);
      return;
    }
    const files = chosenFiles(archive, await archive.files({ older: true }), id, options);
    const size = formatSize(files.reduce((sum, file) => sum + file.size, 0));
    if (!options.yes) {
      const listed = process.stdin.isTTY ? sessionLines(archive, files).map((line) => `${line}\n`) : [];
      if (!(await agrees(`${listed.join('')}Forget ${plural(files.length, 'file')} (${size}) for good?`))) return;
    }
    // What is noted about it goes first: once its files are forgotten nobody would know whose notes they are.
    const notes = await forgetNotes(
      files.map((file) => ({ agent: file.agent, sessions: [nativeOf(file), unitOf(file)] })),
    );
    // So does what was made from it: of a session that the archive does not know any more nobody would ask for it again.
    dropIndex();
    dropHomePages();
    await forgetFiles(archive, files);
    print(
      `${plural(files.length, 'file')} (${size}) forgotten${notes === 0 ? '' : `, with ${plural(notes, 'note')}`}\n`,
    );
    tellOfFiles(files);
    for (const name of readdirSync(dataFolder()).filter((each) => /^(archive|notes)\.damaged-.*\.db$/.test(each)))
      warn(`${join(dataFolder(), name)} was set aside and may still hold it; delete it`);
  });
}

const SHOWN = 10;

/** What is about to be forgotten, as people know it. */
function sessionLines(archive: ArchiveReader, files: readonly ArchivedFile[]): string[] {
  const ids = new Set(files.map(({ id }) => id));
  const isChosen = (file: LogFile | undefined): boolean => ids.has(file?.kept?.id ?? -1);
  const sessions = History.ofArchive(archive)
    .projects.filter((project) => project.files.some(isChosen))
    .flatMap((project) => project.sessions().filter(({ files, logs }) => files.some((id) => isChosen(logs.file(id)))));
  const lines = sessions
    .slice(0, SHOWN)
    .map(
      ({ id, title, facts }) =>
        `  ${formatTime(facts.endedAt)}  ${printableLine(id)}  ${printableLine(title ?? '(no title)')}`,
    );
  return [...lines, ...(sessions.length > SHOWN ? [`  … and ${sessions.length - SHOWN} more`] : [])];
}

/** The agents' own files stay, and what is there is shown. */
function tellOfFiles(files: readonly FilePlace[]): void {
  const paths = new Set(files.map(({ root, project, path }) => join(root, project, path)).filter(isOnDisk));
  const [first] = paths;
  if (first === undefined) return;
  const others = paths.size === 1 ? '' : ` (and ${plural(paths.size - 1, 'other file')})`;
  warn(`still on disk at ${first}${others}, and listed until it is deleted there`);
}

const isOnDisk = (path: string): boolean => existsSync(onDisk(path));

/** A session that was never archived may have labels. */
async function forgetNoted(id: string, options: Options): Promise<boolean> {
  const noted = await readNotes((notes) => notes.sessions(), []);
  const found = bestMatches(noted, id, ({ session }) => [session]);
  if (found.length === 0) return false;
  const { agent, session } = only('session with notes', id, found, (each) => `${each.session}  ${each.agent}`);
  if (!options.yes && !(await agrees(`Forget what is noted about ${session} for good?`))) return true;
  const count = await forgetNotes([{ agent, sessions: [session] }]);
  print(`${plural(count, 'note')} forgotten; nothing of ${session} was archived\n`);
  return true;
}

/** Notes that are damaged must not be taken for a damaged archive. */
async function forgetNotes(sessions: readonly SessionNames[]): Promise<number> {
  try {
    return isNoted() ? await writeNotes((notes) => notes.forget(sessions)) : 0;
  } catch (error) {
    if (!(error instanceof SkeinError) || error.code !== 'damaged') throw error;
    throw new SkeinError('unreadable', error.message, error);
  }
}

async function agrees(question: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new SkeinError('bad_input', 'Nobody is there to ask: add --yes to forget it for good');
  return /^y(es)?$/i.test((await ask(`${question} [y/N] `)).trim());
}
