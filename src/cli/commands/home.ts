import { pathToFileURL } from 'node:url';
import type { Command } from 'commander';
import { archivedIn, type History, openDemo, withRecovered } from '../../history/index.ts';
import { SkeinError } from '../../model/index.ts';
import { print, warn } from '../../terminal/output.ts';
import { bringUpToDate } from '../bring-up-to-date.ts';
import { commandLine } from '../command-line.ts';
import { HomePages, type NewSession, writeDemo } from '../export/home-pages.ts';
import { openBrowser } from '../open-browser.ts';
import { addRootOption, findHistory, loadArchive, openHistory, type RootOptions } from '../options.ts';
import { formatSessions, type ListedSession, listed, sessionCells } from '../session-table.ts';
import { bold, COMMAND, dim, plural, shortId } from '../table.ts';

interface Options extends RootOptions {
  readonly open: boolean;
}

export function define(command: Command): void {
  addRootOption(command)
    .option('--no-open', 'do not open the browser')
    .action((options: Options) => run(options));
}

const SHOWN = 20;

/** What somebody looks for is most likely new: the newest sessions come first, then everything is archived, indexed and written. */
async function run(options: Options): Promise<void> {
  const found = openHistory(options);
  if (found.projects.length === 0) return showDemo(found.looked, options);
  const pages = new HomePages(options);
  const lock = unlessBusy(() => pages.lock());
  const newest = lock ? await pages.writeNewest(found, SHOWN) : pages.newest(found.projects, SHOWN);
  const rows = rowsOf(found, newest);
  print(`${summary(found, rows)}\n\n${table(rows)}\n\n${hint(rows, options)}\n${tell(pages.index, options)}\n`);
  if (!lock) return;
  await archive(options);
  // What only the archive still has is there now.
  const written = await pages.writeAll(findHistory(options));
  lock.release();
  if (written > 0) print(`${plural(written, 'more page')} written\n`);
}

async function showDemo(looked: readonly string[], options: Options): Promise<void> {
  const demo = openDemo();
  const row = await writeDemo(demo);
  print(
    `No sessions found. Skein looked in:\n${looked.map((path) => `  ${path}\n`).join('')}\nHere is a demo session instead.\n\n${table([listedPage(row)])}\n\n`,
  );
  print(
    `${dim(`Read it:   ${COMMAND} show ${shortId(row.id)}`)}\n${tell(row.page, options)}\n${dim(`Use a coding agent (Claude Code, Pi) and come back, or point Skein at a folder: ${COMMAND} --root DIR`)}\n`,
  );
}

/** The address of a page; it is opened where somebody can see it. */
function tell(page: string, { open }: Options): string {
  const url = pathToFileURL(page).href;
  const isOpened = open && openBrowser(url);
  return `${isOpened ? 'Opened:  ' : 'As pages:'}  ${url}`;
}

/** Another one that does it already is as good. */
async function archive(options: Options): Promise<void> {
  try {
    const { problems } = await bringUpToDate(options);
    for (const { message } of problems) warn(message);
    await loadArchive();
  } catch (error) {
    if (!isBusy(error)) throw error;
    warn(`${(error as Error).message}; this one does not archive`);
  }
}

const isBusy = (error: unknown): boolean => error instanceof SkeinError && error.code === 'busy';

function unlessBusy<T>(act: () => T): T | null {
  try {
    return act();
  } catch (error) {
    if (!isBusy(error)) throw error;
    warn(`${(error as Error).message}; the pages are shown as they are`);
    return null;
  }
}

const table = (rows: readonly ListedSession[]): string => formatSessions(rows.map((row) => sessionCells(row)));

/** The newest that are there, and those of which only the prompts are left. */
function rowsOf(history: History, newest: readonly NewSession[]): ListedSession[] {
  const isArchived = archivedIn(history.projects);
  const there = newest.map((session) => ({
    ...listedPage(session),
    archived: isArchived(session.project, session.summary.files),
  }));
  const recovered = withRecovered(history, []).map(listed);
  return [...there, ...recovered].sort((a, b) => (b.endedAt ?? 0) - (a.endedAt ?? 0)).slice(0, SHOWN);
}

const listedPage = ({ id, project, summary }: NewSession): ListedSession => ({ ...summary, id, project });

function summary(history: History, rows: readonly ListedSession[]): string {
  const files = history.projects.reduce(
    (sum, project) => sum + project.files.filter(({ facts }) => facts.role === 'session').length,
    0,
  );
  return (
    bold(`${plural(history.projects.length, 'project')}, ${plural(files, 'session file')}`) +
    dim(`, the newest ${plural(rows.length, 'session')}:`)
  );
}

function hint([newest]: readonly ListedSession[], options: RootOptions): string {
  const id = shortId(newest?.id ?? 'ID');
  const [show, check] = [commandLine(['show', id], options), commandLine(['check', id], options)];
  return dim(`Read one:  ${show}\nIs everything in it accounted for?  ${check}`);
}
