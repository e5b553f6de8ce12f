import { homedir } from 'node:os';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { type ArchiveReader, type Prompt, SkeinError } from '../model/index.ts';
import {
  discoverRoots,
  type FoundRoots,
  fillGaps,
  findArchived,
  findLoneFile,
  findProjects,
  findPrompts,
  isBelow,
  type LogFile,
  openRoots,
  type Problem,
  type ProjectFolder,
  type PromptFile,
  realpath,
  reasonOf,
  statsOf,
} from '../sources/index.ts';
import { type FolderGroup, groupFolders } from './group-folders.ts';
import { Project } from './project.ts';
import { mentions, recoverSessions } from './recover-sessions.ts';
import type { Session } from './session.ts';
import type { StoredTrees } from './stored-trees.ts';
import type { Unread } from './unread.ts';

export interface HistoryOptions {
  /** Folders to read instead of the places the agents use. */
  readonly roots?: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly home?: string;
  /** Where sessions are read from whose files are gone. */
  readonly archive?: ArchiveReader;
  /** Where trees come from that need not be read again. */
  readonly stored?: StoredTrees;
  /** Prompts from which no session is to be recovered. */
  readonly isLeftOut?: (agent: string, prompt: Prompt) => boolean;
}

type OpenOptions = Pick<HistoryOptions, 'archive' | 'stored' | 'isLeftOut'>;

interface FoundFolders extends FoundRoots {
  readonly folders: readonly ProjectFolder[];
}

/**
 * The front door: everything the agents left on this machine.
 *
 *     const history = History.open();
 *     for (const project of history.projects) for (const session of project.sessions()) console.log(session.title);
 */
export class History {
  /** Last written first. */
  readonly projects: readonly Project[];
  /** Where was looked, for telling when nothing was found. */
  readonly looked: readonly string[];
  readonly problems: readonly Problem[];
  readonly #prompts: Prompts;
  #promptFiles: readonly PromptFile[] | null = null;
  readonly #unreadPrompts: Unread[] = [];
  #recovered: readonly Project[] | null = null;

  private constructor(
    groups: readonly FolderGroup[],
    looked: readonly string[],
    problems: readonly Problem[],
    prompts: Prompts = NO_PROMPTS,
    stored: StoredTrees | null = null,
  ) {
    this.projects = groups
      .map((group) => new Project(group, stored))
      .sort((a, b) => b.modified - a.modified || (a.id < b.id ? -1 : 1));
    this.looked = looked;
    this.problems = problems;
    this.#prompts = prompts;
  }

  static open(options: HistoryOptions = {}): History {
    const { roots: given, env = process.env, home = homedir() } = options;
    const found = given && given.length > 0 ? openRoots(given) : discoverRoots({ env, home });
    const problems = [...found.problems];
    return History.ofFolders({ ...found, problems, folders: findProjects(found.roots, problems) }, options);
  }

  /** What was found before. */
  static ofFolders({ folders, problems, ...found }: FoundFolders, options: OpenOptions = {}): History {
    const isInside = isBelow(found.looked);
    const archived = options.archive ? findArchived(options.archive, isInside) : [];
    const prompts: Prompts = {
      find: () => findPrompts(found.roots, options.archive, isInside),
      isLeftOut: options.isLeftOut ?? NO_PROMPTS.isLeftOut,
    };
    const groups = groupFolders(fillGaps(folders, archived));
    return new History(groups, found.looked, problems, prompts, options.stored ?? null);
  }

  /** Everything an archive holds, whether or not it still lies on disk. */
  static ofArchive(archive: ArchiveReader): History {
    const prompts = { ...NO_PROMPTS, find: () => findPrompts([], archive) };
    return new History(groupFolders(fillGaps([], findArchived(archive))), [], [], prompts);
  }

  /** One file that lies anywhere, read alone with the folder of its name. */
  static openFile(path: string): History {
    const problems: Problem[] = [];
    const folder = findLoneFile(resolve(path), problems);
    return new History(groupFolders(folder ? [folder] : []), [resolve(path)], problems);
  }

  /** Logs that lie in memory, such as the demo session. */
  static ofGroup(group: FolderGroup): History {
    return new History([group], [], []);
  }

