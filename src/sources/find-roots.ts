import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { formats } from '../formats/index.ts';
import type { Format } from '../model/index.ts';
import { addAll } from '../model/index.ts';
import { entriesOf, onDisk, realpath } from './byte-names.ts';
import { statsOf } from './find-files.ts';
import { type Problem, reasonOf } from './problem.ts';
import { entriesIn, whoseLogs } from './whose-files.ts';

/** A folder with one folder per project inside; without a format a folder whose files are told from their first lines. */
export interface Root {
  readonly format: Format | null;
  readonly path: string;
  /** The folder that was named, in which it lies. */
  readonly given: string;
}

export interface FoundRoots {
  readonly roots: readonly Root[];
  /** Every place that was looked at, for "nothing found" messages. */
  readonly looked: readonly string[];
  readonly problems: readonly Problem[];
}

export interface DiscoveredRoots extends FoundRoots {
  /** Folders in which agents keep everything of theirs, roots included, whether or not they are there. */
  readonly owned: readonly string[];
}

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** The places the formats declare. An environment variable replaces the defaults it stands for and may list several folders. */
export function discoverRoots({ env, home }: Surroundings): DiscoveredRoots {
  const roots: Root[] = [];
  const owned: string[] = [];
  const looked: string[] = [];
  const problems: Problem[] = [];
  for (const format of formats) {
    for (const location of format.locations) {
      const given = listIn(location.env ? env[location.env] : undefined);
      const replaced = format.locations.some(
        (other) => other.home === location.home && other.env && listIn(env[other.env]).length > 0,
      );
      if (given.length === 0 && replaced) continue;
      for (const base of given.length > 0 ? given : [defaultBase(location.home, env, home)]) {
        const expanded = expand(base, home);
        const path = basename(expanded) === location.projects ? expanded : join(expanded, location.projects);
        if (!owned.includes(expanded)) owned.push(expanded);
        if (looked.includes(path)) continue;
        looked.push(path);
        if (isFolder(path)) roots.push({ format, path, given: path });
        else if (given.length > 0) problems.push({ path, message: `${location.env} names ${path}, ${whyNot(path)}` });
      }
    }
  }
  return { roots: distinct(roots), looked, problems, owned };
}

const listIn = (value: string | undefined): string[] =>
  (value ?? '')
    .split(',')
    .map((path) => path.trim())
    .filter(Boolean);

const whyNot = (path: string): string =>
  `which ${existsSync(path) ? 'is not a folder' : 'does not exist'}; it is left out`;

/** `~/.claude` is often a link to `~/.config/claude`: what is found twice is read once. */
function distinct(roots: readonly Root[]): Root[] {
  const byPlace = new Map<string, Root>();
  for (const root of roots) {
    const place = `${root.format?.name} ${realpath(root.path) ?? root.path}`;
    if (!byPlace.has(place)) byPlace.set(place, root);
  }
  return [...byPlace.values()];
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
      entriesOf(path);
      addAll(
        roots,
        rootsIn(path, 0).map((root) => ({ ...root, given: path })),
      );
    } catch (error) {
      problems.push({ path, message: `Root ${path} ${reasonOf(error)}; it is left out` });
    }
  }
  return { roots: distinct(roots), looked, problems };
}

const DEPTH = 4;

/**
 * A folder that is called as an agent calls its own is searched as one with a folder per project, unless its files say that they are
 * somebody else's; in any other folder each log stands for itself.
 */
function rootsIn(path: string, depth: number): Omit<Root, 'given'>[] {
  for (const format of formats)
    if (format.locations.some(({ projects }) => projects === basename(path)) && whoseLogs(format, path) !== 'others')
      return [{ format, path }];
  const roots: Omit<Root, 'given'>[] = [{ format: null, path }];
  if (depth === DEPTH) return roots;
  for (const entry of entriesIn(path)) {
    if (entry.isDirectory() && !isSessionFolder(path, entry.name))
      addAll(roots, rootsIn(join(path, entry.name), depth + 1));
  }
  return roots;
}

/** `<stem>/` beside `<stem>.jsonl` holds what belongs to that session. */
const isSessionFolder = (parent: string, name: string): boolean => existsSync(onDisk(join(parent, `${name}.jsonl`)));

const isFolder = (path: string): boolean => statsOf(path)?.isDirectory() ?? false;
