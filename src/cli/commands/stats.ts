import { type Command, Option } from 'commander';
import type { Project, TimeRange } from '../../history/index.ts';
import { SkeinError } from '../../model/index.ts';
import { Ledger, type PriceTable, type Response, readModelName, type UsageSum } from '../../usage/index.ts';
import { jsonUsageSum } from '../../views/json/index.ts';
import { formatDay } from '../../views/text/format-time.ts';
import { printableLine } from '../../views/text/printable.ts';
import { parseRange, type RangeOptions } from '../dates.ts';
import { addRangeOptions, addRootOption, openHistory, type RootOptions } from '../options.ts';
import { addPricesOption, openPrices, type PriceOptions } from '../prices.ts';
import { withIndex } from '../stored-index.ts';
import { dim, formatCost, formatNumber, formatTable, plural } from '../table.ts';

interface Options extends RootOptions, RangeOptions, PriceOptions {
  readonly project?: string;
  readonly by: keyof typeof GROUPS;
  readonly json?: boolean;
  readonly csv?: boolean;
}

export function define(command: Command): void {
  addRangeOptions(addPricesOption(addRootOption(command)))
    .addOption(
      new Option('--by <what>', 'one row per day, model, project or session')
        .choices(Object.keys(GROUPS))
        .default('day'),
    )
    .option('-p, --project <name>', 'only one project, by its name or path or a part of them')
    .option('--json', 'as JSON')
    .option('--csv', 'as a table for spreadsheets')
    .addHelpText('after', HELP)
    .action((options: Options) => run(options));
}

const HELP = `
Tokens count once per response, over forks, resumed sessions and sub-agents. Costs are list prices; a model without a known price is
named, and never taken for free.

Examples:
  skein stats
  skein stats --by model --since "30 days ago"
  skein stats --by session -p app --csv > usage.csv`;

/** What a row is about; `order` sorts the rows. */
const GROUPS = {
  day: { title: 'DAY', of: ({ time }: Response) => formatDay(time) || '(no time)', order: 'name' },
  model: { title: 'MODEL', of: ({ usage }: Response) => usage.model, order: 'cost' },
  project: { title: 'PROJECT', of: ({ project }: Response) => project, order: 'cost' },
  session: { title: 'SESSION', of: ({ session }: Response) => session || '(no session)', order: 'cost' },
} as const;

interface Row {
  readonly group: string;
  readonly sum: UsageSum;
}

async function run(options: Options): Promise<void> {
  const table = openPrices(options);
  const history = openHistory(options);
  const titles = new Map<string, string>();
  const chosen = options.project === undefined ? history.projects : [history.findProject(options.project)];
  const range = parseRange(options);
  const ledger = await withIndex(history, chosen, async (lists) => {
    if (!lists) return collect(chosen, range, options, titles);
    if (options.by === 'session')
      for (const { id, title } of (await lists.sessions({ prices: table })) ?? []) titles.set(id, title ?? '');
    return lists.ledger(range);
  });
  const { of, order } = GROUPS[options.by];
  const rows = [...ledger.sumBy(of, table)].map(([group, sum]) => ({ group, sum }));
  rows.sort((a, b) =>
    order === 'name'
      ? a.group < b.group
        ? 1
        : -1
      : b.sum.knownCostUsd - a.sum.knownCostUsd || (a.group < b.group ? -1 : 1),
  );
  const total = ledger.sum(table);
  if (options.json) process.stdout.write(`${JSON.stringify(jsonOf(rows, total, options, table, titles), null, 2)}\n`);
  else if (options.csv) process.stdout.write(csvOf(rows, options));
  else if (total.responses === 0) throw new SkeinError('not_found', `No usage found in ${history.looked.join(', ')}`);
  else process.stdout.write(render(rows, total, options, table, titles));
}

/** One project after the other, so that memory holds one of them; their responses are counted over all. */
function collect(
  projects: readonly Project[],
  range: TimeRange | null,
  options: Options,
  titles: Map<string, string>,
): Ledger {
  const ledger = new Ledger();
  for (const project of projects) {
    for (const logs of project.logs)
      for (const record of logs.read().tree.allRecords())
        if (isInside(record.time, range)) ledger.add(record, project.path);
    if (options.by === 'session') for (const session of project.sessions()) titles.set(session.id, session.title ?? '');
    project.close();
  }
  return ledger;
}

const isInside = (time: number | null, range: TimeRange | null): boolean =>
  range === null || (time !== null && time >= range.from && time < range.to);

function jsonOf(
  rows: readonly Row[],
  total: UsageSum,
  { by }: Options,
  table: PriceTable,
  titles: ReadonlyMap<string, string>,
): object {
  return {
    totals: jsonUsageSum(total),
    items: rows.map(({ group, sum }) => ({
      [by === 'session' ? 'session_id' : by]: group,
      ...(by === 'session' ? { title: titles.get(group) ?? null } : {}),
      ...jsonUsageSum(sum),
    })),
    by,
    prices: table.date,
  };
}

const COLUMNS = [
  'responses',
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'cache_creation_tokens',
  'cost_usd',
] as const;

function csvOf(rows: readonly Row[], { by }: Options): string {
  const lines = rows.map(({ group, sum }) => {
    const json = jsonUsageSum(sum);
    return [group, ...COLUMNS.map((column) => `${json[column] ?? ''}`)];
  });
  return [[by, ...COLUMNS], ...lines].map((cells) => `${cells.map(csvCell).join(',')}\n`).join('');
}

/** Spreadsheets run what begins like a formula. */
function csvCell(text: string): string {
  const safe = /^[=+@\t\r-]/.test(text) && !/^-?[\d.]+$/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function render(
  rows: readonly Row[],
  total: UsageSum,
  options: Options,
  table: PriceTable,
  titles: ReadonlyMap<string, string>,
): string {
  const { title } = GROUPS[options.by];
  const isSession = options.by === 'session';
  const cells = (name: string, sum: UsageSum, about = ''): string[] => [
    name,
    ...(isSession ? [about] : []),
    formatNumber(sum.responses),
    formatNumber(sum.input),
    formatNumber(sum.output),
    formatNumber(sum.cacheRead),
    formatNumber(sum.cacheWrite),
    formatCost(sum),
  ];
  const nameOf = (group: string): string => {
    if (isSession) return printableLine(group).slice(0, 8);
    if (options.by === 'model') return printableLine(readModelName(group).label);
    return printableLine(group);
  };
  const right = (name: string) => ({ title: name, align: 'right' as const });
  const columns = [
    { title, ...(isSession ? {} : { flexible: true }) },
    ...(isSession ? [{ title: 'TITLE', flexible: true }] : []),
    right('RESPONSES'),
    right('INPUT'),
    right('OUTPUT'),
    right('CACHE READ'),
    right('CACHE WRITE'),
    right('COST'),
  ];
  const body = rows.map(({ group, sum }) =>
    cells(nameOf(group), sum, printableLine(titles.get(group) ?? '').slice(0, 80)),
  );
  const unknown = total.unknownModels.map(printableLine).join(', ');
  const notes = [
    `${plural(rows.length, options.by)}; list prices of ${table.date}`,
    ...(unknown ? [`No price is known for ${unknown}: costs marked + do not contain them (--prices FILE)`] : []),
  ];
  return `${formatTable(columns, [...body, cells('Total', total)])}\n\n${dim(notes.join('\n'))}\n`;
}
