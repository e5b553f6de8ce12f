import type { Command } from 'commander';
import { SkeinError } from '../../model/index.ts';
import { print } from '../../terminal/output.ts';
import { isoTime } from '../../views/json/index.ts';
import { formatTime } from '../../views/text/format-time.ts';
import { printableLine } from '../../views/text/printable.ts';
import { allLabels, type LabelRow, labelsIn } from '../all-labels.ts';
import { notesPath } from '../data-place.ts';
import { findRecord, findSession } from '../find-session.ts';
import { addRootOption, type RootOptions } from '../options.ts';
import { type ListOptions, openOutput, writeList } from '../output.ts';
import { setLabel } from '../session-labels.ts';
import { dim, formatTable, plural, shortId, shortRecordId } from '../table.ts';

interface Options extends RootOptions, ListOptions {
  readonly clear?: boolean;
}

export function define(command: Command): void {
  addRootOption(command)
    .argument('[id]', 'a session by its id (or a part of it), or a .jsonl file; without it: list all labels')
    .argument('[record]', 'a record of it, by its id or a part of it; without it: list the labels of the session')
    .argument('[text]', 'the label; an empty one takes the label away')
    .option('--clear', 'take the label away')
    .option('--json', 'the list as JSON')
    .option('--jsonl', 'the list as JSON, one label per line')
    .addHelpText('after', HELP)
    .action((id: string | undefined, record: string | undefined, text: string | undefined, options: Options) =>
      id === undefined || record === undefined ? list(id, options) : run(id, record, text, options),
    );
}

const HELP = `
Labels of Claude Code sessions are kept in notes.db in Skein's own folder: the log is not touched. Those of Pi sessions are
written into the session file, as Pi itself does it, and Pi shows them.

Examples:
  skein label                                  all labels
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
  print(
    `${label === '' ? `${what} has no label any more` : `${what} is labelled [${label}]`} (${printableLine(path ?? notesPath())})\n`,
  );
}

async function list(id: string | undefined, options: Options): Promise<void> {
  if (options.clear) throw new SkeinError('bad_input', 'Whose label? Give a session and a record');
  const rows = id === undefined ? await allLabels(options) : await labelsIn(findSession(id, options));
  if (options.json || options.jsonl) return writeList(openOutput(undefined), rows.map(jsonOf), rows.length, options);
  if (rows.length === 0) throw new SkeinError('not_found', 'There are no labels yet; "skein label --help" says how');
  const cells = rows.map(({ session, record, text, time }) => [
    formatTime(time),
    shortId(session),
    shortRecordId(record, session),
    `[${printableLine(text)}]`,
  ]);
  const columns = [{ title: 'SINCE' }, { title: 'SESSION' }, { title: 'RECORD' }, { title: 'LABEL', flexible: 12 }];
  print(`${formatTable(columns, cells)}\n\n${dim(plural(rows.length, 'label'))}\n`);
}

const jsonOf = ({ session, record, text, time }: LabelRow): object => ({
  session_id: session,
  uuid: record,
  label: text,
  labeled_at: isoTime(time),
});

/** One line, without what a terminal would act on. */
export const labelText = (text: string): string => printableLine(text);
