import { lstatSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import type { FilePlace, Format } from '../model/index.ts';
import {
  type FolderPlace,
  type FoundRoots,
  findFolders,
  firstLines,
  type IsLog,
  onDisk,
  type Problem,
  type Root,
  realpath,
  reasonOf,
  walkFiles,
} from '../sources/index.ts';
import type { FileKind } from '../stores/store.ts';
import { type Exclude, isExcluded } from './exclude.ts';

/** A file on disk that belongs into the archive. */
export interface FoundFile extends FilePlace {
  readonly kind: FileKind;
  readonly full: string;
  readonly size: number;
  readonly inode: number;
  readonly modified: number;
}

export interface Archivable {
  readonly files: readonly FoundFile[];
  /** The same by `keyOf`. */
  readonly keys: ReadonlyMap<string, FoundFile>;
  /** Seen, and left out on purpose. */
  readonly excluded: number;
  /** Each file that was seen is here, and was seen once: no root lies in another one. */
  readonly isAll: boolean;
  /** Every folder that was walked, for watching. */
  readonly folders: readonly string[];
  /** Project folders by their path, and the folders that hold them: where a new file belongs. Not those of loose logs. */
  readonly places: ReadonlyMap<string, ArchivedFolder>;
  readonly roots: readonly { readonly format: Format; readonly path: string; readonly real: string }[];
}

/** A project folder an agent made. */
export interface ArchivedFolder {
  readonly format: Format;
  readonly folder: string;
  /** The real path of the folder around it. */
  readonly root: string;
  readonly project: string;
  readonly isLog: IsLog;
}

export const keyOf = ({ root, agent, project, path }: FilePlace): string => `${root}\n${agent}\n${project}\n${path}`;

/** What is not a log may be anything, a core dump too. */
const LARGEST_ARTIFACT = 64 * 1024 * 1024;

/** Everything the agents keep for their sessions: logs, and whatever lies in the folders of projects; only looked at, not read. */
export function findArchivable(found: FoundRoots, exclude: Exclude, problems: Problem[]): Archivable {
  const files = new Map<string, FoundFile>();
  const folders = new Set<string>();
  let excluded = 0;
  let isAll = true;

  const add = (place: FilePlace & { kind: FileKind; full: string }, cwd: string | null): void => {
    if (isExcluded(exclude, { ...place, cwd })) {
      excluded++;
      isAll = false;
      return;
    }
    if (files.has(keyOf(place))) isAll = false;
    try {
      const { size, ino, mtimeMs } = statSync(onDisk(place.full));
      if (place.kind === 'artifact' && size > LARGEST_ARTIFACT)
        problems.push({ path: place.full, message: `${place.full} is larger than 64 MB; it is not archived` });
      else files.set(keyOf(place), { ...place, size, inode: ino, modified: mtimeMs });
    } catch (error) {
      problems.push({ path: place.full, message: `${place.full} ${reasonOf(error)}; it is not archived` });
    }
  };

  const places = new Map<string, ArchivedFolder>();
  for (const { path } of found.roots) folders.add(path);
  for (const place of findFolders(found.roots, problems)) {
    const { format, folder, isLog } = place;
    const root = rootOf(folder);
    const paths: { full: string; path: string }[] = [];
    folders.add(folder);
    if (!place.only) places.set(folder, { format, folder, root, project: basename(folder), isLog });
    walk(place, problems, (full, path) => {
      folders.add(dirname(full));
      paths.push({ full, path });
    });
    const cwd = exclude.length > 0 ? cwdOf(format, folder, paths) : null;
    for (const { full, path } of paths)
      add({ root, agent: format.name, project: basename(folder), path, kind: kindOf(isLog, path), full }, cwd);
  }
  for (const root of found.roots) {
    for (const { full, path } of besideRoot(root, problems))
      add(
        {
          root: realpath(root.path) ?? root.path,
          agent: root.format?.name ?? '',
          project: '',
          path,
          kind: 'artifact',
          full,
        },
        null,
      );
  }
  const roots = found.roots.flatMap(({ format, path }) =>
    format ? [{ format, path, real: realpath(path) ?? path }] : [],
  );
  return { files: [...files.values()], keys: files, excluded, isAll, folders: [...folders], places, roots };
}

/** A file in a project folder; null when it is one that is only told of. */
export function fileIn(
  { format, folder, root, project, isLog }: ArchivedFolder,
  full: string,
  { size, ino, mtimeMs }: Pick<Stats, 'size' | 'ino' | 'mtimeMs'>,
): FoundFile | null {
  const path = full.slice(folder.length + 1).replaceAll(sep, '/');
  const kind = kindOf(isLog, path);
  if (kind === 'artifact' && size > LARGEST_ARTIFACT) return null;
  return { root, agent: format.name, project, path, kind, full, size, inode: ino, modified: mtimeMs };
}

/** The folder around a project folder, by its real path. */
const rootOf = (folder: string): string => realpath(dirname(folder)) ?? dirname(folder);

const kindOf = (isLog: IsLog, path: string): FileKind => (isLog(path) ? 'log' : 'artifact');

function walk(
  { format, folder, root, only }: FolderPlace,
  problems: Problem[],
  take: (full: string, path: string) => void,
) {
  walkFiles(folder, root, { problems, isWanted: (path) => format.roleOf(path) !== null, ...(only && { only }) }, take);
}

const ASKED = 8;

function cwdOf(format: Format, folder: string, paths: readonly { full: string; path: string }[]): string | null {
  for (const { full } of paths.filter(({ path }) => format.roleOf(path)?.role === 'session').slice(0, ASKED)) {
    const cwd = format.cwdOf(firstLines(full), basename(folder));
    if (cwd !== null) return cwd;
  }
  return null;
}

/** What a format names beside its folder of projects. */
function besideRoot({ format, path: root }: Root, problems: Problem[]): { full: string; path: string }[] {
  const found: { full: string; path: string }[] = [];
  const around = dirname(root);
  for (const name of format?.beside ?? []) {
    const full = join(around, name);
    const entry = entryAt(full, problems);
    if (entry?.isFile()) found.push({ full, path: name });
    else if (entry?.isDirectory())
      walkFiles(full, full, { problems, isWanted: () => false }, (file, path) =>
        found.push({ full: file, path: `${name}/${path}` }),
      );
  }
  return found;
}

/** Most of them are not there. */
function entryAt(path: string, problems: Problem[]): Stats | undefined {
  try {
    return lstatSync(onDisk(path), { throwIfNoEntry: false });
  } catch (error) {
    problems.push({ path, message: `${path} ${reasonOf(error)}; it is not archived` });
    return undefined;
  }
}
