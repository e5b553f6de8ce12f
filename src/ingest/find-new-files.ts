import { lstatSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { addAll } from '../model/index.ts';
import { entriesOf, logsIn, onDisk } from '../sources/index.ts';
import { type Archivable, type ArchivedFolder, type FoundFile, fileIn } from './find-archivable.ts';

/**
 * What came into watched folders under a path: a file, or a folder with all its files. `enter` is told of every folder before it is
 * listed, so that nothing is missed that comes later. Null where only a look at everything tells: links, loose logs, what is gone again.
 */
export function findNewFiles(
  path: string,
  { places, roots }: Pick<Archivable, 'places' | 'roots'>,
  enter: (folder: string) => void,
): FoundFile[] | null {
  const place = placeAround(path, places) ?? newProject(path, roots);
  try {
    return place && collect(path, place, enter);
  } catch {
    // Gone again while it was looked at, or not to be read: told by the look at everything.
    return null;
  }
}

function placeAround(path: string, places: ReadonlyMap<string, ArchivedFolder>): ArchivedFolder | null {
  for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) {
    const place = places.get(folder);
    if (place) return place;
  }
  return null;
}

function newProject(path: string, roots: Archivable['roots']): ArchivedFolder | null {
  const root = roots.find((each) => each.path === dirname(path));
  if (!root) return null;
  const { format, real } = root;
  return { format, folder: path, root: real, project: basename(path), isLog: logsIn(format, path, []) };
}

function collect(full: string, place: ArchivedFolder, enter: (folder: string) => void): FoundFile[] | null {
  const stat = lstatSync(onDisk(full), { throwIfNoEntry: false });
  if (!stat || stat.isSymbolicLink()) return null;
  if (stat.isFile()) {
    const file = full === place.folder ? null : fileIn(place, full, stat);
    return file === null ? null : [file];
  }
  if (!stat.isDirectory()) return [];
  if (full.endsWith('.jsonl')) return null;
  enter(full);
  const found: FoundFile[] = [];
  for (const { name } of entriesOf(full)) {
    const inside = collect(join(full, name), place, enter);
    if (inside === null) return null;
    addAll(found, inside);
  }
  return found;
}
