import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve, sep } from 'node:path';
import { demoFiles } from '../demo/index.ts';
import { claudeCode } from '../formats/claude-code/index.ts';
import { SkeinError } from '../model/index.ts';
import { discoverRoots, findLoneFile, findProjects, type LogFile, openRoots, type Problem } from '../sources/index.ts';
import { Project } from './project.ts';
import type { Session } from './session.ts';

export interface HistoryOptions {
  /** Folders to read instead of the places the agents use. */
  readonly roots?: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly home?: string;
}

/**
 * The front door: everything the agents left on this machine.
 *
 *     const history = History.open();
 *     for (const project of history.projects) for (const session of project.sessions()) console.log(session.title());
 */
export class History {
  /** Last written first. */
  readonly projects: readonly Project[];
  /** Where was looked, for telling when nothing was found. */
  readonly looked: readonly string[];
  readonly problems: readonly Problem[];

  private constructor(projects: readonly Project[], looked: readonly string[], problems: readonly Problem[]) {
    this.projects = [...projects].sort((a, b) => b.modified - a.modified || (a.id < b.id ? -1 : 1));
    this.looked = looked;
    this.problems = problems;
  }

  static open(options: HistoryOptions = {}): History {
    const { roots: given, env = process.env, home = homedir() } = options;
    const found = given && given.length > 0 ? openRoots(given) : discoverRoots({ env, home });
    const problems = [...found.problems];
    const projects = findProjects(found.roots, problems).map((source) => new Project(source));
    return new History(projects, found.looked, problems);
  }

  /** One file that lies anywhere, read alone with the folder of its name. */
  static openFile(path: string): History {
    const problems: Problem[] = [];
    const source = findLoneFile(resolve(path), problems);
    return new History(source ? [new Project(source)] : [], [resolve(path)], problems);
  }

  /** The session that comes with Skein, for a machine without any. */
  static demo(): History {
    const project = 'demo';
    const files = demoFiles.flatMap(({ path, text }): LogFile[] => {
      const role = claudeCode.roleOf(path);
      const bytes = new TextEncoder().encode(text);
      const id = `${project}/${path}`;
      if (!role) return [];
      const facts = { id, path: id, format: claudeCode.name, project, branches: claudeCode.branches, ...role };
      return [{ facts, path: id, size: bytes.length, modified: 0, bytes }];
    });
    return new History([new Project({ format: claudeCode, id: project, folder: project, files })], [], []);
  }

  /** The session a text means: an exact id, else a unique beginning or part of one (H22). */
  find(id: string): Session {
    const exact = this.#named((native) => native === id);
    const matches = exact.length > 0 ? exact : this.#matching(id);
    const sessions = new Map(
      matches
        .flatMap(({ project, native }) => sessionOf(project, native))
        .map((session) => [`${session.project.folder}\n${session.id}`, session]),
    );
    const [first, second] = [...sessions.values()];
    if (!first) throw new SkeinError('not_found', `No session found matching '${id}'`);
    if (!second) return first;
    const list = [...sessions.values()].slice(0, 20).map((session) => `  - ${session.id}  ${session.project.id}`);
    throw new SkeinError('ambiguous', `Ambiguous session '${id}'. Matches:\n${list.join('\n')}`);
  }

  #matching(text: string): Named[] {
    const beginning = this.#named((native) => native.startsWith(text));
    return beginning.length > 0 ? beginning : this.#named((native) => native.includes(text));
  }

  /** Sessions are found by the names of files, without reading them; sub-agents lead to theirs. */
  #named(matches: (native: string) => boolean): Named[] {
    const named: Named[] = [];
    for (const project of this.projects) {
      for (const { facts } of project.files) {
        if (facts.role === 'session' && matches(facts.native)) named.push({ project, native: facts.native });
        else if (facts.session !== null && matches(facts.session)) named.push({ project, native: facts.session });
      }
    }
    return named;
  }
}

interface Named {
  readonly project: Project;
  readonly native: string;
}

function sessionOf(project: Project, native: string): Session[] {
  const { tree } = project.read();
  for (const id of tree.sessionIds()) {
    if (id === native || tree.session(id).aliases.includes(native)) return [project.session(id)];
  }
  return [];
}

/** What stands where an id may stand: a path to a file or folder, or an id. */
export function isPath(text: string): boolean {
  return (
    text.endsWith('.jsonl') ||
    text.includes(sep) ||
    text === '.' ||
    text === '..' ||
    (existsSync(text) && statSync(text).isDirectory())
  );
}
