import type { Command } from 'commander';
import { SkeinError } from '../../model/index.ts';
import { printableLine } from '../../views/text/printable.ts';
import { notesPath } from '../data-place.ts';
import { findRecord, findSession } from '../find-session.ts';
import { addRootOption, type RootOptions } from '../options.ts';
import { setLabel } from '../session-labels.ts';
import { shortRecordId } from '../table.ts';

interface Options extends RootOptions {
  readonly clear?: boolean;
}

export function define(command: Command): void {
  addRootOption(command)
    .argument('<id>', 'a session by its id (or a part of it), or a .jsonl file')
    .argument('<record>', 'a record of it, by its id or a part of it')
    .argument('[text]', 'the label; an empty one takes the label away')
    .option('--clear', 'take the label away')
    .addHelpText('after', HELP)
    .action((id: string, record: string, text: string | undefined, options: Options) => run(id, record, text, options));
}

const HELP = `
Labels of Claude Code sessions are kept in notes.db in Skein's own folder: the log is not touched. Those of Pi sessions are
written into the session file, as Pi itself does it, and Pi shows them.

Examples:
  skein tree 29ccd257                          the ids of its records
  skein label 29ccd257 b1e5 "before the rewrite"
  skein label 29ccd257 b1e5 --clear`;

async function run(id: string, name: string, text: string | undefined, options: Options): Promise<void> {
  if (options.clear ? text !== undefined : text === undefined)
    throw new SkeinError('bad_input', 'Say what the label is, or --clear to take it away');
  const session = findSession(id, options);
  const record = findRecord(session, name);
  const label = labelText(text ?? '');
  const { path } = await setLabel(session, { record, annotation: null }, label, Date.now());
  const what = shortRecordId(record.id, session.id);
  process.stdout.write(
    `${label === '' ? `${what} has no label any more` : `${what} is labelled [${label}]`} (${printableLine(path ?? notesPath())})\n`,
  );
}

/** One line, without what a terminal would act on. */
export const labelText = (text: string): string => printableLine(text);
