import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { FilePlace } from '../model/index.ts';
import { type FoundRoots, isBelow, onDisk } from '../sources/index.ts';
import type { ArchivedFile } from '../stores/store.ts';
import type { FoundFile } from './find-archivable.ts';

/** Archived files of the roots that were looked at and that are not on disk any more. What merely cannot be looked at is not gone. */
export function findGone(
  known: ReadonlyMap<string, ArchivedFile>,
  found: ReadonlyMap<string, FoundFile>,
  roots: FoundRoots,
): number[] {
  const isLookedAt = isBelow(roots.looked);
  return [...known]
    .filter(([key, file]) => file.goneAt === null && !found.has(key))
    .filter(([, file]) => isLookedAt(join(file.root, file.project)) && isMissing(placeOf(file)))
    .map(([, { id }]) => id);
}

/** Where an archived file lay. */
export const placeOf = ({ root, project, path }: FilePlace): string =>
  project === '' ? join(root, '..', path) : join(root, project, path);

function isMissing(path: string): boolean {
  try {
    return lstatSync(onDisk(path), { throwIfNoEntry: false }) === undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOTDIR';
  }
}
