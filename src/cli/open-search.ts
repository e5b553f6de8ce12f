import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { History } from '../history/index.ts';
import { hasWords, type Search } from '../search/index.ts';
import { archivePath } from './data-place.ts';
import { openIndexedSearch } from './stored-index.ts';

/**
 * What answers searches: the index for words, when it is up to date; otherwise everything is read. While somebody types, not in the
 * thread that reads the keys.
 */
export async function openSearch(history: History, { isInteractive = false } = {}): Promise<Search> {
  const { ScanSearch } = await import('../history/scan/scan-search.ts');
  const scan = new ScanSearch(history.projects, {
    archive: existsSync(archivePath()) ? archivePath() : null,
    ...(isInteractive ? { threads: availableParallelism() } : {}),
  });
  const indexed = await openIndexedSearch(history);
  if (!indexed) return scan;
  return {
    search: (request, run) => {
      const isForIndex = !request.pattern && (!request.clause || hasWords(request.clause));
      return (isForIndex ? indexed : scan).search(request, run);
    },
  };
}
