import type { StoredTrees } from '../history/index.ts';
import { storedTrees } from '../ingest/stored-trees.ts';
import { SkeinError } from '../model/index.ts';
import { recallFormat } from '../sources/index.ts';
import { SqliteIndex } from '../stores/sqlite/index-db.ts';
import { markDamaged } from '../stores/sqlite/open-index.ts';
import { indexPath } from './data-place.ts';
import { tellDamagedIndex } from './stored-index.ts';

/** An index that cannot be read is as good as none. */
export function openTrees(): StoredTrees | null {
  try {
    const index = SqliteIndex.openToRead(indexPath());
    return index && whileSound(storedTrees(index));
  } catch {
    return null;
  }
}

/** Damage that is met later: the files are read then, and the next `skein index` rebuilds it. */
const whileSound = (trees: StoredTrees): StoredTrees => ({
  tree: (place) => orNull(() => trees.tree(place)),
  names: (place) => orNull(() => trees.names(place)),
});

function orNull<T>(ask: () => T | null): T | null {
  try {
    return ask();
  } catch (error) {
    // What its store does not unpack itself may be damaged too.
    if (!(error instanceof SkeinError)) markDamaged(indexPath());
    if (!(error instanceof SkeinError) || error.code === 'damaged') tellDamagedIndex();
    return null;
  }
}

let isRecalled = false;

/** Whose the files are that were indexed: those that did not change since need not be opened to be told. */
export function recallFormats(): void {
  if (isRecalled) return;
  isRecalled = true;
  try {
    const index = SqliteIndex.openToRead(indexPath());
    for (const { path, facts, size, modified } of index?.filesOf() ?? [])
      recallFormat(path, facts.format, size, modified);
    index?.close();
  } catch {
    // Damaged: whoever brings it up to date notices.
  }
}
