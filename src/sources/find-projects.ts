import { lstatSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { formats } from '../formats/index.ts';
import type { Format } from '../model/index.ts';
import { addAll } from '../model/index.ts';
import { onDisk, realpath } from './byte-names.ts';
import { type FoundFiles, findFiles, type LogFile, listFiles, listFolders, statsOf } from './find-files.ts';
import type { Root } from './find-roots.ts';
import type { Problem } from './problem.ts';
import { sayWhatIsThere } from './say-what-is-there.ts';
import { firstLinesOf, recogniseFile } from './sniff-format.ts';
import { type IsLog, logsIn, saysWhose, whoseLogs } from './whose-files.ts';

/** The logs of one agent in one project folder. */
export interface ProjectFolder {
  readonly format: Format;
  /** Name of the folder; the agent made it from the working folder, and it cannot be turned back. */
  readonly id: string;
  readonly folder: string;
  /** The working folder it belongs to, as its files say; null when they do not. */
  readonly cwd: string | null;
  readonly files: readonly LogFile[];
}

/** A folder with the logs of one agent for one project. */
export interface FolderPlace {
  readonly format: Format;
  readonly folder: string;
  /** What links may lead to. */
  readonly root: string;
  /** Of a folder that was not made by an agent, only the logs in it and the folders of their names belong to it. */
  readonly only?: (path: string) => boolean;
  readonly isLog: IsLog;
}

/** Where nothing was recognised in what was named, it is told what is there. */
export function findProjects(roots: readonly Root[], problems: Problem[]): ProjectFolder[] {
  return lookInto(roots, problems).flatMap(({ given, places, isKnown }) => {
    if (!isKnown) addAll(problems, sayWhatIsThere(given));
    return places.flatMap((place) => {
      const [project] = projectIn(place, problems);
      if (!project) return [];
      return [place.only ? project : { ...project, cwd: findCwd(project) }];
    });
  });
}

/** In an agent's own folders everything has its place, whether or not anybody knows it. */
export function findFolders(roots: readonly Root[], problems: Problem[]): FolderPlace[] {
  return lookInto(roots, problems).flatMap(({ given, places }) => {
    if (places.length === 0) addAll(problems, sayWhatIsThere(given));
    return places;
  });
}

interface Looked {
  readonly given: string;
  readonly places: readonly FolderPlace[];
  /** Something in it was recognised. */
  readonly isKnown: boolean;
}

function lookInto(roots: readonly Root[], problems: Problem[]): Looked[] {
  return [...Map.groupBy(roots, ({ given }) => given)].map(([given, inside]) => {
    const leftOut: Problem[] = [];
    let isKnown = false;
    const places = inside.flatMap(({ format, path }) => {
      const whose = format && whoseLogs(format, path);
      const found = format
        ? projectFolders(format, whose === 'others' ? [] : listFolders(path, problems), path, problems)
        : looseFolders(path, problems, leftOut);
      isKnown ||= whose === 'own' || (!format && found.length > 0);
      return found;
    });
    if (isKnown) addAll(problems, leftOut);
    return { given, places, isKnown };
  });
}

function projectFolders(format: Format, names: readonly string[], root: string, problems: Problem[]): FolderPlace[] {
  return distinctFolders(root, names).map((folder) => ({
    format,
    folder,
    root,
    isLog: logsIn(format, folder, problems),
  }));
}

/** A link to a folder that is there under its own name brings nothing new. */
function distinctFolders(root: string, names: readonly string[]): string[] {
  const paths = names.map((name) => join(root, name));
  const links = new Set(paths.filter(isLink));
  const own = new Set(paths.filter((path) => !links.has(path)).map((path) => realpath(path)));
  return paths.filter((path) => !links.has(path) || !own.has(realpath(path)));
}

/** What went away since it was listed is told by whoever reads it. */
function isLink(path: string): boolean {
  try {
    return lstatSync(onDisk(path)).isSymbolicLink();
  } catch {
    return false;
  }
}

const ASKED = 8;

/** Sessions are asked before sub-agents, which may work elsewhere. */
export function findCwd({ format, id, files }: ProjectFolder): string | null {
  const sessions = files.filter(({ facts, size }) => facts.role === 'session' && size > 0);
  const others = files.filter(({ facts, size }) => facts.role === 'subagent' && size > 0);
  for (const file of [...sessions, ...others].slice(0, ASKED)) {
    const cwd = format.cwdOf(firstLinesOf(file), id);
    if (cwd !== null) return cwd;
  }
  return null;
}

function projectIn(place: FolderPlace, problems: Problem[]): ProjectFolder[] {
  const { format, folder } = place;
  const found: FoundFiles = findFiles(place);
  addAll(problems, found.problems);
  return found.files.length > 0 ? [{ format, id: basename(folder), folder, cwd: null, files: found.files }] : [];
}

/** The logs that lie directly in a folder, with the folders of their names; one place per format. */
function looseFolders(folder: string, problems: Problem[], leftOut: Problem[]): FolderPlace[] {
  const byFormat = new Map<Format, Set<string>>();
  for (const name of listFiles(folder, problems)) {
    if (!name.endsWith('.jsonl') || isPromptHistory(name)) continue;
    const path = join(folder, name);
    const { format, other } = recogniseFile(path);
    if (!format) {
      if (statsOf(path)?.size) leftOut.push({ path, message: saysWhose(path, other) });
      continue;
    }
    const stems = byFormat.get(format) ?? new Set();
    stems.add(name.slice(0, -'.jsonl'.length));
    byFormat.set(format, stems);
  }
  return [...byFormat].map(([format, stems]) => loosePlace(format, folder, stems, problems));
}

function loosePlace(
  format: Format,
  folder: string,
  stems: ReadonlySet<string>,
  problems: Problem[],
): FolderPlace & { readonly only: IsLog } {
  return { format, folder, root: folder, only: belongsTo(stems), isLog: logsIn(format, folder, problems) };
}

/** It lies beside a folder of projects, and is no log. */
const isPromptHistory = (name: string): boolean => formats.some(({ promptHistory }) => promptHistory?.name === name);

const belongsTo =
  (stems: ReadonlySet<string>) =>
  (path: string): boolean =>
    stems.has((path.split('/')[0] ?? '').replace(/\.jsonl$/, ''));

/** One file that lies anywhere, with the folder of its own name beside it. */
export function findLoneFile(path: string, problems: Problem[]): ProjectFolder | null {
  const { format: known, other, isRubbish } = recogniseFile(path);
  // A file that was asked for by name is read in any case: where nobody wrote its lines, each is reported.
  const format = known ?? (isRubbish && other === null ? formats[0] : undefined);
  if (!format) {
    problems.push({ path, message: whyUnread(path, other) });
    return null;
  }
  const stem = basename(path).replace(/\.jsonl$/, '');
  const folder = dirname(path);
  return projectIn(loosePlace(format, folder, new Set([stem]), problems), problems)[0] ?? null;
}

const whyUnread = (path: string, other: string | null): string =>
  other === null
    ? `${path} is not a log that Skein knows`
    : `${path} is not a log that Skein reads: it looks like ${other}`;
