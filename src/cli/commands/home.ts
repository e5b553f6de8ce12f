import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from 'commander';
import { type History, openDemo } from '../../history/index.ts';
import { SkeinError } from '../../model/index.ts';
import { formatTime } from '../../views/text/format-time.ts';
import { printable, printableLine } from '../../views/text/printable.ts';
import { cutToWidth } from '../../views/text/width.ts';
import { bringUpToDate } from '../bring-up-to-date.ts';
import { commandLine } from '../command-line.ts';
import { HomePages, type NewSession, writeDemo } from '../export/home-pages.ts';
import { openBrowser } from '../open-browser.ts';
import { addRootOption, findHistory, loadArchive, openHistory, type RootOptions } from '../options.ts';
import { bold, COMMAND, dim, formatNumber, formatTable, plural, shortId } from '../table.ts';

interface Options extends RootOptions {
  readonly open: boolean;
}

export function define(command: Command): void {
  addRootOption(command)
    .option('--no-open', 'do not open the browser')
    .action((options: Options) => run(options));
}

const SHOWN = 20;
const TITLE = 80;

/** What somebody looks for is most likely new: the newest sessions come first, then everything is archived, indexed and written. */
async function run(options: Options): Promise<void> {
  const found = openHistory(options);
  if (found.projects.length === 0) return showDemo(found.looked, options);
  const pages = new HomePages(options);
  const lock = unlessBusy(() => pages.lock());
  const rows = lock ? await pages.writeNewest(found, SHOWN) : pages.newest(found.projects, SHOWN);
  process.stdout.write(
    `${summary(found, rows)}\n\n${table(rows)}\n\n${hint(rows, options)}\n${tell(pages.index, options)}\n`,
  );
  if (!lock) return;
  await archive(options);
  // What only the archive still has is there now.
  const written = await pages.writeAll(findHistory(options));
  lock.release();
  if (written > 0) process.stdout.write(`${plural(written, 'more page')} written\n`);
}

async function showDemo(looked: readonly string[], options: Options): Promise<void> {
  const demo = openDemo();
  const row = await writeDemo(demo);
  process.stdout.write(
    `No sessions found. Skein looked in:\n${looked.map((path) => `  ${path}\n`).join('')}\nHere is a demo session instead.\n\n${table([row])}\n\n`,
  );
  process.stdout.write(
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
    for (const { message } of problems) process.stderr.write(`skein: ${printable(message)}\n`);
    await loadArchive();
  } catch (error) {
    if (!isBusy(error)) throw error;
    process.stderr.write(`skein: ${printable((error as Error).message)}; this one does not archive\n`);
  }
}

const isBusy = (error: unknown): boolean => error instanceof SkeinError && error.code === 'busy';

function unlessBusy<T>(act: () => T): T | null {
  try {
    return act();
  } catch (error) {
    if (!isBusy(error)) throw error;
    process.stderr.write(`skein: ${printable((error as Error).message)}; the pages are shown as they are\n`);
    return null;
  }
}

const table = (rows: readonly NewSession[]): string =>
  formatTable(
    [
      { title: 'LAST ACTIVITY' },
      { title: 'SESSION' },
      { title: 'TITLE', flexible: true },
      { title: 'PROJECT' },
      { title: 'RECORDS', align: 'right' },
      { title: '' },
    ],
    rows.map(({ id, project, summary: { title, endedAt, records, threads } }) => [
      formatTime(endedAt),
      shortId(id),
      cutToWidth(printableLine(title), TITLE),
      cutToWidth(printableLine(basename(project)), 16),
      formatNumber(records),
      threads > 1 ? plural(threads, 'thread') : '',
    ]),
  );

function summary(history: History, rows: readonly NewSession[]): string {
  const files = history.projects.reduce(
    (sum, project) => sum + project.files.filter(({ facts }) => facts.role === 'session').length,
    0,
  );
  return (
    bold(`${plural(history.projects.length, 'project')}, ${plural(files, 'session file')}`) +
    dim(`, the newest ${plural(rows.length, 'session')}:`)
  );
}

function hint([newest]: readonly NewSession[], options: RootOptions): string {
  const id = shortId(newest?.id ?? 'ID');
  const [show, check] = [commandLine(['show', id], options), commandLine(['check', id], options)];
  return dim(`Read one:  ${show}\nIs everything in it accounted for?  ${check}`);
}
