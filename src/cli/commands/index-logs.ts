import type { Command } from 'commander';
import { type Ingested, readExclude, watch } from '../../ingest/index.ts';
import { SkeinError } from '../../model/index.ts';
import type { ArchivedFile } from '../../stores/store.ts';
import { printable } from '../../views/text/printable.ts';
import { bringUpToDate, findRoots } from '../bring-up-to-date.ts';
import { writeArchive } from '../data-folder.ts';
import { dataFolder } from '../data-place.ts';
import { addRootOption, findHistory, loadArchive, type RootOptions } from '../options.ts';
import { updateIndex } from '../stored-index.ts';
import { megabytes, plural } from '../table.ts';

interface Options extends RootOptions {
  readonly watch?: boolean;
  readonly verify?: boolean;
  readonly json?: boolean;
}

export function define(command: Command): void {
  addRootOption(command)
    .option('--verify', 'compare every archived byte with the file it came from')
    .option('--watch', 'stay and archive what is written')
    .option('--json', 'the figures as JSON')
    .addHelpText('after', HELP)
    .action((options: Options) => run(options));
}

const HELP = `
Keeps a compressed copy of every log and what belongs to it in SKEIN_HOME, also after the agent deletes it.
Patterns of what to leave out stand in SKEIN_HOME/exclude, one a line. "skein status" says what is archived.

Examples:
  skein index
  skein index --watch
  skein index --verify --json`;

async function run(options: Options): Promise<void> {
  if (options.watch) return stay(options);
  const roots = findRoots(options);
  if (roots.roots.length === 0 && options.root)
    throw new SkeinError('not_found', `No logs in ${roots.looked.join(', ')}`);
  const figures = await bringUpToDate(options, options.verify ? { verify: true } : {});
  report(figures, options);
}

/** Until somebody stops it. With `--json` it tells of every file that changed, one a line. */
async function stay(options: Options): Promise<void> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const told = new Set<string>();
  const refresh = inTurn(async () => {
    await loadArchive();
    await updateIndex(findHistory(options));
  });
  await writeArchive(async (archive) => {
    await watch({
      archive,
      verify: false,
      signal: stop.signal,
      findRoots: () => findRoots(options),
      readExclude: () => readExclude(dataFolder()),
      onSaved: (files) => {
        refresh();
        if (options.json) process.stdout.write(files.map((file) => `${JSON.stringify(savedJson(file))}\n`).join(''));
      },
      onIngested: (figures) => {
        const problems = figures.problems.filter(({ message }) => !told.has(message));
        for (const { message } of problems) told.add(message);
        if (options.json || figures.new + figures.appended + figures.rewritten + figures.gone > 0)
          report({ ...figures, problems }, options);
      },
    });
  });
}

/** One run at a time; what is asked for meanwhile is one more run. */
function inTurn(run: () => Promise<void>): () => void {
  let isRunning = false;
  let again = false;
  const go = async (): Promise<void> => {
    if (isRunning) {
      again = true;
      return;
    }
    isRunning = true;
    try {
      do {
        again = false;
        await run();
      } while (again);
    } catch (error) {
      process.stderr.write(`skein: the index is not up to date: ${printable((error as Error).message)}\n`);
    } finally {
      isRunning = false;
    }
  };
  return () => void go();
}

const savedJson = ({ root, agent, project, path, size, generation }: ArchivedFile) => ({
  saved: { root, agent, project, path, size, generation },
});

function report(figures: Ingested, { json }: Options): void {
  for (const { message } of figures.problems) process.stderr.write(`skein: ${printable(message)}\n`);
  if (json) process.stdout.write(`${JSON.stringify(jsonOf(figures))}\n`);
  else if (process.stdout.isTTY) process.stdout.write(`${summary(figures)}\n`);
}

const jsonOf = ({ problems, bytesRead, milliseconds, found: _found, ...counts }: Ingested) => ({
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
  return `${plural(files, 'file')}: ${changes}. ${megabytes(bytesRead)} read in ${(milliseconds / 1000).toFixed(1)} s`;
}
