import { existsSync } from 'node:fs';
import type { History } from '../history/index.ts';
import type { Search } from '../search/index.ts';
import { archivePath } from './data-place.ts';

/** What answers searches: everything is read. */
export async function openSearch(history: History): Promise<Search> {
  const { ScanSearch } = await import('../history/scan/scan-search.ts');
  return new ScanSearch(history.projects, { archive: existsSync(archivePath()) ? archivePath() : null });
}
