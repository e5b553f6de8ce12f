import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SkeinError } from '../model/index.ts';
import { AppendFile } from './append-file.ts';
import { AppendableSession } from './appendable-session.ts';
import { branchPath } from './branch-path.ts';
import {
  CURRENT_SESSION_VERSION,
  type FileEntry,
  isHeader,
  LEAF_ENTRY,
  type SessionEntry,
  type SessionHeader,
} from './entries.ts';
import { EntryIndex } from './entry-index.ts';
import { findMostRecentSession, findSessionById } from './find-session.ts';
import { examine } from './findings.ts';
import { assertValidSessionId, newSessionId } from './ids.ts';
import { withLines } from './line-numbers.ts';
import { listAllSessions, listSessions } from './list-sessions.ts';
import { loadEntriesFromFile } from './load-entries.ts';
import { migrate, versionOf } from './migrate.ts';
import { defaultDirOf, fileNameOf, getDefaultSessionDir, normalizePath, resolvePath } from './paths.ts';
import { type ReadFile, readFile } from './read-file.ts';
import { createFile, makeDir, replaceFile } from './replace-file.ts';
import { migrateFile } from './rewrite-file.ts';
import type { SessionInfo, SessionListProgress } from './session-info.ts';
import { type SkimmedFile, skimFile } from './skim-file.ts';

export interface NewSessionOptions {
  id?: string;
  parentSession?: string;
}

/** What extensions are given to look at. */
export type ReadonlySessionManager = Pick<
  SessionManager,
  | 'getCwd'
  | 'getSessionDir'
  | 'getSessionId'
  | 'getSessionFile'
  | 'getLeafId'
  | 'getLeafEntry'
  | 'getEntry'
  | 'getLabel'
  | 'getBranch'
  | 'buildContextEntries'
  | 'buildSessionProjection'
  | 'getHeader'
  | 'getEntries'
  | 'getTree'
  | 'getSessionName'
>;

/** A session and the file it is kept in, or the memory alone. */
export class SessionManager extends AppendableSession {
  readonly #cwd: string;
  readonly #sessionDir: string;
  readonly #isPersisted: boolean;
  #sessionFile: string | undefined;
  /** Null: in memory, or the file can only be read. */
  #file: AppendFile | null = null;
  /** A file of version 1 is a list, and cannot hold what is appended to a tree. */
  #isList = false;

