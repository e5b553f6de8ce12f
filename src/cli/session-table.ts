import { basename } from 'node:path';
import type { SessionRow } from '../history/index.ts';
import { formatTime } from '../views/text/format-time.ts';
import { printableLine } from '../views/text/printable.ts';
import { formatCost, formatNumber, formatTable, shortId } from './table.ts';

/** What every list says about a session. */
export interface ListedSession {
  readonly id: string;
  readonly title: string | null;
  /** Only its prompts are left. */
  readonly recovered?: boolean;
  /** Only the archive still has it. */
  readonly archived?: boolean;
  readonly endedAt: number | null;
  readonly branch: string | null;
  /** Path of its project. */
  readonly project: string;
  readonly records: number;
  readonly threads: number;
  readonly cost: string;
}

/** A row of the library. */
export const listed = (row: SessionRow): ListedSession => ({
  id: row.id,
  title: row.title,
  recovered: row.recovered ?? false,
  archived: row.archived ?? false,
  endedAt: row.endedAt,
  branch: row.gitBranch,
  project: row.project.path,
  records: row.recordCount,
  threads: row.threadCount,
  cost: formatCost(row.usage),
});

export const NO_TITLE = '(no title)';

export const sessionName = ({
  title,
  recovered,
  archived,
}: Pick<ListedSession, 'title' | 'recovered' | 'archived'>): string =>
  `${recovered ? '(prompts only) ' : archived ? '(archived) ' : ''}${printableLine(title ?? NO_TITLE)}`;

/** The cells of one row. */
export const sessionCells = (session: ListedSession, isWhole = false): string[] => [
  formatTime(session.endedAt),
  shortId(session.id, isWhole),
  sessionName(session),
  printableLine(session.branch ?? ''),
  printableLine(basename(session.project)),
  formatNumber(session.records),
  session.threads > 1 ? formatNumber(session.threads) : '',
  session.cost,
];

export const formatSessions = (rows: readonly (readonly string[])[]): string =>
  formatTable(
    [
      { title: 'LAST ACTIVITY' },
      { title: 'SESSION' },
      { title: 'TITLE', flexible: 24, most: 80 },
      { title: 'BRANCH', most: 20, spare: 1 },
      { title: 'PROJECT', most: 16, spare: 2 },
      { title: 'RECORDS', align: 'right', spare: 3 },
      { title: 'THREADS', align: 'right', spare: 4 },
      { title: 'COST', align: 'right', spare: 5 },
    ],
    rows,
  );
