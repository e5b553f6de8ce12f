import { join, sep } from 'node:path';
import type { Format } from '../model/index.ts';
import { type Entry, entriesOf, realpath } from './byte-names.ts';
import type { Problem } from './problem.ts';
import { isUnknown, recogniseFile } from './sniff-format.ts';

/** Whether a path below a project folder is a log of its format. */
export type IsLog = (path: string) => boolean;

/**
 * Decided by what the lines of the file say, or those of the session in whose folder it lies. Where they say nothing (empty, torn, not
 * text) it belongs to those around it. A log of somebody else is told of.
 */
export function logsIn(format: Format, folder: string, problems: Problem[]): IsLog {
  const sessions = new Map<string, boolean>();
  const isSession = (name: string): boolean => {
    const is = sessions.get(name) ?? recogniseFile(join(folder, `${name}.jsonl`)).format === format;
    sessions.set(name, is);
    return is;
  };
  return (path) => {
    const role = format.roleOf(path)?.role;
    if (role === undefined) return false;
    const [first = '', ...inside] = path.split('/');
    if (role === 'sidecar' || (inside.length > 0 && isSession(first))) return true;
    const full = join(folder, path);
    const found = recogniseFile(full);
    if (found.format === format || isUnknown(found)) return true;
    problems.push({ path: full, message: saysWhose(full, found.format?.title ?? found.other) });
    return false;
  };
}

/** Why a file is left out. */
export const saysWhose = (path: string, agent: string | null | undefined): string =>
  agent
    ? `${path} looks like a log of ${agent}, and is not read as another's; it is left out`
    : `${path} is not a log that Skein knows; it is left out`;

/** Whose logs the folders in a folder hold, told from their lines: `unknown` where they say nothing, or what nobody knows. */
export function whoseLogs(format: Format, root: string): 'own' | 'others' | 'unknown' {
  const bound = realpath(root) ?? root;
  let hasOthers = false;
  const isOwn = (path: string, inside: string): boolean => {
    if (!path.endsWith('.jsonl')) return false;
    const found = recogniseFile(path);
    hasOthers ||= !isUnknown(found) && found.format !== format;
    return found.format === format && format.roleOf(inside) !== null;
  };
  const hasOwn = (folder: string, inside: string): boolean => {
    const entries = entriesIn(folder);
    return (
      entries.some((entry) => entry.isFile() && isOwn(join(folder, entry.name), inside + entry.name)) ||
      entries.some((entry) => entry.isDirectory() && hasOwn(join(folder, entry.name), `${inside}${entry.name}/`))
    );
  };
  const isInside = (entry: Entry): boolean =>
    entry.isDirectory() ||
    (entry.isSymbolicLink() && (realpath(join(root, entry.name))?.startsWith(bound + sep) ?? false));
  if (entriesIn(root).some((entry) => isInside(entry) && hasOwn(join(root, entry.name), ''))) return 'own';
  return hasOthers ? 'others' : 'unknown';
}

/** That a folder cannot be read is told when its files are looked for. */
export function entriesIn(path: string): Entry[] {
  try {
    return entriesOf(path);
  } catch {
    return [];
  }
}
