import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { History } from '../history/index.ts';
import type { Search } from '../search/index.ts';
import { archivePath } from './data-place.ts';

/** What answers searches: everything is read. While somebody types, never in the thread that reads the keys. */
export async function openSearch(history: History, { isInteractive = false } = {}): Promise<Search> {
  const { ScanSearch } = await import('../history/scan/scan-search.ts');
  return new ScanSearch(history.projects, {
    archive: existsSync(archivePath()) ? archivePath() : null,
    ...(isInteractive ? { threads: availableParallelism() } : {}),
  });
}
