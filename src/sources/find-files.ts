import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import type { FileFacts, Format } from '../model/index.ts';
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
}

/** The files of one project folder, sorted by path. `root` bounds what links may lead to. */
export interface FoundFiles {
  readonly files: readonly LogFile[];
  readonly problems: readonly Problem[];
}

export function findFiles(
  format: Format,
  folder: string,
  root: string,
  only?: (pathInProject: string) => boolean,
): FoundFiles {
  const files: LogFile[] = [];
  const problems: Problem[] = [];
  const bound = realpath(root) ?? root;
  const project = basename(folder);
  const seen = new Set<string>();

  const walk = (inside: string): void => {
    for (const entry of list(join(folder, inside), problems)) {
      const path = inside === '' ? entry.name : `${inside}/${entry.name}`;
      const full = join(folder, path);
      const kind = kindOf(entry, full, bound, problems);
      if (kind === 'folder') {
        if (entry.name.endsWith('.jsonl'))
          problems.push({ path: full, message: `${full} is a folder, not a file; it is left out` });
        else if (!only || only(path)) enter(full, path);
      } else if (kind === 'file' && (!only || only(path))) add(full, path);
    }
  };
  const enter = (full: string, path: string): void => {
    const real = realpath(full);
    if (real === null || seen.has(real)) return;
    seen.add(real);
    walk(path);
  };
  const add = (full: string, path: string): void => {
    const role = format.roleOf(path);
    if (!role) return;
    try {
      const { size, mtimeMs } = statSync(full);
      const facts: FileFacts = {
        id: `${project}/${path}`,
        path: full,
        format: format.name,
        project,
        branches: format.branches,
        ...role,
      };
      files.push({ facts, path: full, size, modified: mtimeMs });
    } catch (error) {
      problems.push({ path: full, message: `${full} ${reasonOf(error)}; it is left out` });
    }
  };
  walk('');
  files.sort((a, b) => (a.facts.id < b.facts.id ? -1 : 1));
  return { files, problems };
}

export const listFolders = (root: string, problems: Problem[]): string[] => listKind(root, 'folder', problems);
export const listFiles = (root: string, problems: Problem[]): string[] => listKind(root, 'file', problems);

function listKind(root: string, kind: 'file' | 'folder', problems: Problem[]): string[] {
  const bound = realpath(root) ?? root;
  return list(root, problems)
    .filter((entry) => kindOf(entry, join(root, entry.name), bound, problems) === kind)
    .map((entry) => entry.name);
}

function list(folder: string, problems: Problem[]): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    problems.push({ path: folder, message: `Folder ${folder} ${reasonOf(error)}; it is left out` });
    return [];
  }
}

/** Links are followed inside the root only: a transcript must not lead to other files of the machine. */
function kindOf(entry: Dirent, full: string, bound: string, problems: Problem[]): 'file' | 'folder' | null {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  if (!entry.isSymbolicLink()) return null;
  const real = realpath(full);
  if (real === null) {
    problems.push({ path: full, message: `Link ${full} leads nowhere; it is left out` });
    return null;
  }
  if (real !== bound && !real.startsWith(bound + sep)) {
    problems.push({ path: full, message: `Link ${full} leads out of ${bound}; it is not followed` });
    return null;
  }
  return statSync(real).isDirectory() ? 'folder' : 'file';
}

function realpath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
