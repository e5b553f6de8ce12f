import { type Command, Option } from 'commander';
import { type Project, type TimeRange, withRecovered } from '../../history/index.ts';
import { SkeinError } from '../../model/index.ts';
import { print } from '../../terminal/output.ts';
import { Ledger } from '../../usage/index.ts';
import { jsonText } from '../../views/json/index.ts';
import { parseRange, type RangeOptions } from '../dates.ts';
import { addRangeOptions, addRootOption, openHistory, type RootOptions } from '../options.ts';
import { addPricesOption, openPrices, type PriceOptions } from '../prices.ts';
import { drawStats } from '../stats/draw-stats.ts';
import { BY, type RowOptions, rowsOf, StatsSessions } from '../stats/rows.ts';
import { csvStats, jsonStats } from '../stats/write-stats.ts';
import { withIndex } from '../stored-index.ts';

interface Options extends RootOptions, RangeOptions, PriceOptions, RowOptions {
  readonly project?: string;
  readonly json?: boolean;
  readonly csv?: boolean;
}

export function define(command: Command): void {
  addRangeOptions(addPricesOption(addRootOption(command)))
    .addOption(
      new Option('--by <what>', 'one row per day, week, month, model, project or session').choices(BY).default('day'),
    )
    .option('--breakdown', 'with the models of each row')
    .option('-p, --project <name>', 'only one project, by its name or path or a part of them')
    .option('--json', 'as JSON')
    .option('--csv', 'as a table for spreadsheets')
    .addHelpText('after', HELP)
    .action((options: Options) => run(options));
}

const HELP = `
Tokens count once per response, over forks, resumed sessions and sub-agents. Costs are list prices; a model without a known price is
named, and never taken for free. Weeks begin on Monday and are numbered as in ISO 8601; days, weeks and months are in local time.
A session that is in two projects has a row for each.

Examples:
  skein stats
  skein stats --by week --breakdown
  skein stats --by model --since 30d
  skein stats --by session -p app --csv > usage.csv`;

async function run(options: Options): Promise<void> {
  const { by, breakdown = false } = options;
  if (breakdown && by === 'model')
    throw new SkeinError(
      'bad_input',
      '--breakdown shows the models of each row: leave it out, or leave out --by model',
    );
  const table = openPrices(options);
  const history = openHistory(options);
  const sessions = new StatsSessions();
  const project = options.project === undefined ? undefined : history.findProject(options.project);
  const chosen = project ? [project] : history.projects;
  const range = parseRange(options);
  const ledger = await withIndex(history, chosen, async (lists) => {
    if (!lists) return collect(chosen, range, options, sessions);
    if (by === 'session')
      for (const { id, title, endedAt, project } of (await lists.sessions({ prices: table })) ?? [])
        sessions.add({ id, title, endedAt, project: project.path });
    return lists.ledger(range);
  });
  if (by === 'session')
    for (const { id, title, endedAt, project: at } of withRecovered(history, [], project ? { project } : {}))
      if (!sessions.has(id)) sessions.add({ id, title, endedAt, project: at.path });
  const rows = rowsOf(ledger, options, sessions, table);
  const stats = { by, rows, total: ledger.sum(table), prices: table.date, sessions };
  if (rows.length === 0) process.exitCode = 1;
  if (options.json) print(`${jsonText(jsonStats(stats, breakdown), 2)}\n`);
  else if (options.csv) print(csvStats(stats, breakdown));
  else if (rows.length === 0) throw new SkeinError('not_found', `No usage found in ${history.looked.join(', ')}`);
  else print(drawStats(stats));
}

/** One project after the other, so that memory holds one of them; their responses are counted over all. */
function collect(
  projects: readonly Project[],
  range: TimeRange | null,
  { by }: Options,
  sessions: StatsSessions,
): Ledger {
  const ledger = new Ledger();
  for (const project of projects) {
    for (const logs of project.logs)
      for (const record of logs.read().tree.allRecords())
        ledger.add(record, project.path, (time) => isInside(time, range));
    if (by === 'session')
      for (const { id, title, facts } of project.sessions())
        sessions.add({ id, title, endedAt: facts.endedAt, project: project.path });
    project.close();
  }
  return ledger;
}

const isInside = (time: number | null, range: TimeRange | null): boolean =>
  range === null || (time !== null && time >= range.from && time < range.to);
