import type { Command } from 'commander';
import type { Ingested } from '../../ingest/index.ts';
import { SkeinError } from '../../model/index.ts';
import { print, warn } from '../../terminal/output.ts';
import { jsonText } from '../../views/json/index.ts';
import { bringUpToDate, findRoots } from '../bring-up-to-date.ts';
import { addRootOption, type RootOptions } from '../options.ts';
import { formatSize, plural } from '../table.ts';

interface Options extends RootOptions {
  readonly watch?: boolean;
  readonly forgottenLost?: boolean;
  readonly verify?: boolean;
  readonly json?: boolean;
}

export function define(command: Command): void {
  addRootOption(command)
    .option('--verify', 'compare every archived byte with the file it came from')
    .option('--watch', 'stay, archive and index what is written; Ctrl+C ends it')
    .option('--forgotten-lost', 'go on although it is not known any more what was forgotten: it may be archived again')
    .option('--json', 'the figures as JSON')
    .addHelpText('after', HELP)
    .action((options: Options) => run(options));
}

const HELP = `
Keeps a compressed copy of every log and what belongs to it in SKEIN_HOME, also after the agent deletes it.
Patterns of what to leave out stand in SKEIN_HOME/exclude, one a line. "skein status" says what is archived.
Ends with 2 when something that was archived is lost: a damaged archive of which not everything could be saved, or, with --verify,
a copy that cannot be read any more. When both lists of what was forgotten are damaged it archives nothing; --forgotten-lost goes on.

Examples:
  skein index
  skein index --watch
  skein index --verify --json`;

async function run(options: Options): Promise<void> {
  if (options.watch) return stay(options);
  const roots = findRoots(options);
  if (roots.roots.length === 0 && options.root)
    throw new SkeinError(
      'not_found',
      [`No logs in ${roots.looked.join(', ')}`, ...roots.problems.map(({ message }) => message)].join(': '),
    );
  const { verify = false, forgottenLost = false } = options;
  const figures = await bringUpToDate(options, { verify, forgottenLost });
  if (figures.damaged > 0) process.exitCode = 2;
  report(figures, options);
}

/** Until somebody stops it. With `--json` it tells of everything it does, one line each. */
async function stay(options: Options): Promise<void> {
  const { watchLogs } = await import('../watch-logs.ts');
  const told = new Set<string>();
  let isFirst = true;
  await watchLogs(
    options,
    () => findRoots(options),
    (figures) => {
      const problems = figures.problems.filter(({ message }) => !told.has(message));
      for (const { message } of problems) told.add(message);
      const { new: added, appended, rewritten, gone } = figures;
      // The first look is told in any case: a screen that stays empty could as well be stuck.
      if (options.json || isFirst || added + appended + rewritten + gone > 0) report({ ...figures, problems }, options);
      else tell(problems);
      isFirst = false;
    },
  );
}

function report(figures: Ingested, { json }: Options): void {
  tell(figures.problems);
  if (json) print(`${jsonText(jsonOf(figures))}\n`);
  else if (process.stdout.isTTY) print(`${summary(figures)}\n`);
}

function tell(problems: Ingested['problems']): void {
  for (const { message } of problems) warn(message);
}

const jsonOf = ({ problems, bytesRead, milliseconds, found: _found, stamp: _stamp, ...counts }: Ingested) => ({
  ...counts,
  bytes_read: bytesRead,
  milliseconds: Math.round(milliseconds),
  problems: problems.map(({ path, message }) => ({ path, message })),
});

function summary(figures: Ingested): string {
  const { files, new: added, appended, rewritten, gone, bytesRead, milliseconds } = figures;
  const parts = [
    added > 0 ? `${added} new` : '',
    appended > 0 ? `${appended} grown` : '',
    rewritten > 0 ? `${rewritten} rewritten` : '',
    gone > 0 ? `${gone} gone from disk, kept here` : '',
  ].filter(Boolean);
  const changes = parts.length > 0 ? parts.join(', ') : 'nothing new';
  return `${plural(files, 'file')}: ${changes}. ${formatSize(bytesRead)} read in ${(milliseconds / 1000).toFixed(1)} s`;
}
