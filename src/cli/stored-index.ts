import { existsSync, rmSync } from 'node:fs';
import type { History, Project, SessionRow, TimeRange } from '../history/index.ts';
import type { Ingesting } from '../ingest/index.ts';
import type { IndexProgress } from '../ingest/index-projects.ts';
import { SkeinError } from '../model/index.ts';
import type { Search } from '../search/index.ts';
import type { IndexStore } from '../stores/index.ts';
import { warn } from '../terminal/output.ts';
import type { Ledger, PriceTable } from '../usage/index.ts';
import { archivePath, indexPath } from './data-place.ts';
import { withoutOmitted } from './omit-files.ts';
import { showProgress } from './progress.ts';
import { wantsText } from './settings.ts';

/** Lists from the index: what the files would say, without reading one. */
export interface StoredLists {
  /** Null where the index cannot tell: for a range shorter than the pauses it keeps. */
  sessions(query: SessionsQuery): Promise<SessionRow[] | null>;
  ledger(range: TimeRange | null): Promise<Ledger>;
}

interface SessionsQuery {
  readonly threads?: boolean;
  readonly prices: PriceTable;
  readonly range?: TimeRange | null;
}

/** Runs with the index, when it is up to date with the files; with null when they have to be read. */
export async function withIndex<T>(
  history: History,
  projects: readonly Project[],
  run: (lists: StoredLists | null) => Promise<T>,
): Promise<T> {
  const store = existsSync(indexPath()) ? await openCurrent({ projects }) : null;
  if (!store || history.projects.length === 0) return run(null);
  const { isTold: isKnown, listStoredSessions, storedLedger } = await import('../ingest/stored-lists.ts');
  const paths = projects.map(({ path }) => path);
  try {
    return await run({
      sessions: async (query) =>
        isKnown(query.range ?? null) ? listStoredSessions(store, { ...query, projects: paths }) : null,
      ledger: (range) => storedLedger(store, { projects: paths, range }),
    });
  } catch (error) {
    if (!(error instanceof SkeinError) || error.code !== 'damaged') throw error;
    tellDamagedIndex();
  } finally {
    await store.close();
  }
  return run(null);
}

/** Once is enough: everything else is read from the logs then. */
export function tellDamagedIndex(): void {
  if (isTold) return;
  isTold = true;
  warn(`${indexPath()} is damaged; the logs are read instead, and "skein index" rebuilds it`);
}

let isTold = false;

/** The full text of the index, when it is up to date with the files. `inThreads`: for many searches, none of them in this thread. */
export async function openIndexedSearch(history: History, { inThreads = false } = {}): Promise<Search | null> {
  const store = existsSync(indexPath()) && history.projects.length > 0 ? await openCurrent(history, true) : null;
  if (!store) return null;
  const { IndexedSearch } = await import('../ingest/indexed-search.ts');
  const paths = new Set(history.projects.map(({ path }) => path));
  const isWider = (await store.trees()).some(({ project }) => !paths.has(project.path));
  const projects = isWider ? [...paths] : undefined;
  if (inThreads) {
    await store.close();
    const { ReaderPool } = await import('../ingest/reader-pool.ts');
    const archive = existsSync(archivePath()) ? archivePath() : null;
    return new IndexedSearch(new ReaderPool(history.projects, { index: indexPath(), archive }), projects);
  }
  const { StoredReader } = await import('../ingest/stored-reader.ts');
  return new IndexedSearch(new StoredReader(history.projects, store), projects);
}

async function openCurrent(history: Pick<History, 'projects'>, text = false): Promise<IndexStore | null> {
  const { openCurrentIndex } = await import('../library/open-current-index.ts');
  return openCurrentIndex(indexPath(), history, { text, onDamage: tellDamagedIndex });
}

/**
 * Brings the index up to date with the files, while they are being archived. Only one process does so at a time: the one that holds the
 * lock of the archive. An index that bears the stamp of the files, as they were before they were looked for, is up to date.
 */
export async function updateIndex(
  find: () => Pick<History, 'projects'>,
  ingesting: Ingesting,
  { verify = false } = {},
): Promise<void> {
  try {
    await bringUp(find, ingesting, verify ? null : ingesting.stamp);
    if (verify) await compareWithLogs(() => bringUp(find, ingesting, null, true));
  } catch (error) {
    if (error instanceof SkeinError ? error.code !== 'damaged' : !isUndecodable(error)) throw error;
    // Unless it was the archive, which tells it itself.
    await ingesting.end;
    warn(`${indexPath()} was damaged; it is rebuilt`);
    await bringUp(find, ingesting, null, true);
  }
}

/** Makes the index anew and tells when it says something else than before of the same bytes. */
async function compareWithLogs(rebuild: () => Promise<void>): Promise<void> {
  const before = await contentNow();
  await rebuild();
  const after = await contentNow();
  // A log that grew meanwhile says something else by itself.
  if (before.files === after.files && before.digest !== after.digest)
    warn(`${indexPath()} did not say what the logs say; it is rebuilt`);
}

/** Not refused by the system: something that was read from the index could not be unpacked. */
const isUndecodable = (error: unknown): boolean =>
  error instanceof Error && !('syscall' in error) && existsSync(indexPath());

interface IndexContent {
  /** Of everything the index says. */
  readonly digest: string;
  /** Which bytes it has read. */
  readonly files: string;
}

/** Opened as for writing: who only reads leaves the files that SQLite puts beside it. */
async function contentNow(): Promise<IndexContent> {
  const { SqliteIndex } = await import('../stores/sqlite/index-db.ts');
  const store = SqliteIndex.open(indexPath(), { text: await wantsText() });
  try {
    const files = (await store.files()).map(({ path, size, modified }) => [path, size, modified]);
    return { digest: await store.digest(), files: JSON.stringify(files.sort()) };
  } finally {
    await store.close();
  }
}

async function bringUp(
  find: () => Pick<History, 'projects'>,
  { whenSaved, whenBegun, generationOf, threads, saving, end }: Ingesting,
  stamp: string | null,
  anew = false,
): Promise<void> {
  const { SqliteIndex } = await import('../stores/sqlite/index-db.ts');
  const store = SqliteIndex.open(indexPath(), { text: await wantsText(), anew });
  try {
    if (stamp !== null && (await store.stamp()) === stamp) return;
    const { indexProjects } = await import('../ingest/index-projects.ts');
    const progress = showProgress('Indexing', 'projects');
    // Until then its own line is there.
    let isArchived = false;
    end.then(
      () => {
        isArchived = true;
      },
      () => undefined,
    );
    const onProgress = ({ trees, treesDone, bytes, bytesDone }: IndexProgress): void => {
      if (isArchived) progress.show({ files: treesDone, bytes: bytesDone, allFiles: trees, allBytes: bytes });
    };
    const history = await withoutOmitted(find());
    const options = { generationOf, whenSaved, whenBegun, beside: threads, saving, onProgress };
    const { problems } = await indexProjects(history, store, options).finally(progress.end);
    for (const { message } of problems) warn(message);
    await end;
    if (stamp !== null && problems.length === 0) await store.setStamp(stamp);
  } finally {
    await store.close();
  }
}

/** It is made again from what is left. */
export function dropIndex(): void {
  // Also one that was being rebuilt.
  for (const path of [indexPath(), `${indexPath()}.next`])
    for (const end of ['', '-wal', '-shm', '.damaged']) rmSync(path + end, { force: true });
}
