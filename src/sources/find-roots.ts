import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { formats } from '../formats/index.ts';
import type { Format } from '../model/index.ts';
import { type Problem, reasonOf } from './problem.ts';

/** A folder with one folder per project inside; without a format a folder whose files are told from their first lines. */
export interface Root {
  readonly format: Format | null;
  readonly path: string;
}

export interface FoundRoots {
  readonly roots: readonly Root[];
  /** Every place that was looked at, for "nothing found" messages. */
  readonly looked: readonly string[];
  readonly problems: readonly Problem[];
}

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** The places the formats declare. An environment variable replaces the defaults it stands for and may list several folders. */
export function discoverRoots({ env, home }: Surroundings): FoundRoots {
  const roots = new Map<string, Root>();
  const looked: string[] = [];
  for (const format of formats) {
    for (const location of format.locations) {
      const given = location.env ? env[location.env] : undefined;
      if (!given && format.locations.some((other) => other.home === location.home && other.env && env[other.env]))
        continue;
      const bases = given ? given.split(',').filter(Boolean) : [defaultBase(location.home, env, home)];
      for (const base of bases) {
        const expanded = expand(base, home);
        const path = basename(expanded) === location.projects ? expanded : join(expanded, location.projects);
        if (looked.includes(path)) continue;
        looked.push(path);
        if (isFolder(path)) roots.set(path, { format, path });
      }
    }
  }
  return { roots: [...roots.values()], looked, problems: [] };
}

const defaultBase = (declared: string, env: Surroundings['env'], home: string): string =>
  declared.startsWith('~/.config/') && env.XDG_CONFIG_HOME
    ? join(env.XDG_CONFIG_HOME, declared.slice('~/.config/'.length))
    : expand(declared, home);

const expand = (path: string, home: string): string =>
  resolve(path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path);

/** Folders given by hand: a folder of projects, a folder that contains one, or any folder with logs in it. */
export function openRoots(given: readonly string[]): FoundRoots {
  const roots: Root[] = [];
  const looked: string[] = [];
  const problems: Problem[] = [];
  for (const name of given) {
    const path = resolve(name);
    looked.push(path);
    try {
      readdirSync(path);
      roots.push(...rootsIn(path, 0));
    } catch (error) {
      problems.push({ path, message: `Root ${path} ${reasonOf(error)}; it is left out` });
    }
  }
  return { roots, looked, problems };
}

const DEPTH = 4;

/** A folder with a name of its own kind is searched as that; in any other folder logs are told from their first lines. */
function rootsIn(path: string, depth: number): Root[] {
  for (const format of formats)
    if (format.locations.some(({ projects }) => projects === basename(path))) return [{ format, path }];
  const roots: Root[] = [{ format: null, path }];
  if (depth === DEPTH) return roots;
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (!entry.isDirectory() || isSessionFolder(path, entry.name)) continue;
    try {
      roots.push(...rootsIn(join(path, entry.name), depth + 1));
    } catch {
      // Told when the folder itself is listed.
    }
  }
  return roots;
}

/** `<stem>/` beside `<stem>.jsonl` holds what belongs to that session. */
const isSessionFolder = (parent: string, name: string): boolean => existsSync(join(parent, `${name}.jsonl`));

export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
