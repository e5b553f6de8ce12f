import type { Command } from 'commander';
import { type ThreadRow, threadRow } from '../../history/index.ts';
import { print } from '../../terminal/output.ts';
import { jsonThread } from '../../views/json/index.ts';
import { formatTime } from '../../views/text/format-time.ts';
import { printableLine } from '../../views/text/printable.ts';
import { cutToWidth } from '../../views/text/width.ts';
import { findSession } from '../find-session.ts';
import { addRootOption, type RootOptions } from '../options.ts';
import { type ListOptions, openOutput, writeList } from '../output.ts';
import { labelsByLeaf, labelsOf } from '../session-labels.ts';
import { NO_TITLE } from '../session-table.ts';
import { dim, formatNumber, formatTable, plural, shortRecordId } from '../table.ts';

const SUMMARY = 80;

interface Options extends RootOptions, ListOptions {
  readonly fullIds?: boolean;
}

export function define(command: Command): void {
  addRootOption(command)
    .argument('<id>', 'a session by its id (or a part of it), or a .jsonl file')
    .option('--full-ids', 'whole ids')
    .option('--json', 'as JSON')
    .option('--jsonl', 'as JSON, one thread per line')
    .addHelpText('after', '\nExamples:\n  skein threads 29ccd257\n  skein show 29ccd257 --thread LEAF')
    .action((id: string, options: Options) => run(id, options));
}

async function run(id: string, options: Options): Promise<void> {
  const session = findSession(id, options);
  const rows = session.threads.map(threadRow);
  if (options.json || options.jsonl) {
    writeList(openOutput(undefined), rows.map(jsonThread), rows.length, options);
    return;
  }
  const labels = await labelsOf(session);
  const byLeaf = labelsByLeaf(session.rootSegments, labels);
  const named = rows.map(({ leaf }) => byLeaf.get(leaf) ?? []);
  const title = cutToWidth(printableLine(session.title ?? NO_TITLE), SUMMARY);
  print(
    `${table(rows, named, session.id, options)}\n\n${dim(`${plural(rows.length, 'thread')} of ${printableLine(session.id)}: ${title}`)}\n`,
  );
}

function table(
  rows: readonly ThreadRow[],
  labels: readonly (readonly string[])[],
  session: string,
  { fullIds }: Options,
): string {
  const idOf = (id: string | null): string => (id === null ? '' : shortRecordId(id, session, fullIds));
  return formatTable(
    [
      { title: '' },
      { title: 'LEAF' },
      { title: 'LAST ACTIVITY', spare: 3 },
      { title: 'RECORDS', align: 'right', spare: 1 },
      { title: 'FORK', spare: 2 },
      { title: 'SUMMARY', flexible: 32, most: SUMMARY, cut: 'middle' },
    ],
    rows.map((row, i) => [
      row.isDefault ? '*' : '',
      idOf(row.leaf),
      formatTime(row.lastActivity),
      formatNumber(row.recordCount),
      idOf(row.fork),
      [...(labels[i] ?? []).map((label) => `[${label}]`), row.summary].map(printableLine).join(' '),
    ]),
  );
}
