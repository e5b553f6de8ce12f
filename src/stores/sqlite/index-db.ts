import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '../../files/make-folder.ts';
import { SkeinError } from '../../model/index.ts';
import type {
  FindingCounts,
  IndexBatch,
  IndexReader,
  IndexStore,
  StoredSessionQuery,
  TextEntry,
  TextPart,
  TextQuery,
  TextRun,
  UsageQuery,
  Window,
} from '../index-store.ts';
import type { StoreShare } from '../store.ts';
import { checked } from './checked-json.ts';
import { explain, explained, isDamage, transaction } from './database.ts';
import {
  FINDINGS,
  readChanges,
  readChunks,
  readFiles,
  readFindings,
  readFound,
  readMessages,
  readPlaces,
  readProjects,
  readSessionNames,
  readSessions,
  readTitle,
  readTrees,
  readUsages,
} from './index-read.ts';
import { INDEX_INDEXES } from './index-schema.ts';
import { IndexWriter } from './index-write.ts';
import { hasText, markDamaged, openAgain, openForReading, openForWriting, swapIn, type Unfit } from './open-index.ts';
import { prepared } from './prepared.ts';
import { TextReader } from './text-read.ts';

export interface IndexOptions {
  /** Looks at every page: also at those that nobody would read for a while. */
  readonly verify?: boolean;
  /** Rebuilds it, whatever the one that is there says. */
  readonly anew?: boolean;
  /** Whether it has full text: one that is otherwise is rebuilt. Without it any will do, and a new one has. */
  readonly text?: boolean | undefined;
}

/** The index as a file of SQLite. */
export class SqliteIndex implements IndexStore, IndexReader {
  /** Why it is rebuilt or made; null: it was there and is fit. */
  readonly unfit: Unfit | null;
  readonly #path: string;
  #db: DatabaseSync;
  #beside: string | null;
  #writer: IndexWriter | null;
  #isClean: boolean;
  #isShared = false;
  #text: TextReader | null = null;

  private constructor(path: string, db: DatabaseSync, beside: string | null, unfit: Unfit | null, writes: boolean) {
    this.#path = path;
    this.#db = db;
    this.#beside = beside;
    this.unfit = unfit;
    this.#writer = writes ? new IndexWriter(db) : null;
    this.#isClean = this.#meta('clean') !== null;
  }

  static open(path: string, { verify = false, anew = false, text }: IndexOptions = {}): SqliteIndex {
    explained(path, () => makeFolder(dirname(path)));
    const { db, beside, unfit } = openForWriting(path, { verify, anew, ...(text !== undefined && { text }) });
    return new SqliteIndex(path, db, beside, unfit, true);
  }

  /** Null when there is none that can be read: it has to be made or rebuilt first. */
  static openToRead(path: string): SqliteIndex | null {
    const db = openForReading(path);
    return db && new SqliteIndex(path, db, null, null, false);
  }

  /** One that another thread has open to write, and keeps sound. */
  static openShared(path: string): SqliteIndex {
    const index = new SqliteIndex(path, openAgain(path), null, null, true);
    index.#isShared = true;
    return index;
  }

