import { basename, dirname, join } from 'node:path';
import { realpath } from '../sources/index.ts';
import type { ArchivedFile } from '../stores/store.ts';
import type { GenerationOf } from './file-changes.ts';

/** How often each file was replaced, as the archive saw it: it compares bytes where a size and a time tell nothing. */
export function generationsIn(archived: readonly ArchivedFile[]): GenerationOf {
  const byPlace = new Map(
    archived.map(({ root, project, path, generation }) => [join(root, project, path), generation]),
  );
  const byId = new Map(archived.map(({ id, generation }) => [id, generation]));
  // Archived places begin with a real path; files of one folder share it.
  const folders = new Map<string, string>();
  const realFolder = (folder: string): string => {
    const known = folders.get(folder) ?? realpath(folder) ?? folder;
    folders.set(folder, known);
    return known;
  };
  return ({ path, kept }) =>
    (kept ? byId.get(kept.id) : byPlace.get(join(realFolder(dirname(path)), basename(path)))) ?? null;
}
