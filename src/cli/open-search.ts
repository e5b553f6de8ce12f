import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { History } from '../history/index.ts';
import { chooseSearch } from '../library/choose-search.ts';
import { SkeinError } from '../model/index.ts';
import type { Search } from '../search/index.ts';
import { archivePath, indexPath } from './data-place.ts';
import { findHistory, type RootOptions } from './options.ts';
import { wantsText } from './settings.ts';
import { openIndexedSearch, tellDamagedIndex } from './stored-index.ts';

/**
 * What answers searches: the index for words, brought up to date first where there is one; otherwise everything is read. While somebody
 * types, not in the thread that reads the keys.
 */
export async function openSearch(
  history: History,
  options: RootOptions,
  { isInteractive = false } = {},
): Promise<Search> {
  const { ScanSearch } = await import('../history/scan/scan-search.ts');
  const scan = new ScanSearch(history.projects, {
    archive: existsSync(archivePath()) ? archivePath() : null,
    ...(isInteractive ? { threads: availableParallelism() } : {}),
  });
  const how = { inThreads: isInteractive };
  const indexed = (await openIndexedSearch(history, how)) ?? (await openRefreshed(options, how));
  return indexed ? chooseSearch(indexed, scan, tellDamagedIndex) : scan;
}

/** Somebody who keeps an index wants it used; what was written since the last time is little. Other folders are not taken into it unasked. */
async function openRefreshed(options: RootOptions, how: { inThreads: boolean }): Promise<Search | null> {
  if (options.root || !existsSync(indexPath()) || (await wantsText()) === false) return null;
  const { bringUpToDate } = await import('./bring-up-to-date.ts');
  try {
    await bringUpToDate(options);
  } catch (error) {
    // Another Skein writes, or the folder cannot be written to: then everything is read.
    if (error instanceof SkeinError) return null;
    throw error;
  }
  return openIndexedSearch(findHistory(options), how);
}