  async share(): Promise<StoreShare> {
    // That it is being written is marked once, here.
    this.#change(() => undefined);
    return { store: 'sqlite', path: this.#beside ?? this.#path };
  }

  apply(batch: IndexBatch): Promise<number> {
    return this.#revise((writer, revision) => {
      writer.apply(batch, revision);
      for (const key of batch.dropTrees ?? []) this.#dropMeta(FINDINGS + key);
    });
  }

  async reserveVolumes(count: number): Promise<number> {
    return this.#ask((db) => transaction(db, () => this.#reserve(count)));
  }

  async addText(text: TextEntry): Promise<number> {
    const revision = await this.#revise((writer) => writer.addText(text));
    // On its own, so that what was added is there before volumes are put together. Rows of what another thread wrote may not be there yet.
    if (text.volume && !this.#isShared) this.#change((writer) => writer.joinText(() => this.#reserve(1), false));
    return revision;
  }

  async search(query: TextQuery, run: TextRun = {}): Promise<TextPart> {
    return this.#askAtOnce((db) => {
      this.#text ??= new TextReader(db);
      return this.#text.search(query, run, this.#meta('revision') ?? 0);
    });
  }

  places = async (ids: readonly bigint[]) => this.#askAtOnce((db) => readPlaces(db, ids));
  found = async (ids: readonly bigint[]) => this.#askAtOnce((db) => readFound(db, ids));
  title = async (session: { readonly tree: string; readonly id: string }) => this.#ask((db) => readTitle(db, session));

  hasText = async () => this.#ask(hasText);

  async revision(): Promise<number> {
    return this.#meta('revision') ?? 0;
  }

  trees = async () => this.#ask(readTrees);
  files = async (tree?: string) => this.#ask((db) => readFiles(db, tree));
  chunks = async (tree: string) => this.#ask((db) => readChunks(db, tree));
  changesSince = async (revision: number, limit: number) =>
    this.#ask((db) => readChanges(db, revision, limit, this.#meta('revision') ?? 0));
  projects = async () => this.#ask(readProjects);
  sessions = async (query: StoredSessionQuery = {}) => this.#ask((db) => readSessions(db, query));
  usages = async (query: UsageQuery = {}) => this.#ask((db) => readUsages(db, query));
  messages = async (session: { readonly tree: string; readonly id: string }, window: Window) =>
    this.#ask((db) => readMessages(db, session, window));
  isComplete = (tree: string) => this.#ask(readTrees).some(({ key, complete }) => key === tree && complete);
  filesOf = (tree?: string) => this.#ask((db) => readFiles(db, tree));
  chunksOf = (tree: string) => this.#ask((db) => readChunks(db, tree));
  sessionNames = (tree: string) => this.#ask((db) => readSessionNames(db, tree));

  async digest(): Promise<string> {
    // Few ask for it.
    const { digestOf } = await import('./index-digest.ts');
    return this.#ask(digestOf);
  }

  async dropTree(tree: string): Promise<void> {
    this.#change((writer) => {
      writer.dropTree(tree);
      this.#dropMeta(FINDINGS + tree);
    });
    this.#wipe();
  }

  async dropSession(tree: string, id: string, files: readonly string[]): Promise<void> {
    this.#change((writer) => writer.dropSession(tree, id, files));
    this.#wipe();
  }

  async setFindings(tree: string, counts: FindingCounts): Promise<void> {
    this.#setMeta(FINDINGS + tree, checked(JSON.stringify(counts)));
  }

  findings = async (tree?: string) => this.#ask((db) => readFindings(db, tree ?? null));

  async stamp(): Promise<string | null> {
    return this.#meta<string>('stamp');
  }

  async setStamp(stamp: string): Promise<void> {
    this.#setMeta('stamp', stamp);
  }

  async addIndexes(): Promise<void> {
    this.#ask((db) => db.exec(INDEX_INDEXES));
  }

  async sync(): Promise<void> {
    this.#checkpoint('passive');
  }

  async settle(): Promise<void> {
    if (!this.#writer) return;
    if (!this.#isClean) {
      this.#change((writer) => writer.joinText(() => this.#reserve(1), true));
      await this.addIndexes();
      this.#checkpoint('truncate');
      this.#setMeta('clean', 1);
      this.#isClean = true;
    }
    if (this.#beside === null) return;
    this.#db.close();
    swapIn(this.#beside, this.#path);
    this.#beside = null;
    this.#db = openForWriting(this.#path).db;
    this.#text = null;
    this.#writer = new IndexWriter(this.#db);
  }

  async close(): Promise<void> {
    if (this.#db.isOpen) this.#db.close();
  }

  /** Its own commits do not wait for the disk. */
  #checkpoint(how: 'passive' | 'truncate'): void {
    this.#ask((db) => db.exec(`pragma synchronous = normal; pragma wal_checkpoint(${how}); pragma synchronous = off`));
  }

  #reserve(count: number): number {
    const first = this.#meta('volumes') ?? 1;
    this.#setMeta('volumes', first + count);
    return first;
  }

  /** A change with a revision; another thread may have made the last one. */
  async #revise(change: (writer: IndexWriter, revision: number) => void): Promise<number> {
    let revision = 0;
    this.#change((writer) => {
      revision = (this.#meta('revision') ?? 0) + 1;
      change(writer, revision);
      this.#setMeta('revision', revision);
    });
    return revision;
  }

  #change(change: (writer: IndexWriter) => void): void {
    const writer = this.#writer;
    if (!writer) throw new SkeinError('bad_input', `The index ${this.#path} was opened to be read only`);
    this.#ask((db) => {
      db.exec('begin immediate');
      try {
        if (this.#isClean) db.exec(`delete from meta where name in ('clean', 'stamp')`);
        change(writer);
        db.exec('commit');
        this.#isClean = false;
      } catch (error) {
        if (db.isTransaction) db.exec('rollback');
        writer.forget();
        throw error;
      }
    });
  }

  /** Deleting leaves the bytes in free pages and in the log of changes. */
  #wipe(): void {
    this.#change((writer) => {
      writer.purgeText(() => this.#reserve(1));
      writer.dropNames();
    });
    this.#ask((db) => db.exec('vacuum; pragma wal_checkpoint(truncate)'));
  }

  /** Many questions, as things were when the first was asked; each on its own would also lock and unlock the file. */
  #askAtOnce<T>(questions: (db: DatabaseSync) => T): T {
    return this.#ask((db) => {
      db.exec('begin');
      try {
        return questions(db);
      } finally {
        if (db.isTransaction) db.exec('commit');
      }
    });
  }

  #ask<T>(question: (db: DatabaseSync) => T): T {
    try {
      return question(this.#db);
    } catch (error) {
      if (!isDamage(error) && !isUndecodable(error)) throw explain(this.#path, error);
      markDamaged(this.#beside ?? this.#path);
      throw new SkeinError(
        'damaged',
        `The index ${this.#path} is damaged; the next run of \`skein index\` rebuilds it`,
        error,
      );
    }
  }

  #meta<Value = number>(name: string): Value | null {
    const row = this.#ask((db) => prepared(db, 'select value from meta where name = ?').get(name));
    return (row as { value: Value } | undefined)?.value ?? null;
  }

  #dropMeta(name: string): void {
    this.#ask((db) => prepared(db, 'delete from meta where name = ?').run(name));
  }

  #setMeta(name: string, value: number | string): void {
    this.#ask((db) => prepared(db, 'insert or replace into meta values (?, ?)').run(name, value));
  }
}

/** What was read cannot be unpacked or parsed; neither SQLite, nor the file system, nor Skein itself refuses it. */
const isUndecodable = (error: unknown): boolean =>
  error instanceof Error && !(error instanceof SkeinError) && !('errcode' in error) && !('syscall' in error);
