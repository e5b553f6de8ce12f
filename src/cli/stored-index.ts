import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { History, Project, SessionRow } from '../history/index.ts';
import type { IndexProgress } from '../ingest/index-projects.ts';
import type { IndexStore } from '../stores/index.ts';
import type { Ledger, PriceTable } from '../usage/index.ts';
import { dataFolder } from './data-place.ts';
import { showProgress } from './progress.ts';

const indexPath = (): string => join(dataFolder(), 'index.db');

/** Lists from the index: what the files would say, without reading one. */
export interface StoredLists {
  sessions(query: { readonly threads?: boolean; readonly prices: PriceTable }): Promise<SessionRow[]>;
  ledger(range: { readonly from: number; readonly to: number } | null): Promise<Ledger>;
}

/** Runs with the index, when it is up to date with the files; with null when they have to be read. */
export async function withIndex<T>(
  history: History,
  projects: readonly Project[],
  run: (lists: StoredLists | null) => Promise<T>,
): Promise<T> {
  const store = existsSync(indexPath()) ? await openCurrent({ projects }) : null;
  if (!store || history.projects.length === 0) return run(null);
  const { listStoredSessions, storedLedger } = await import('../ingest/stored-lists.ts');
  const paths = projects.map(({ path }) => path);
  try {
    return await run({
      sessions: (query) => listStoredSessions(store, { ...query, projects: paths }),
      ledger: (range) => storedLedger(store, { projects: paths, range }),
    });
  } finally {
    await store.close();
  }
}

/** An index that cannot be read, or says something else than the files, is as good as none. */
async function openCurrent(history: Pick<History, 'projects'>): Promise<IndexStore | null> {
  const { SqliteIndex } = await import('../stores/sqlite/index-db.ts');
  const { isCurrent } = await import('../ingest/index-projects.ts');
  let store: IndexStore | null = null;
  try {
    store = SqliteIndex.openToRead(indexPath());
    if (store && (await isCurrent(history, store))) return store;
  } catch {
    // Damaged: the next `skein index` notices and rebuilds it.
  }
  await store?.close();
  return null;
}

/** Brings the index up to date with the files. Only one process does so at a time: the one that holds the lock of the archive. */
export async function updateIndex(history: Pick<History, 'projects'>): Promise<void> {
  const { SqliteIndex } = await import('../stores/sqlite/index-db.ts');
  const { indexProjects } = await import('../ingest/index-projects.ts');
  const store = SqliteIndex.open(indexPath());
  try {
    const progress = showProgress('Indexing');
    const onProgress = ({ trees, treesDone, bytes, bytesDone }: IndexProgress): void =>
      progress.show({ files: treesDone, bytes: bytesDone, allFiles: trees, allBytes: bytes });
    const { problems } = await indexProjects(history, store, { onProgress }).finally(progress.end);
    for (const { message } of problems) process.stderr.write(`skein: ${message}\n`);
  } finally {
    await store.close();
  }
}

/** It is made again from what is left. */
export function dropIndex(): void {
  for (const end of ['', '-wal', '-shm', '.damaged']) rmSync(indexPath() + end, { force: true });
}
