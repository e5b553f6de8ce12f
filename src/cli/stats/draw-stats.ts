import { basename } from 'node:path';
import { readModelName, type UsageSum } from '../../usage/index.ts';
import { formatTime } from '../../views/text/format-time.ts';
import { printableLine } from '../../views/text/printable.ts';
import type { Column } from '../fit-columns.ts';
import { NO_TITLE } from '../session-table.ts';
import { dim, formatCost, formatNumber, formatTable, plural, shortId } from '../table.ts';
import type { By, Row, StatsSessions } from './rows.ts';

export const NO_SESSION = '(agents without a session)';

export interface Stats {
  readonly by: By;
  readonly rows: readonly Row[];
  readonly total: UsageSum;
  /** When the prices were collected. */
  readonly prices: string;
  /** All there are; only where rows are sessions. */
  readonly sessions: StatsSessions;
}

export function drawStats(stats: Stats): string {
  const { by, rows, total } = stats;
  const line = (name: string, sum: UsageSum, about = ['', '', '']): string[] => [
    name,
    ...(by === 'session' ? about : []),
    ...[sum.responses, sum.input, sum.output, sum.cacheRead, sum.cacheWrite].map(formatNumber),
    formatCost(sum),
  ];
  const body = rows.flatMap(({ group, sum, models }) => [
    line(nameOf(group, stats), sum, aboutSession(group, stats)),
    ...models.map(({ model, sum: own }) => line(`└─ ${modelLabel(model)}`, own)),
  ]);
  const table = formatTable(columnsOf(by), [...body, line('Total', total)]);
  return `${table}\n\n${dim(notesOf(stats).join('\n'))}\n`;
}

function nameOf(group: string | null, { by, sessions }: Stats): string {
  if (group === null) return '';
  if (by === 'session') return shortId(sessions.of(group)?.id ?? '');
  return by === 'model' ? modelLabel(group) : printableLine(group);
}

const modelLabel = (model: string): string => printableLine(readModelName(model).label);

function aboutSession(group: string | null, { sessions }: Stats): string[] {
  const session = sessions.of(group);
  if (!session) return [NO_SESSION, '', ''];
  const { title, endedAt, project } = session;
  return [printableLine(title ?? NO_TITLE), formatTime(endedAt), printableLine(basename(project))];
}

const columnsOf = (by: By): Column[] => [
  ...(by === 'session' ? SESSION : [groupColumn(by)]),
  { title: 'RESPONSES', align: 'right', spare: 1 },
  { title: 'INPUT', align: 'right', spare: 4 },
  { title: 'OUTPUT', align: 'right', spare: 5 },
  { title: 'CACHE READ', align: 'right', spare: 3 },
  { title: 'CACHE WRITE', align: 'right', spare: 2 },
  { title: 'COST', align: 'right' },
];

const groupColumn = (by: By): Column => ({
  title: by.toUpperCase(),
  flexible: 24,
  cut: by === 'project' ? 'start' : 'middle',
});

const SESSION: readonly Column[] = [
  { title: 'SESSION' },
  { title: 'TITLE', flexible: 26, most: 80 },
  { title: 'LAST ACTIVITY', spare: 7 },
  { title: 'PROJECT', most: 16, spare: 6 },
];

function notesOf({ by, rows, total, prices, sessions }: Stats): string[] {
  const count = rows.filter(({ group }) => group !== null).length;
  const what =
    by === 'session' ? `${formatNumber(count)} of ${plural(sessions.size, 'session')} used tokens` : plural(count, by);
  const unknown = total.unknownModels.map(printableLine).join(', ');
  return [
    `${what}; list prices of ${prices}`,
    ...(unknown ? [`No price is known for ${unknown}: costs marked + do not contain them (--prices FILE)`] : []),
  ];
}
