import type { Change, FileId, Format, Parsed, ReadOptions } from '../model/index.ts';
import { FollowedLog, type LogFile, type Problem, readLines, readLog } from '../sources/index.ts';
import { Tree } from '../tree/index.ts';
import { LineReader } from './line-reader.ts';
import type { Unread } from './unread.ts';

/** The logs of one agent in one project. Its files are read when its tree is first asked for. */
export class Logs {
  readonly format: Format;
  readonly files: readonly LogFile[];
  /** What single lines say, read again. */
  readonly lines: LineReader;
  #read: ReadLogs | null = null;
  /** By file: what could not be read when all of it was. */
  readonly #problems = new Map<FileId, Unread>();
  #byId: ReadonlyMap<FileId, LogFile> | null = null;

  readonly #stored: () => Tree | null;

  /** `stored` gives the tree where it need not be read. */
  constructor(format: Format, files: readonly LogFile[], stored: () => Tree | null = () => null) {
    this.format = format;
    this.files = files;
    this.#stored = stored;
    this.lines = new LineReader(this);
  }

  /** With `survey` everything that no known version has is named in the tree's findings, which takes longer. */
  read({ survey = false }: ReadOptions = {}): ReadLogs {
    if (!this.#read && !survey) this.#read = asRead(this.#stored());
    if (!this.#read || (survey && !this.#read.surveyed)) this.#read = this.#readFiles(this.files, survey);
    return this.#read;
  }

  /** What of the files could not be read so far, whoever asked for it. */
  get unread(): Unread[] {
    const lines = this.lines.unread;
    const told = new Set(lines.map(({ path }) => path));
    return [...lines, ...[...this.#problems.values()].filter(({ path }) => !told.has(path))];
  }

  /**
   * Reads again and stays at the end of some files: `poll` adds what was written to them since. It gives null when one of them was
   * replaced; following begins anew then.
   */
  follow(ids: ReadonlySet<FileId>): () => Change | null {
    const followed = this.files
      .filter(({ facts }) => ids.has(facts.id))
      .map((file) => new FollowedLog(this.format, file));
    const others = this.files.filter(({ facts }) => !ids.has(facts.id));
    this.#read = this.#readFiles(others, false);
    // What the line reader holds may be of files that were replaced, by others that begin with the same.
    this.lines.close();
    const { tree } = this.#read;
    return () => {
      for (const log of followed) {
        const lines = log.read();
        if (lines === null) return null;
        if (lines.length > 0) this.lines.close();
        tree.feed(log.file.facts, lines);
      }
      return tree.commit();
    };
  }

  /** The lines of one file, in its order, with what they say. */
  eachLine(file: LogFile, take: (line: Parsed) => void): void {
    const { problem } = readLines(this.format, file, take, { survey: false });
    if (problem) this.#miss(file, problem);
  }

  /** Forgets what was read, so that many projects can be gone through in bounded memory. */
  close(): void {
    this.#read = null;
    this.lines.close();
  }

  file(id: FileId): LogFile | undefined {
    this.#byId ??= new Map(this.files.map((file) => [file.facts.id, file]));
    return this.#byId.get(id);
  }

  #readFiles(files: readonly LogFile[], survey: boolean): ReadLogs {
    const tree = new Tree();
    const problems: Problem[] = [];
    const lines = new Map<string, number>();
    let bytes = 0;
    for (const file of files) {
      tree.feed(file.facts, []);
      const read = readLog(this.format, file, (batch) => tree.feed(file.facts, batch), { survey });
      this.#problems.delete(file.facts.id);
      if (read.problem) {
        problems.push(read.problem);
        this.#miss(file, read.problem);
      }
      if (file.facts.role !== 'sidecar') lines.set(file.facts.id, read.lines);
      bytes += read.bytes;
    }
    tree.commit();
    return { tree, problems, lines, bytes, surveyed: survey };
  }

  #miss({ facts }: LogFile, problem: Problem): void {
    if (problem.isRead) return;
    this.#problems.set(facts.id, { ...problem, file: facts.id, line: null, count: 1 });
  }
}

/** The tree of some logs, and what was seen while reading them. */
export interface ReadLogs {
  readonly tree: Tree;
  readonly problems: readonly Problem[];
  /** Lines per file as counted while splitting, for the accounting sum. */
  readonly lines: ReadonlyMap<string, number>;
  readonly bytes: number;
  readonly surveyed: boolean;
}

/** A survey reads the files themselves, and so does whoever counts their lines. */
const asRead = (tree: Tree | null): ReadLogs | null =>
  tree && { tree, problems: [], lines: new Map(), bytes: 0, surveyed: false };
