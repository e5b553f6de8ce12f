import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { SkeinError } from '../model/index.ts';

/** What is never archived; plain data, which threads can be given. */
export type Exclude = readonly RegExp[];

interface ExcludedBy {
  /** The working folder of its project, when it is known. */
  readonly cwd: string | null;
  readonly project: string;
  readonly path: string;
  /** Where it lies. */
  readonly full: string;
}

export const nothingExcluded: Exclude = [];

export const isExcluded = (exclude: Exclude, { cwd, project, path, full }: ExcludedBy): boolean =>
  exclude.some((pattern) => [cwd, project, `${project}/${path}`, full].some((name) => name && pattern.test(name)));

/**
 * `exclude` in the data folder, one pattern a line, `#` before a remark: the name of a project folder, the path of a working folder
 * (with everything below it), `project/file`, or the place of a file. `*` and `?` stand for anything but `/`, `**` for anything.
 */
export function readExclude(home: string): Exclude {
  const file = join(home, 'exclude');
  try {
    return parseExclude(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return nothingExcluded;
    // What is meant to stay out must not get in because the list cannot be read.
    throw new SkeinError('unreadable', `${file} cannot be read; nothing is archived before it can`, error);
  }
}

export function parseExclude(text: string): Exclude {
  return text
    .split('\n')
    .map((line) => line.replace(REMARK, '').trim())
    .filter((line) => line !== '')
    .map((line) => (line === '~' || line.startsWith('~/') ? homedir() + line.slice(1) : line))
    .map((line) => new RegExp(`^${line.replace(/\/+$/, '').replace(/\*\*|[*?]|[^*?]+/g, asRegExp)}(/|$)`, 'u'));
}

/** Also behind a pattern, where a space is before it: taken for a part of the name, it would keep nothing out. */
const REMARK = /(^|\s)#.*/;

const WILD: Readonly<Record<string, string>> = { '**': '.*', '*': '[^/]*', '?': '[^/]' };

const asRegExp = (piece: string): string => WILD[piece] ?? piece.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