  private constructor(cwd: string, sessionDir: string, isPersisted: boolean) {
    super();
    this.#cwd = resolvePath(cwd);
    this.#sessionDir = normalizePath(sessionDir);
    this.#isPersisted = isPersisted;
    if (isPersisted) makeDir(this.#sessionDir);
  }

  /** A new session; its file is there at once. */
  static create(cwd: string, sessionDir?: string, options?: NewSessionOptions): SessionManager {
    const session = new SessionManager(cwd, dirFor(cwd, sessionDir), true);
    session.newSession(options);
    return session;
  }

  /** New sessions and forks go to `sessionDir`, otherwise beside this file. A file that is not there is begun. */
  static open(path: string, sessionDir?: string, cwdOverride?: string): SessionManager {
    const file = resolvePath(path);
    const read = readSession(file);
    const header = read && 'index' in read ? read.header : read?.entries.find(isHeader);
    const cwd = cwdOverride ?? (typeof header?.cwd === 'string' ? header.cwd : process.cwd());
    const session = new SessionManager(cwd, sessionDir ? sessionDir : dirname(file), true);
    session.#switchTo(file, read);
    return session;
  }

  /** The session that was last written to, or a new one. */
  static continueRecent(cwd: string, sessionDir?: string): SessionManager {
    const dir = dirFor(cwd, sessionDir);
    const recent = findMostRecentSession(dir, isShared(cwd, sessionDir) ? cwd : undefined);
    if (recent === null) return SessionManager.create(cwd, sessionDir);
    const session = new SessionManager(cwd, dir, true);
    session.setSessionFile(recent);
    return session;
  }

  /** Without a file; `entries` may come from anywhere. */
  static inMemory(cwd: string = process.cwd(), options?: NewSessionOptions, entries?: FileEntry[]): SessionManager {
    const session = new SessionManager(cwd, '', false);
    const header = entries?.find(isHeader);
    if (!header) session.newSession(options);
    if (entries?.length) {
      if (header) migrate(entries);
      session.#take(header ?? session.header, entries);
    }
    return session;
  }

  /** All branches of another session in a new file of this working folder. */
  static forkFrom(source: string, targetCwd: string, sessionDir?: string, options?: NewSessionOptions): SessionManager {
    const from = resolvePath(source);
    const entries = loadEntriesFromFile(from);
    if (entries.length === 0)
      throw new SkeinError('bad_input', `Cannot fork: source session file is empty or invalid: ${from}`);
    migrate(entries);
    const session = new SessionManager(targetCwd, dirFor(targetCwd, sessionDir), true);
    const header = session.#newHeader({ ...options, parentSession: from });
    session.#begin(header, entries.filter(isEntry));
    return session;
  }

  static findById(cwd: string, id: string, sessionDir?: string): string | undefined {
    return findSessionById(dirFor(cwd, sessionDir), id, isShared(cwd, sessionDir) ? cwd : undefined);
  }

  static list(
    cwd: string,
    sessionDir?: string,
    onProgress?: SessionListProgress,
    signal?: AbortSignal,
  ): Promise<SessionInfo[]> {
    return listSessions(dirFor(cwd, sessionDir), isShared(cwd, sessionDir) ? cwd : undefined, onProgress, signal);
  }

  static listAll(onProgress?: SessionListProgress, signal?: AbortSignal): Promise<SessionInfo[]>;
  static listAll(sessionDir?: string, onProgress?: SessionListProgress, signal?: AbortSignal): Promise<SessionInfo[]>;
  static listAll(
    first?: string | SessionListProgress,
    second?: SessionListProgress | AbortSignal,
    third?: AbortSignal,
  ): Promise<SessionInfo[]> {
    const onProgress = [first, second].find((each) => typeof each === 'function');
    const signal = [second, third].find((each) => each instanceof AbortSignal);
    if (typeof first === 'string' && first !== '')
      return listSessions(normalizePath(first), undefined, onProgress, signal);
    return listAllSessions(onProgress, signal);
  }

  isPersisted(): boolean {
    return this.#isPersisted;
  }

  getCwd(): string {
    return this.#cwd;
  }

  getSessionDir(): string {
    return this.#sessionDir;
  }

  usesDefaultSessionDir(): boolean {
    return this.#sessionDir === defaultDirOf(this.#cwd);
  }

  getSessionId(): string {
    return this.header?.id ?? '';
  }

  getSessionFile(): string | undefined {
    return this.#sessionFile;
  }

  /** False if the file has no header: it would be lost on whoever reads it. */
  isWritable(): boolean {
    return !this.#isPersisted || this.#file !== null;
  }

  /** Goes on with another file. */
  setSessionFile(sessionFile: string): void {
    const file = resolvePath(sessionFile);
    this.#switchTo(file, readSession(file));
  }

  /** Goes on with a new session, and gives its file. */
  newSession(options?: NewSessionOptions): string | undefined {
    this.#begin(this.#newHeader(options), []);
    return this.#sessionFile;
  }

  /**
   * Goes on with a new session that has the path down to this entry, and gives its file; undefined in memory. The old file stays as
   * it is.
   */
  createBranchedSession(leafId: string): string | undefined {
    const path = this.index.path(leafId);
    if (path.length === 0) throw new SkeinError('not_found', `Entry ${leafId} not found`);
    const parentSession = this.#sessionFile;
    const header = this.#newHeader(parentSession === undefined ? {} : { parentSession });
    this.#begin(header, branchPath(path, this.index.labels));
    return this.#sessionFile;
  }

  /** Writes a file of an older version anew in the current one, whole or not at all. Says whether there was something to do. */
  migrateFile(): boolean {
    const file = this.#sessionFile;
    if (!this.#file || file === undefined || !migrateFile(file)) return false;
    this.#isList = false;
    this.#attach(file, readFile(file));
    return true;
  }

  /** Returns when everything is on the disk. */
  flush(): void {
    this.#file?.flush();
  }

  /** Flushes. Whoever opens the file finds the leaf where it is now: at its last entry. */
  close(): void {
    if (this.#file && this.leafId !== (this.index.last?.id ?? null)) this.appendCustomEntry(LEAF_ENTRY);
    try {
      this.flush();
    } finally {
      this.#file?.close();
    }
  }

  protected override write(entry: SessionEntry): void {
    if (!this.#isPersisted) return;
    if (!this.#file)
      throw new SkeinError(
        'unwritable',
        `${this.#sessionFile} does not begin with a session header: it can only be read`,
      );
    const line = JSON.stringify(entry);
    if (this.#isList) this.migrateFile();
    this.#file.append(line);
  }

  #newHeader({ id, parentSession }: NewSessionOptions = {}): SessionHeader {
    if (id !== undefined) assertValidSessionId(id);
    return {
      type: 'session',
      version: CURRENT_SESSION_VERSION,
      id: id ?? newSessionId(),
      timestamp: new Date().toISOString(),
      cwd: this.#cwd,
      ...(parentSession === undefined ? {} : { parentSession }),
    };
  }

  /** Makes these the session; their file is written first, so that nothing has changed if it cannot be. */
  #begin(header: SessionHeader, entries: readonly SessionEntry[]): void {
    const path = this.#pathFor(header);
    if (path !== undefined) {
      // Its name has the id in it: nobody else begins it.
      if (entries.length > 0) replaceFile(path, [header, ...entries].map(lineOf));
      else createFile(path, lineOf(header));
      this.#sessionFile = path;
      this.#attach(path, { size: statSync(path).size, isTorn: false });
    }
    this.#isList = false;
    this.#take(header, entries);
  }

  #pathFor({ timestamp, id }: SessionHeader): string | undefined {
    return this.#isPersisted ? join(this.#sessionDir, fileNameOf(timestamp, id)) : undefined;
  }

  #switchTo(path: string, read: ReadFile | SkimmedFile | null): void {
    if (read === null) {
      makeDir(dirname(path));
      // Another process may begin it at the same time: then it is there now.
      createFile(path, lineOf(this.#newHeader()));
      this.#switchTo(path, readFile(path));
      return;
    }
    this.#sessionFile = path;
    if ('index' in read) {
      this.#attach(path, { size: read.size, isTorn: false });
      this.#isList = false;
      this.#take(read.header, read.index);
      this.findings = read.findings;
      return;
    }
    this.#attach(path, read);
    if (read.size === 0) {
      this.#take(this.#newHeader(), []);
      this.#file?.append(JSON.stringify(this.header));
      return;
    }
    if (!read.hasHeader) this.#file = null;
    this.#isList = read.hasHeader && versionOf(read.entries) < 2;
    if (read.hasHeader) migrate(read.entries);
    this.#take(read.hasHeader ? (read.entries.find(isHeader) ?? null) : null, read.entries);
    this.titleSlot = read.titleSlot;
    this.findings = [...read.findings, ...examine(withLines(read), this.index)];
  }

  #attach(path: string, end: { size: number; isTorn: boolean }): void {
    this.#file?.close();
    this.#file = new AppendFile(path, end, () => [this.header, ...this.index.entries].map(lineOf));
  }

  #take(header: SessionHeader | null, entries: readonly FileEntry[] | EntryIndex): void {
    this.header = header;
    this.index = entries instanceof EntryIndex ? entries : new EntryIndex(entries);
    this.leafId = this.index.last?.id ?? null;
    this.titleSlot = undefined;
    this.findings = [];
  }
}

/** Null: there is no such file. */
const readSession = (file: string): ReadFile | SkimmedFile | null =>
  existsSync(file) ? (skimFile(file) ?? readFile(file)) : null;

const isEntry = (entry: FileEntry): entry is SessionEntry => entry.type !== 'session';
const lineOf = (entry: FileEntry | null): string => `${JSON.stringify(entry)}\n`;

const dirFor = (cwd: string, sessionDir?: string): string =>
  sessionDir ? normalizePath(sessionDir) : getDefaultSessionDir(cwd);

/** A folder that was chosen may hold the sessions of other working folders too. */
const isShared = (cwd: string, sessionDir?: string): boolean =>
  sessionDir !== undefined && normalizePath(sessionDir) !== defaultDirOf(cwd);
