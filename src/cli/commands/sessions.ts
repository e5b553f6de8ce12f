import type { Command } from 'commander';
import { listSessions, type SessionRow, type ThreadRow, withRecovered } from '../../history/index.ts';
import { SkeinError } from '../../model/index.ts';
import { print } from '../../terminal/output.ts';
import { jsonSession, jsonThread } from '../../views/json/index.ts';
import { formatTime } from '../../views/text/format-time.ts';
import { printableLine } from '../../views/text/printable.ts';
import { parseRange, type RangeOptions } from '../dates.ts';
import { addRangeOptions, addRootOption, openHistory, type RootOptions, readCount } from '../options.ts';
import { type ListOptions, openOutput, writeList } from '../output.ts';
import { addPricesOption, openPrices, type PriceOptions } from '../prices.ts';
import { formatSessions, listed, sessionCells } from '../session-table.ts';
import { withIndex } from '../stored-index.ts';
import { dim, formatNumber, plural, shortRecordId } from '../table.ts';

interface Options extends RootOptions, ListOptions, RangeOptions, PriceOptions {
  readonly project?: string;
  readonly limit?: number;
  readonly allThreads?: boolean;
  readonly fullIds?: boolean;
}

const LIMIT = 20;

export function define(command: Command): void {
  addRangeOptions(addPricesOption(addRootOption(command)))
    .option('-p, --project <name>', 'only one project, by its name or path or a part of them')
    .option('--limit <count>', `so many at most (default: ${LIMIT}; as JSON all)`, readCount)
    .option('--all-threads', 'with the other threads of each session')
    .option('--full-ids', 'whole ids')
    .option('--json', 'as JSON')
    .option('--jsonl', 'as JSON, one session per line')
    .addHelpText('after', HELP)
    .action((options: Options) => run(options));
}

const HELP = `
Of sessions marked "(prompts only)" the agent deleted the log before it was archived; what was typed is recovered from its history.
Of those marked "(archived)" the log is gone from disk too, but the archive has it.
The newest come first; those that ended at the same time are in the order of their ids, and of their projects.

Days, in local time: 2026-11-02, 2026-11, today, yesterday, monday (the last one), 7d, 2w, 3m, "3 days ago", "this week", "last month".

Examples:
  skein sessions
  skein sessions -p app --since 2w
  skein sessions --on yesterday --all-threads
  skein sessions --json | jq -r '.items[] | [.session_id, .title] | @tsv'`;

async function run(options: Options): Promise<void> {
  const range = parseRange(options);
  const history = openHistory(options);
  const project = options.project === undefined ? undefined : history.findProject(options.project);
  const query = { threads: options.allThreads ?? false, prices: openPrices(options) };
  const asked = { ...query, ...(project ? { project } : {}), range };
  const rows = await withIndex(history, project ? [project] : history.projects, async (lists) => {
    const stored = await lists?.sessions({ ...query, range });
    return stored ? withRecovered(history, stored, asked) : listSessions(history, asked);
  });
  const isJson = options.json || options.jsonl;
  const shown = rows.slice(0, options.limit ?? (isJson ? rows.length : LIMIT));
  if (isJson) {
    writeList(openOutput(undefined), shown.map(jsonOf), rows.length, options);
    return;
  }
  if (rows.length === 0) throw new SkeinError('not_found', nothing(options, history.looked));
  const where = project ? ` in ${printableLine(project.path)}` : '';
  print(`${table(shown, options)}\n\n${dim(`${countOf(shown.length, rows.length)}${where}`)}\n`);
}

const jsonOf = (row: SessionRow): object =>
  row.threads.length > 0 ? { ...jsonSession(row), threads: row.threads.map(jsonThread) } : jsonSession(row);

const countOf = (shown: number, all: number): string =>
  shown === all
    ? plural(all, 'session')
    : `Showing ${formatNumber(shown)} of ${plural(all, 'session')}; --limit ${all} shows all`;

function nothing({ project, on, since, until }: Options, looked: readonly string[]): string {
  const when = on ?? [since && `since ${since}`, until && `until ${until}`].filter(Boolean).join(' ');
  const where = project === undefined ? `in ${looked.join(', ')}` : `in project '${project}'`;
  return `No sessions found ${where}${when ? ` (${when})` : ''}`;
}

function table(rows: readonly SessionRow[], { fullIds, allThreads }: Options): string {
  return formatSessions(
    rows.flatMap((row) => [
      sessionCells(listed(row), fullIds),
      ...(allThreads ? otherThreads(row).map((thread) => threadCells(thread, row, fullIds)) : []),
    ]),
  );
}

const threadCells = (thread: ThreadRow, { id }: SessionRow, isWhole = false): string[] => [
  formatTime(thread.lastActivity),
  `└─ ${shortRecordId(thread.id, id, isWhole)}`,
  printableLine(thread.summary),
  printableLine(thread.gitBranch ?? ''),
  '',
  formatNumber(thread.recordCount),
];

/** The session's own row stands for the thread that is shown first. */
const otherThreads = ({ threads }: SessionRow) => threads.filter(({ isDefault }) => !isDefault);
