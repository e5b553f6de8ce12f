import type { StoredTrees, TreePlace } from '../history/index.ts';
import type { FileEntry, IndexReader } from '../stores/index.ts';
import { Tree } from '../tree/index.ts';
import { changeOf } from './file-changes.ts';
import { treeKey } from './index-projects.ts';
import { unpackLines } from './pack-lines.ts';

/** Trees as an index keeps them, where it has read the files as they are now. */
export function storedTrees(index: IndexReader): StoredTrees {
  const current = (place: TreePlace): { readonly key: string; readonly files: readonly FileEntry[] } | null => {
    const key = treeKey(place.format.name, place.path);
    const files = index.isComplete(key) ? index.filesOf(key) : [];
    return isSame(files, place) ? { key, files } : null;
  };
  return {
    tree: (place) => {
      const found = current(place);
      return found && putTogether(index, found.key, found.files);
    },
    names: (place) => {
      const found = current(place);
      return found && index.sessionNames(found.key);
    },
  };
}

function isSame(known: readonly FileEntry[], { files }: TreePlace): boolean {
  const byId = new Map(known.map((entry) => [entry.id, entry]));
  return (
    known.length === files.length &&
    files.every((file) => changeOf(file, byId.get(file.facts.id), () => null) === 'same')
  );
}

function putTogether(index: IndexReader, key: string, files: readonly FileEntry[]): Tree {
  const tree = new Tree();
  const chunks = Map.groupBy(index.chunksOf(key), ({ file }) => file);
  for (const { id, facts, lines, torn } of files) {
    tree.feed(facts, []);
    let left = lines;
    for (const { bytes } of chunks.get(id) ?? []) {
      const unpacked = unpackLines(bytes, id).slice(0, left);
      tree.feed(facts, unpacked);
      left -= unpacked.length;
    }
    if (torn) tree.feed(facts, [torn.line]);
  }
  tree.commit();
  return tree;
}
