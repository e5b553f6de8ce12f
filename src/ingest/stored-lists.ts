import { joinPrompts, newestFirst, type SessionRow, type ThreadRow, type TimeRange } from '../history/index.ts';
import type { IndexStore, StoredSession } from '../stores/index.ts';
import { Ledger, type PriceTable, shippedPrices, sumGroups, type UsageGroup } from '../usage/index.ts';

import { PAUSE } from './session-sums.ts';

export interface StoredListQuery {
  /** Paths of projects; all without it. */
  readonly projects?: readonly string[];
  readonly range?: TimeRange | null;
  readonly threads?: boolean;
  readonly prices?: PriceTable;
}

/** Of a range that is shorter than the pauses that are kept a session might be listed that paused just then. */
export const isTold = (range: TimeRange | null): boolean => range === null || range.to - range.from >= PAUSE;

/** What `listSessions` gives of the sessions that are there, without reading a log; see `isTold`. */
export async function listStoredSessions(store: IndexStore, query: StoredListQuery = {}): Promise<SessionRow[]> {
  const { prices = shippedPrices, ...asked } = query;
  return (await store.sessions(asked)).map((session) => rowOf(session, prices)).sort(newestFirst);
}

const rowOf = (session: StoredSession, prices: PriceTable): SessionRow => ({
  id: session.id,
  project: { id: session.project.id, path: session.project.path },
  agent: session.agent,
  title: session.title,
  cwd: session.cwd,
  gitBranch: session.gitBranch,
  startedAt: session.startedAt,
  endedAt: session.endedAt,
  recordCount: session.recordCount,
  threadCount: session.threadCount,
  messageCount: session.messageCount,
  files: session.files,
  usage: sumGroups(session.usage as readonly UsageGroup[], prices),
  threads: session.threads.map(threadOf),
});

const threadOf = ({ summary, ...thread }: StoredSession['threads'][number]): ThreadRow => ({
  ...thread,
  summary: typeof summary === 'string' ? summary : joinPrompts(...summary),
});

/** Every response, each once, as `skein stats` counts them. */
export async function storedLedger(
  store: IndexStore,
  query: Pick<StoredListQuery, 'projects' | 'range'> = {},
): Promise<Ledger> {
  const ledger = new Ledger();
  for (const response of await store.usages(query)) ledger.addResponse(response);
  return ledger;
}
