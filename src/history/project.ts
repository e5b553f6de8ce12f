import { type Accounting, type Finding, type ReadOptions, ruleOf, type SessionId, severityOf } from '../model/index.ts';
import { type LogFile, type Problem, type ProjectFolder, readLog } from '../sources/index.ts';
import { Tree } from '../tree/index.ts';
import { Session } from './session.ts';

/** The logs of one agent in one working folder. Its files are read when its tree is first asked for. */
export class Project {
  readonly id: string;
  readonly agent: string;
  readonly folder: string;
  readonly files: readonly LogFile[];
  readonly #source: ProjectFolder;
  #read: ReadProject | null = null;

  constructor(source: ProjectFolder) {
    this.#source = source;
    this.id = source.id;
    this.agent = source.format.name;
    this.folder = source.folder;
    this.files = source.files;
  }

  /** When one of its files was last written, epoch milliseconds: known without reading. */
  get modified(): number {
    return this.files.reduce((newest, file) => Math.max(newest, file.modified), 0);
  }

  /** With `survey` everything that no known version has is named in the tree's findings, which takes longer. */
  read({ survey = false }: ReadOptions = {}): ReadProject {
    if (!this.#read || (survey && !this.#read.surveyed)) this.#read = readProject(this.#source, survey);
    return this.#read;
  }

  /** Forgets what was read, so that many projects can be gone through in bounded memory. */
  close(): void {
    this.#read = null;
  }

  /** Newest first. */
  sessions(): Session[] {
    const { tree } = this.read();
    const sessions = tree.sessionIds().map((id) => this.session(id));
    return sessions.sort((a, b) => (b.facts.endedAt ?? 0) - (a.facts.endedAt ?? 0) || (a.id < b.id ? -1 : 1));
  }

  session(id: SessionId): Session {
    return new Session(this, this.#source.format, this.read().tree.session(id));
  }
}

/** A project's tree, and what was seen while reading it. */
export interface ReadProject {
  readonly tree: Tree;
  readonly problems: readonly Problem[];
  /** Lines per file as counted while splitting, for the accounting sum. */
  readonly lines: ReadonlyMap<string, number>;
  readonly bytes: number;
  readonly surveyed: boolean;
}

function readProject({ format, files }: ProjectFolder, survey: boolean): ReadProject {
  const tree = new Tree();
  const problems: Problem[] = [];
  const lines = new Map<string, number>();
  let bytes = 0;
  for (const file of files) {
    tree.feed(file.facts, []);
    const read = readLog(format, file, (batch) => tree.feed(file.facts, batch), { survey });
    if (read.problem) problems.push(read.problem);
    if (file.facts.role !== 'sidecar') lines.set(file.facts.id, read.lines);
    bytes += read.bytes;
  }
  tree.commit();
  return { tree, problems, lines, bytes, surveyed: survey };
}

/** What `check` says about some files of a project. */
export interface Check {
  readonly files: number;
  readonly lines: number;
  readonly accounted: Accounting;
  readonly findings: readonly Finding[];
}

export function checkProject(project: Project, only?: readonly string[]): Check {
  const { tree, lines, problems } = project.read({ survey: true });
  const files = (only ?? [...lines.keys()]).filter((id) => lines.has(id));
  const findings = [...tree.findings(only)];
  for (const { path, message } of problems) findings.push(unreadable(path, message));
  return {
    files: files.length,
    lines: files.reduce((sum, id) => sum + (lines.get(id) ?? 0), 0),
    accounted: tree.accounting(files),
    findings,
  };
}

export const unreadable = (path: string, message: string): Finding => ({
  rule: ruleOf('unreadable_file'),
  type: 'unreadable_file',
  severity: severityOf('unreadable_file'),
  message,
  file: path,
  line: null,
  uuid: null,
  version: null,
  count: 1,
});
