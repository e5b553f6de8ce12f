import { type PriceTable, shippedPrices, sumRecords, type UsageSum } from '../usage/index.ts';
import type { History } from './history.ts';
import type { Project } from './project.ts';
import type { Session, Thread } from './session.ts';

/** Epoch milliseconds, from inclusive, to exclusive. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

interface RowOptions {
  /** With one row per thread in `SessionRow.threads`. */
  readonly threads?: boolean;
  readonly prices?: PriceTable;
}

export interface SessionQuery extends RowOptions {
  readonly project?: Project;
  /** Sessions of which a record falls into the range. */
  readonly range?: TimeRange | null;
}

/** What lists say about a session. It holds nothing of the logs, so that thousands can be held. */
export interface SessionRow {
  readonly id: string;
  readonly project: { readonly id: string; readonly path: string };
  readonly agent: string;
  readonly title: string | null;
  readonly cwd: string | null;
  readonly gitBranch: string | null;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly recordCount: number;
  readonly threadCount: number;
  /** Extracted messages, sub-agents included. */
  readonly messageCount: number;
  readonly files: readonly string[];
  /** Sub-agents included, hidden ones too. */
  readonly usage: UsageSum;
  /** The session is gone; only what was typed is left of it. */
  readonly recovered?: true;
  /** None of its files lies on disk any more. */
  readonly archived?: true;
  /** Newest first; empty unless asked for. */
  readonly threads: readonly ThreadRow[];
}

export interface ThreadRow {
  readonly id: string;
  readonly leaf: string;
  readonly resumeId: string;
  readonly summary: string;
  readonly recordCount: number;
  readonly lastActivity: number | null;
  readonly gitBranch: string | null;
  readonly fork: string | null;
  readonly isDefault: boolean;
}

/** Project by project, each forgotten after its rows were given: memory holds one of them. */
export function* eachSession(history: History, query: SessionQuery = {}): Generator<SessionRow> {
  for (const project of query.project ? [query.project] : history.projects) {
    for (const session of project.sessions()) {
      if (query.range && !fallsInto(session, query.range)) continue;
      yield sessionRow(session, query);
    }
    project.close();
  }
}

/** Newest first; with those of which only the prompts are left. */
export const listSessions = (history: History, query: SessionQuery = {}): SessionRow[] =>
  withRecovered(history, [...eachSession(history, query)], query);

/** Rows of sessions that are there, and those of which only the prompts are left. */
export function withRecovered(history: History, rows: readonly SessionRow[], query: SessionQuery = {}): SessionRow[] {
  const { project, ...asked } = query;
  const listed = new Set(rows.map(({ id }) => id));
  const isArchived = archivedIn(history.projects);
  const there = rows.map((row) =>
    isArchived(row.project.path, row.files) ? { ...row, archived: true as const } : row,
  );
  const recovered = history.recovered
    .filter(({ path }) => !project || project.path === path)
    .flatMap((each) => [...eachSession(history, { ...asked, project: each })]);
  return [...there, ...recovered.filter(({ id }) => !listed.has(id))].sort(newestFirst);
}

/** Whether only the archive still has these files of a project. */
export function archivedIn(projects: readonly Project[]): (path: string, files: readonly string[]) => boolean {
  const gone = new Map(
    projects.map(({ path, files }) => [path, new Set(files.flatMap(({ facts, kept }) => (kept ? facts.id : [])))]),
  );
  return (path, files) => files.length > 0 && files.every((file) => gone.get(path)?.has(file));
}

/** Of those that ended at the same time by id, then by project and agent: an id may be in two projects, wherever they come from. */
export const newestFirst = (a: SessionRow, b: SessionRow): number =>
  (b.endedAt ?? 0) - (a.endedAt ?? 0) ||
  inOrder(a.id, b.id) ||
  inOrder(a.project.path, b.project.path) ||
  inOrder(a.agent, b.agent);

const inOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export function sessionRow(session: Session, { threads = false, prices = shippedPrices }: RowOptions = {}): SessionRow {
  const { facts, project } = session;
  return {
    id: session.conceal(session.id),
    project: { id: session.conceal(project.id), path: session.conceal(project.path) },
    agent: session.agent,
    title: session.title,
    cwd: facts.cwd === null ? null : session.conceal(facts.cwd),
    gitBranch: facts.gitBranch === null ? null : session.conceal(facts.gitBranch),
    startedAt: facts.startedAt,
    endedAt: facts.endedAt,
    recordCount: facts.recordCount,
    threadCount: facts.threads.length,
    messageCount: session.messageCount,
    files: session.files.map((file) => session.conceal(file)),
    usage: sumRecords(session.allRecords(), prices),
    ...(project.isRecovered ? { recovered: true } : {}),
    threads: threads ? session.threads.map(threadRow) : [],
  };
}

export const threadRow = (thread: Thread): ThreadRow => ({
  id: thread.id,
  leaf: thread.facts.leaf,
  resumeId: thread.facts.resumeId,
  summary: thread.summary,
  recordCount: thread.facts.recordCount,
  lastActivity: thread.lastUpdatedAt,
  gitBranch: thread.facts.gitBranch === null ? null : thread.session.conceal(thread.facts.gitBranch),
  fork: thread.facts.fork,
  isDefault: thread.session.facts.defaultThread === thread.id,
});

function fallsInto(session: Session, { from, to }: TimeRange): boolean {
  const { startedAt, endedAt, subagents } = session.facts;
  if (startedAt === null || endedAt === null) return false;
  const isInside = (time: number | null): boolean => time !== null && time >= from && time < to;
  for (const record of session.records())
    if (isInside(record.time) || record.lines.some((line) => isInside(line.time))) return true;
  return subagents.some((subagent) => {
    if (subagent.hidden) return false;
    for (const record of session.subagentRecords(subagent)) if (isInside(record.time)) return true;
    return false;
  });
}
