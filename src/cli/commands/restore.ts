import type { Command } from 'commander';
import { restoreFiles } from '../../ingest/index.ts';
import { print, warn } from '../../terminal/output.ts';
import { chosenFiles } from '../choose-archived.ts';
import { needArchive } from '../data-folder.ts';
import { addRootOption, type RootOptions } from '../options.ts';
import { plural } from '../table.ts';

interface Options extends RootOptions {
  readonly project?: string;
  readonly output: string;
  readonly older?: boolean;
  readonly force?: boolean;
}

export function define(command: Command): void {
  addRootOption(command)
    .argument('[id]', 'a session by its id (or a part of it)')
    .option('-p, --project <project>', 'all sessions of a project instead, by its path or name')
    .requiredOption('-o, --output <dir>', 'where to write; below it the names are the original ones')
    .option('--older', 'also what stood in files before they were rewritten, as NAME~0, NAME~1 …')
    .option('--force', 'write over files that are there')
    .addHelpText(
      'after',
      '\nExamples:\n  skein restore 29ccd257 -o /tmp/back\n  skein restore -p ~/app -o ~/.claude/projects',
    )
    .action((id: string | undefined, options: Options) => run(id, options));
}

async function run(id: string | undefined, options: Options): Promise<void> {
  const archive = needArchive();
  try {
    const all = await archive.files({ older: options.older === true });
    const files = chosenFiles(archive, all, id, options);
    const paths = await restoreFiles(archive, files, options.output, { force: options.force === true });
    print(paths.map((path) => `${path}\n`).join(''));
    const there = files.length - paths.length;
    if (there > 0) warn(`${plural(there, 'file is', 'files are')} there already`);
  } finally {
    archive.closeNow();
  }
}
