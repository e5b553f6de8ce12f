import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { History, HistoryOptions } from '../history/index.ts';
import { ScanSearch } from '../history/scan/scan-search.ts';
import { dataFolder } from '../ingest/data-home.ts';
import { readExclude } from '../ingest/exclude.ts';
import { IndexedSearch } from '../ingest/indexed-search.ts';
import { isLeftOut } from '../ingest/prompt-history.ts';
import { StoredReader } from '../ingest/stored-reader.ts';
import type { Search } from '../search/index.ts';
import { SqliteArchive } from '../stores/sqlite/index.ts';
import { chooseSearch } from './choose-search.ts';
import { openCurrentIndex } from './open-current-index.ts';

/** What `History.open` is told, so that it has the sessions too whose files are gone. */
export interface OpenArchive extends Required<Pick<HistoryOptions, 'archive' | 'isLeftOut'>> {
  close(): Promise<void>;
}

/** What `skein index` keeps in a folder, to be read; null when nothing was archived there yet. */
export function openArchive(folder: string = dataFolder()): OpenArchive | null {
  const path = join(folder, 'archive.db');
  if (!existsSync(path)) return null;
  const archive = SqliteArchive.openForReading(path);
  const leftOut = { tombstones: archive.forgotten(), exclude: readExclude(folder) };
  return {
    archive,
    isLeftOut: (agent, prompt) => isLeftOut(leftOut, agent, prompt),
    close: () => archive.close(),
  };
}

export interface OpenSearch extends Search {
  close(): Promise<void>;
}

/** Answers from the index that `skein index` makes in a folder, while nothing was written since; otherwise everything is read. */
export async function openSearch(history: History, folder: string = dataFolder()): Promise<OpenSearch> {
  const [index, archive] = [join(folder, 'index.db'), join(folder, 'archive.db')];
  const scan = new ScanSearch(history.projects, { archive: existsSync(archive) ? archive : null });
  const store = existsSync(index) ? await openCurrentIndex(index, history, { text: true }) : null;
  if (!store) return { search: (request, run) => scan.search(request, run), close: async () => {} };
  const both = chooseSearch(new IndexedSearch(new StoredReader(history.projects, store)), scan);
  return { search: both.search, close: () => store.close() };
}
