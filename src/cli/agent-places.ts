import { lstatSync, readlinkSync, type Stats, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { SkeinError } from '../model/index.ts';
import { discoverRoots, findFolders, openRoots, realpath } from '../sources/index.ts';
import { type RootOptions, readKeptFiles } from './options.ts';

/**
 * Refuses a place that belongs to an agent: in a folder it keeps its things in, whether or not it is looked at now, among the logs of
 * a root that was given, or in a root of which something is archived. Asked for every place that a user names to write to.
 */
export function refuseAgentPlace(path: string, { root = [] }: RootOptions): void {
  // Where an agent is told to look elsewhere now, what it left at its usual place is its own still.
  const owned = [process.env, {}].flatMap((env) => discoverRoots({ env, home: homedir() }).owned);
  const archived = new Set(readKeptFiles().map((file) => file.root));
  const above = foldersAbove(targetOf(path));
  for (const folder of [...owned, ...givenPlaces(root), ...archived])
    if (above.some((each) => isSame(each, folder)))
      throw new SkeinError(
        'bad_input',
        `${path} lies in ${folder}, which belongs to an agent; Skein does not write there`,
      );
}

/** A folder of projects, or any other that has logs in it. One that only holds such folders is the user's own. */
function givenPlaces(given: readonly string[]): string[] {
  const { roots } = openRoots(given);
  const loose = roots.filter(({ format }) => format === null);
  return [
    ...roots.flatMap(({ format, path }) => (format === null ? [] : [path])),
    ...findFolders(loose, []).map(({ folder }) => folder),
  ];
}

const MOST_LINKS = 40;

/** Where something is written in the end: links are followed, also one that leads to what is not there yet. */
export function targetOf(path: string): string {
  let target = resolve(path);
  for (let links = 0; links < MOST_LINKS && look(lstatSync, target)?.isSymbolicLink(); links++)
    target = resolve(realPlace(dirname(target)), readlinkSync(target));
  return join(realPlace(dirname(target)), basename(target));
}

/** As far as it is there, the real path of it. */
function realPlace(path: string): string {
  const around = dirname(path);
  return realpath(path) ?? (around === path ? path : join(realPlace(around), basename(path)));
}

/** The place itself, and every folder around it. */
function foldersAbove(path: string): string[] {
  const around = dirname(path);
  return around === path ? [path] : [path, ...foldersAbove(around)];
}

/** The same folder, whatever it is called there: by another link, or in capitals where case does not count. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [look(statSync, one), look(statSync, other)];
  if (a && b) return a.dev === b.dev && a.ino === b.ino;
  // Neither is there: on some machines case would not count.
  return !a && !b && fold(one) === fold(realPlace(other));
}

const fold = (path: string): string => path.split(sep).join('/').toLowerCase();

function look(stat: typeof lstatSync | typeof statSync, path: string): Stats | undefined {
  try {
    return stat(path, { throwIfNoEntry: false });
  } catch {
    // A folder that may not be looked into, or a file in the place of one.
    return undefined;
  }
}
