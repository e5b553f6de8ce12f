import type { History } from '../history/index.ts';
import { isCurrent } from '../ingest/index-projects.ts';
import { SkeinError } from '../model/index.ts';
import type { IndexStore } from '../stores/index.ts';
import { SqliteIndex } from '../stores/sqlite/index-db.ts';

export interface Needed {
  /** One without full text is as good as none too. */
  readonly text?: boolean;
  /** Told that it is damaged. */
  readonly onDamage?: () => void;
}

/** An index that cannot be read, or says something else than the files, is as good as none. */
export async function openCurrentIndex(
  path: string,
  history: Pick<History, 'projects'>,
  { text = false, onDamage }: Needed = {},
): Promise<IndexStore | null> {
  let store: IndexStore | null = null;
  try {
    store = SqliteIndex.openToRead(path);
    if (store && (!text || (await store.hasText())) && (await isCurrent(history, store))) return store;
  } catch (error) {
    // The next `skein index` rebuilds it.
    if (error instanceof SkeinError && error.code === 'damaged') onDamage?.();
  }
  await store?.close();
  return null;
}
