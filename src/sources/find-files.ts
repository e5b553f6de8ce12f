import { type Stats, statSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import type { FileFacts, Format } from '../model/index.ts';
import { type Entry, entriesOf, onDisk, realpath } from './byte-names.ts';
import type { FolderPlace } from './find-projects.ts';
import { type Problem, reasonOf } from './problem.ts';

/** A log file found on disk. */
export interface LogFile {
  readonly facts: FileFacts;
  readonly path: string;
  readonly size: number;
  /** When it was last written, epoch milliseconds: for showing the newest first without reading, never for meaning (H10). */
  readonly modified: number;
  /** A file that lies in memory instead of on disk. */
  readonly bytes?: Uint8Array;
  /** A file that is gone from disk, as an archive holds it. */
  readonly kept?: KeptBytes;
}

/** The content of an archived file. */
export interface KeptBytes {
  /** Its number in the archive. */
  readonly id: number;
  /** Below its project folder. */
  readonly path: string;
  /** At most `length` bytes; fewer at the end of the file. */
  read(offset: number, length: number): Uint8Array;
  /** All of it, each piece valid until the next is asked for. */
  pieces(): Iterable<Uint8Array>;
  /** Another file of the same project folder; null when there is none. */
  sibling(path: string): (KeptBytes & { readonly size: number }) | null;
  /** Of the files in a folder of the same project folder. */
  names(folder: string): string[];
}

/** The files of one project folder, sorted by path. `root` bounds what links may lead to. */
export interface FoundFiles {
  readonly files: readonly LogFile[];
  readonly problems: readonly Problem[];
}

export function findFiles({ format, folder, root, only, isLog }: FolderPlace): FoundFiles {
  const files: LogFile[] = [];
  const problems: Problem[] = [];
  const isWanted = (path: string): boolean => format.roleOf(path) !== null;
  walkFiles(folder, root, { isWanted, problems, ...(only && { only }) }, (full, path) => {
    const facts = isLog(path) ? logFacts(format, folder, path) : null;
    if (!facts) return;
    try {
      const { size, mtimeMs } = statSync(onDisk(full));
      files.push({ facts, path: full, size, modified: mtimeMs });
    } catch (error) {
      problems.push({ path: full, message: `${full} ${reasonOf(error)}; it is left out` });
    }
  });
  files.sort((a, b) => (a.facts.id < b.facts.id ? -1 : 1));
  return { files, problems };
}

/** What the name of a file in a project folder says; null when it is no log. */
export function logFacts(format: Format, folder: string, path: string): FileFacts | null {
  const role = format.roleOf(path);
  const project = basename(folder);
  const { name, branches } = format;
  return role && { id: `${project}/${path}`, path: join(folder, path), format: name, project, branches, ...role };
}

export interface WalkOptions {
  readonly problems: Problem[];
  /** Whether it is told when a file cannot be followed. */
  readonly isWanted: (path: string) => boolean;
  /** Files and folders that are gone into. */
  readonly only?: (path: string) => boolean;
}

/** Every file below a folder. Links are followed inside `root`; what is neither file nor folder is left out. */
export function walkFiles(
  folder: string,
  root: string,
  { problems, isWanted, only }: WalkOptions,
  take: (full: string, path: string) => void,
): void {
  const bound = realpath(root) ?? root;
  const base = realpath(folder) ?? folder;
  const seen = new Set([base]);
  const links: Visited[] = [];

  const walk = (inside: string, real: string): void => {
    for (const entry of list(join(folder, inside), problems)) {
      const path = inside === '' ? entry.name : `${inside}/${entry.name}`;
      if (only && !only(path)) continue;
      // Links come last: a folder is known by its own name, not by that of a link to it.
      if (entry.isSymbolicLink()) links.push({ entry, path, real: null });
      else visit({ entry, path, real: real + sep + entry.name });
    }
  };
  const visit = ({ entry, path, real }: Visited): void => {
    const full = join(folder, path);
    const kind = kindOf(entry, full, bound, (message, leads) => {
      if (isWanted(path) || leads === 'folder') problems.push({ path: full, message });
    });
    if (kind === 'folder' && entry.name.endsWith('.jsonl'))
      problems.push({ path: full, message: `${full} is a folder, not a file; it is left out` });
    else if (kind === 'folder') enter(path, real ?? realpath(full));
    else if (kind === 'file') take(full, path);
  };
  const enter = (path: string, real: string | null): void => {
    if (real === null || seen.has(real)) return;
    seen.add(real);
    walk(path, real);
  };
  walk('', base);
  for (let next = links.shift(); next; next = links.shift()) visit(next);
}

/** `real`: its real path, where that follows from the folder it lies in; asking for it takes as long as looking at a file. */
interface Visited {
  readonly entry: Entry;
  readonly path: string;
  readonly real: string | null;
}

export const listFolders = (root: string, problems: Problem[]): string[] => listKind(root, 'folder', problems);
export const listFiles = (root: string, problems: Problem[]): string[] => listKind(root, 'file', problems);

function listKind(root: string, kind: 'file' | 'folder', problems: Problem[]): string[] {
  const bound = realpath(root) ?? root;
  return list(root, problems)
    .filter((entry) => {
      const path = join(root, entry.name);
      const tell: Tell = (message, leads) => {
        if (leads !== (kind === 'file' ? 'folder' : 'file') && (kind === 'folder' || entry.name.endsWith('.jsonl')))
          problems.push({ path, message });
      };
      return kindOf(entry, path, bound, tell) === kind;
    })
    .map((entry) => entry.name);
}

function list(folder: string, problems: Problem[]): Entry[] {
  try {
    return entriesOf(folder).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    problems.push({ path: folder, message: `Folder ${folder} ${reasonOf(error)}; it is left out` });
    return [];
  }
}

/** `leads`: what a link leads to, null when that is nothing. */
type Tell = (message: string, leads: 'file' | 'folder' | null) => void;

/** Links are followed inside the root only: a transcript must not lead to other files of the machine. */
function kindOf(entry: Entry, full: string, bound: string, tell: Tell): 'file' | 'folder' | null {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  const real = realpath(full);
  const found = real === null ? undefined : statsOf(real);
  const kind = found?.isDirectory() ? 'folder' : found?.isFile() ? 'file' : null;
  if (real === null || !found) tell(`Link ${full} leads nowhere; it is left out`, null);
  // Opening a pipe would wait for somebody to write into it.
  else if (kind === null) tell(`${full} is neither a file nor a folder; it is left out`, null);
  else if (real !== bound && !real.startsWith(bound + sep))
    tell(`Link ${full} leads out of ${bound}; it is not followed`, kind);
  else return kind;
  return null;
}

/** Whether a path is one of these or lies in one of them. */
export function isBelow(folders: readonly string[]): (path: string) => boolean {
  const bounds = folders.flatMap((folder) => [folder, realPlace(folder)]);
  return (path) => bounds.some((bound) => path === bound || path.startsWith(bound + sep));
}

/** The real path of something that may be gone. */
function realPlace(path: string): string {
  const around = dirname(path);
  return realpath(path) ?? (around === path ? path : join(realPlace(around), basename(path)));
}

/** Undefined where nothing is that can be looked at: what was just listed may be gone, or something else by now. */
export function statsOf(path: string): Stats | undefined {
  try {
    return statSync(onDisk(path));
  } catch {
    return undefined;
  }
}