  /** What of its logs could not be read so far. */
  get unread(): Unread[] {
    return [...this.#unreadPrompts, ...this.projects.flatMap(({ logs }) => logs.flatMap(({ unread }) => unread))];
  }

  /** Sessions that are gone from disk and archive, one project per working folder: only what was typed is left of them (M7). */
  get recovered(): readonly Project[] {
    this.#recovered ??= recoverSessions(this.#files(), this.projects, this.#prompts.isLeftOut);
    return this.#recovered;
  }

  /** The session a text means: an exact id, else a unique beginning or part of one (H22). */
  find(id: string): Session {
    const named = this.#named(id);
    const sessions = new Map<string, Session>();
    for (const { project, native } of named.length > 0 ? named : this.#namedInside(id)) {
      const session = project.session(native);
      if (!session) continue;
      const place = `${project.path}\n${session.id}`;
      // Several of its files are meant: so is all of it.
      const whole = sessions.has(place) ? project.session(session.id) : null;
      sessions.set(place, whole ?? session);
    }
    return only('session', id, [...sessions.values()], (session) => `${session.id}  ${session.project.id}`);
  }

  /** The session whose file lies at a path; null when the file is none of these logs. */
  findFile(path: string): Session | null {
    const real = realPath(path);
    for (const project of this.projects) {
      const file = project.files.find((each) => isFile(each, real));
      if (!file) continue;
      const { id, native, role } = file.facts;
      const session = project.sessions().find((each) => each.files.includes(id)) ?? null;
      const named = role === 'session' ? project.session(native) : null;
      return named?.id === session?.id ? named : session;
    }
    return null;
  }

  /** The project a text means: the name of its folder or its path, else a unique part of them (H22). */
  findProject(text: string): Project {
    const namesOf = ({ names, path }: Project) => [...names, path];
    const path = resolve(text);
    const paths = new Set(this.projects.map((project) => project.path));
    const all = [...this.projects, ...this.recovered.filter((project) => !paths.has(project.path))];
    const exact = all.filter((project) => namesOf(project).some((name) => name === text || name === path));
    const matches = exact.length > 0 ? exact : bestMatches(all, text, namesOf);
    return only('project', text, matches, (project) => `${project.id}  ${project.path}`);
  }

  /** Sessions are found by the names of files, without reading them; sub-agents lead to theirs. */
  #named(text: string): Named[] {
    const named = new Map<string, Named>();
    const recovered = mentions(this.#files(), text) ? this.recovered : [];
    for (const project of [...this.projects, ...recovered]) {
      for (const { facts, path } of project.files) {
        const native = facts.role === 'session' ? facts.native : facts.session;
        if (native === null) continue;
        const key = `${project.path}\n${native}`;
        const stems = facts.role === 'session' ? [stemOf(path)] : [];
        named.set(key, { project, native, names: [...(named.get(key)?.names ?? [native]), ...stems] });
      }
    }
    return bestMatches([...named.values()], text, ({ names }) => names);
  }

  #files(): readonly PromptFile[] {
    this.#promptFiles ??= this.#prompts.find().flatMap((found) => this.#readPrompts(found) ?? []);
    return this.#promptFiles;
  }

  /** The archive may be damaged: whatever else there is does not depend on these. */
  #readPrompts(found: PromptFile): PromptFile | null {
    try {
      const bytes = found.read();
      return { ...found, read: () => bytes };
    } catch (error) {
      const path = join(dirname(found.root), found.history.name);
      const message = `${path} ${reasonOf(error)}; sessions of which only the prompts are left are not shown`;
      this.#unreadPrompts.push({ file: found.history.name, path, message, line: null, count: 1 });
      return null;
    }
  }

  /** The id in a Pi header, or of a session of which only sub-agents are left, stands in the files: all are read, one project after the other. */
  #namedInside(text: string): Named[] {
    const named = this.projects.flatMap((project) =>
      project.sessionNames().map(({ id, aliases }) => ({ project, native: id, names: [id, ...aliases] })),
    );
    return bestMatches(named, text, ({ names }) => names);
  }
}

/** Where to look for prompts of sessions that are gone. */
interface Prompts {
  readonly find: () => readonly PromptFile[];
  readonly isLeftOut: (agent: string, prompt: Prompt) => boolean;
}

const NO_PROMPTS: Prompts = { find: () => [], isLeftOut: () => false };

interface Named {
  readonly project: Project;
  readonly native: string;
  readonly names: readonly string[];
}

const stemOf = (path: string): string => basename(path).replace(/\.jsonl$/, '');

/** Those that are called so; else those whose name begins so; else those whose name holds it. */
export function bestMatches<T>(all: readonly T[], text: string, namesOf: (each: T) => readonly string[]): T[] {
  const matching = (test: (name: string) => boolean) => all.filter((each) => namesOf(each).some(test));
  for (const test of [
    (name: string) => name === text,
    (name: string) => name.startsWith(text),
    (name: string) => name.includes(text),
  ]) {
    const found = matching(test);
    if (found.length > 0) return found;
  }
  return [];
}

const LISTED = 20;

/** The only one of them, or the error that says why there is none (H22). */
export function only<T>(what: string, text: string, found: readonly T[], show: (each: T) => string): T {
  const [first, second] = found;
  if (first === undefined) throw new SkeinError('not_found', `No ${what} found matching '${text}'`);
  if (second === undefined) return first;
  const list = found.slice(0, LISTED).map((each) => `\n  - ${show(each)}`);
  const rest = found.length > LISTED ? `\n  … and ${found.length - LISTED} more` : '';
  throw new SkeinError('ambiguous', `Ambiguous ${what} '${text}'. Matches:${list.join('')}${rest}`);
}

const isFile = ({ path }: LogFile, real: string): boolean =>
  basename(path) === basename(real) && realPath(path) === real;

const realPath = (path: string): string => realpath(path) ?? resolve(path);

/** What stands where an id may stand: a path to a file or folder, or an id. */
export function isPath(text: string): boolean {
  return (
    text.endsWith('.jsonl') ||
    text.includes(sep) ||
    text === '.' ||
    text === '..' ||
    (statsOf(text)?.isDirectory() ?? false)
  );
}
