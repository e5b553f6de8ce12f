import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { type ArchiveReader, SkeinError } from '../../model/index.ts';
import type { Append, Archive, ArchivedFile, Batch, Damage, Run, StoreShare, Totals } from '../store.ts';
import { type Block, openBlock } from './blocks.ts';
import { explain, explained, openDatabase, openForReading, type Schema, transaction } from './database.ts';
import { joinForgotten, readForgotten, writeForgotten } from './forgotten.ts';
import { freeBytes } from './free-bytes.ts';
import { type Prepared, prepareAppend } from './prepare-append.ts';
import { COLUMNS, fileOf, isSound, type SummedRow, sumOfValues } from './rows.ts';
import { archiveSteps } from './schema.ts';
import { wipe } from './wipe.ts';

/** Milliseconds to wait for what another thread writes; on a slow disk that takes long. */
const TURN = 60_000;

const SCHEMA: Schema = { steps: archiveSteps, functions: { sum_of: (...values) => sumOfValues(values) } };
const SUMMED = `${COLUMNS}, sum`;

interface OpenBlock {
  readonly start: number;
  readonly bytes: Uint8Array;
}

/** An archive in one SQLite file. */
export class SqliteArchive implements Archive, ArchiveReader {
  readonly #path: string;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** Batches are written one after the other. */
  #last: Promise<unknown> = Promise.resolve();
  #open: (OpenBlock & { readonly file: number }) | null = null;

  private constructor(path: string, database: DatabaseSync) {
    this.#path = path;
    this.#database = database;
  }

  /** For writing: the caller holds the lock of the data folder. */
  static open(path: string, { forgottenLost = false } = {}): SqliteArchive {
    refuseEmptied(path);
    const archive = new SqliteArchive(path, openDatabase(path, SCHEMA));
    try {
      archive.#healForgotten(forgottenLost);
      archive.#finishWiping();
      return archive;
    } catch (error) {
      archive.closeNow();
      throw error;
    }
  }

  /** One that another thread has open to write. They take turns. */
  static openShared(path: string): SqliteArchive {
    const archive = new SqliteArchive(path, openDatabase(path, SCHEMA));
    archive.#database.exec(`pragma busy_timeout = ${TURN}`);
    return archive;
  }

  async share(): Promise<StoreShare> {
    return { store: 'sqlite', path: this.#path };
  }

  static openForReading(path: string): SqliteArchive {
    refuseEmptied(path);
    return new SqliteArchive(path, openForReading(path, SCHEMA));
  }

  async files(query: { readonly older?: boolean } = {}): Promise<readonly ArchivedFile[]> {
    return this.#files(query.older === true);
  }

  keptFiles(): readonly ArchivedFile[] {
    return this.#files(false);
  }

  apply(batch: Batch): Promise<readonly ArchivedFile[]> {
    const written = this.#last.then(() => this.#apply(batch));
    this.#last = written.catch(() => undefined);
    return written.catch((error) => {
      throw explain(this.#path, error);
    });
  }

  async read(id: number, offset: number, length: number): Promise<Uint8Array> {
    return this.readKept(id, offset, length);
  }

  readKept(id: number, offset: number, length: number): Uint8Array {
    return explained(this.#path, () => {
      const pieces: Uint8Array[] = [];
      for (let at = offset; at < offset + length; ) {
        const block = this.#blockAt(id, at);
        if (!block) break;
        const piece = block.bytes.subarray(at - block.start, offset + length - block.start);
        if (piece.length === 0) break;
        pieces.push(piece);
        at += piece.length;
      }
      return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
    });
  }

  *passKept(id: number): Generator<Uint8Array> {
    for (let at = 0; ; ) {
      const block = explained(this.#path, () => this.#readBlock(id, at));
      if (!block) return;
      const { start, bytes } = block;
      const end = start + bytes.length;
      try {
        yield bytes.subarray(at - start);
      } finally {
        // A hundred megabytes of them would wait for the garbage collector, and make it look through everything again and again.
        freeBytes(bytes);
      }
      at = end;
    }
  }

  async forget(ids: readonly number[], tombstones: readonly string[]): Promise<void> {
    await this.#last;
    const before = this.forgotten();
    // First beside the archive: killed in between, what is remembered is forgotten by the next who opens it.
    writeForgotten(this.#path, new Set([...before, ...tombstones]));
    explained(this.#path, () => {
      try {
        transaction(this.#database, () => {
          for (const id of ids) this.#remove(id);
          this.#insertForgotten(tombstones);
          this.#setFact('wipe', 1);
        });
      } catch (error) {
        writeForgotten(this.#path, before);
        throw error;
      }
      this.#open = null;
      this.#wipe();
    });
  }

  /** What is not to come back, where no file of it is here. */
  async remember(tombstones: readonly string[]): Promise<void> {
    writeForgotten(this.#path, new Set([...this.forgotten(), ...tombstones]));
    explained(this.#path, () => transaction(this.#database, () => this.#insertForgotten(tombstones)));
  }

  async tombstones(): Promise<ReadonlySet<string>> {
    return this.forgotten();
  }

  forgotten(): ReadonlySet<string> {
    const beside = readForgotten(this.#path) ?? [];
    return new Set([...explained(this.#path, () => this.#inTable()), ...beside]);
  }

  async unfinished(): Promise<ReadonlySet<string>> {
    const inTable = explained(this.#path, () => this.#inTable());
    return new Set([...this.forgotten()].filter((hash) => !inTable.has(hash)));
  }

  async verify(): Promise<readonly Damage[]> {
    return explained(this.#path, () => {
      const [first] = this.#statement('pragma integrity_check(1)').all() as unknown as Record<string, string>[];
      const said = Object.values(first ?? {})[0] ?? 'no answer';
      if (said !== 'ok') throw Object.assign(new Error(said), { errcode: 11 });
      return this.#files(true).flatMap((file): Damage[] => {
        const message = this.#verifyFile(file);
        return message === null ? [] : [{ file, message }];
      });
    });
  }

  async totals(): Promise<Totals> {
    return explained(this.#path, () => {
      const sum = (where: string) =>
        this.#statement(
          `select count(*) as files, coalesce(sum(size), 0) as bytes from file where ${where}`,
        ).get() as unknown as { files: number; bytes: number };
      const current = sum('replaced_at is null');
      const artifacts = sum(`replaced_at is null and kind = 'artifact'`);
      const gone = sum('replaced_at is null and gone_at is not null');
      const older = sum('replaced_at is not null');
      const { damaged } = this.#statement('select count(*) as damaged from damage').get() as { damaged: number };
      const { stored } = this.#statement(
        'select coalesce(sum(length(data)), 0) as stored from block',
      ).get() as unknown as { stored: number };
      return {
        files: current.files,
        bytes: current.bytes,
        artifacts: artifacts.files,
        artifactBytes: artifacts.bytes,
        gone: gone.files,
        goneBytes: gone.bytes,
        older: older.files,
        olderBytes: older.bytes,
        damaged,
        storedBytes: stored,
        lastRun: this.#lastRun(),
      };
    });
  }

  async sync(): Promise<void> {
    await this.#last;
    explained(this.#path, () => this.#database.exec('pragma wal_checkpoint(passive)'));
  }

  async close(): Promise<void> {
    await this.#last;
    this.closeNow();
  }

  closeNow(): void {
    if (this.#database.isOpen) this.#database.close();
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }

  #files(older: boolean): ArchivedFile[] {
    return explained(this.#path, () => {
      const rows = this.#statement(
        `select ${SUMMED} from file ${older ? '' : 'where replaced_at is null'} order by root, agent, project, path, generation`,
      ).all() as unknown as SummedRow[];
      return rows.map(soundFile);
    });
  }

  #apply({ at, appends, gone = [], damaged, run }: Batch): ArchivedFile[] {
    const prepared = appends.map((append) => this.#prepare(append));
    const files = transaction(this.#database, () => {
      const ids = prepared.map((each) => this.#write(each, at));
      const markGone = this.#statement('update file set gone_at = ? where id = ? and gone_at is null');
      for (const id of gone) markGone.run(at, id);
      this.#sum([...ids, ...gone, ...prepared.flatMap(({ known }) => known?.id ?? [])]);
      if (damaged) {
        this.#database.exec('delete from damage');
        const insert = this.#statement('insert or replace into damage values (?, ?)');
        for (const { file, message } of damaged) insert.run(file, message);
      }
      if (run) {
        this.#database.exec('delete from run');
        this.#statement('insert into run values (?, ?)').run(run.startedAt, run.endedAt);
      }
      return ids.map((id) => this.#file(id));
    });
    for (const each of prepared) if (each.how !== 'touch') for (const { data } of each.blocks) freeBytes(data);
    return files;
  }

  #prepare(append: Append): Prepared {
    const known = this.#current(append);
    return prepareAppend(append, known, (start) => this.#takeBlock(known?.id ?? 0, start));
  }

  /** Gives the number of the file. */
  #write(prepared: Prepared, at: number): number {
    // Nothing that is not committed may be found here when it fails.
    this.#open = null;
    if (prepared.how === 'create') return this.#create(prepared, at);
    const { known, append } = prepared;
    this.#statement('update file set inode = ?, modified = ?, gone_at = null where id = ?').run(
      ...[append.inode, append.modified, known.id],
    );
    if (prepared.how === 'touch') return known.id;
    const { size, crc, head, start, blocks } = prepared;
    this.#statement('delete from block where file = ? and start >= ?').run(known.id, start);
    this.#insert(known.id, blocks);
    this.#statement('update file set size = ?, crc = ?, head = ?, tail_start = ?, tail_crc = ? where id = ?').run(
      ...[size, crc, head, ...tailOf(blocks), known.id],
    );
    return known.id;
  }

  #create({ append, known, size, crc, head, blocks }: Prepared & { readonly how: 'create' }, at: number): number {
    const { root, agent, project, path, kind, inode, modified, drop = false } = append;
    if (drop) for (const id of this.#generations(append)) this.#remove(id);
    else if (known) this.#statement('update file set replaced_at = ? where id = ?').run(at, known.id);
    const generation = known && !drop ? known.generation + 1 : 0;
    const { lastInsertRowid } = this.#statement(
      `insert into file (root, agent, project, path, generation, kind, size, crc, head, tail_start, tail_crc, inode, modified)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(...[root, agent, project, path, generation, kind, size, crc, head, ...tailOf(blocks), inode, modified]);
    const id = Number(lastInsertRowid);
    this.#insert(id, blocks);
    return id;
  }

  #insert(file: number, blocks: readonly Block[]): void {
    const insert = this.#statement('insert into block (file, start, size, crc, data) values (?, ?, ?, ?, ?)');
    for (const { start, size, crc, data } of blocks) insert.run(file, start, size, crc, data);
  }

  #remove(id: number): void {
    this.#statement('delete from block where file = ?').run(id);
    const { changes } = this.#statement('delete from file where id = ?').run(id);
    // So many numbers are missing for a reason.
    this.#statement(
      `insert into fact values ('removed', ?) on conflict do update set value = value + excluded.value`,
    ).run(changes);
    this.#statement('delete from damage where file = ?').run(id);
  }

  #sum(ids: readonly number[]): void {
    const sum = this.#statement(`update file set sum = sum_of(${COLUMNS}) where id = ?`);
    for (const id of new Set(ids)) sum.run(id);
  }

  #inTable(): Set<string> {
    const rows = this.#statement('select hash from tombstone').all() as unknown as { hash: string }[];
    return new Set(rows.map(({ hash }) => hash));
  }

  #insertForgotten(tombstones: readonly string[]): void {
    const insert = this.#statement('insert or ignore into tombstone values (?)');
    for (const hash of tombstones) insert.run(hash);
    this.#database.exec(`insert or replace into fact select 'forgotten', count(*) from tombstone`);
  }

  /** Both lists say the same afterwards, but for what nobody has finished yet. */
  #healForgotten(isLost: boolean): void {
    const inTable = explained(this.#path, () => this.#inTable());
    const all = joinForgotten(this.#path, { forgotten: inTable, count: this.#fact('forgotten') }, isLost);
    if (readForgotten(this.#path)?.size !== all.size) writeForgotten(this.#path, all);
    if (this.#fact('forgotten') !== inTable.size) this.#setFact('forgotten', inTable.size);
  }

  #wipe(): void {
    wipe(this.#database, this.#path);
    this.#database.exec(`delete from fact where name = 'wipe'`);
  }

  /** What somebody began to empty, and could not. */
  #finishWiping(): void {
    if (this.#fact('wipe') === null) return;
    try {
      explained(this.#path, () => this.#wipe());
    } catch (error) {
      // As it was: the next who opens it tries again.
      if (!(error instanceof SkeinError) || error.code === 'damaged') throw error;
    }
  }

  #fact(name: string): number | null {
    return explained(this.#path, () => {
      const row = this.#statement('select value from fact where name = ?').get(name) as { value: number } | undefined;
      return row?.value ?? null;
    });
  }

  #setFact(name: string, value: number): void {
    explained(this.#path, () => this.#statement('insert or replace into fact values (?, ?)').run(name, value));
  }

  #current({ root, agent, project, path }: Append): ArchivedFile | null {
    const row = this.#statement(
      `select ${SUMMED} from file where root = ? and agent = ? and project = ? and path = ? and replaced_at is null`,
    ).get(root, agent, project, path) as unknown as SummedRow | undefined;
    return row ? soundFile(row) : null;
  }

  #generations({ root, agent, project, path }: Append): number[] {
    const rows = this.#statement('select id from file where root = ? and agent = ? and project = ? and path = ?').all(
      ...[root, agent, project, path],
    ) as unknown as { id: number }[];
    return rows.map(({ id }) => id);
  }

  #file(id: number): ArchivedFile {
    return soundFile(this.#statement(`select ${SUMMED} from file where id = ?`).get(id) as unknown as SummedRow);
  }

  /** The block that holds a place; null behind the end. */
  #blockAt(file: number, offset: number): OpenBlock | null {
    const open = this.#open;
    if (open?.file === file && offset >= open.start && offset < open.start + open.bytes.length) return open;
    const block = this.#readBlock(file, offset);
    this.#open = block && { file, ...block };
    return block;
  }

  #readBlock(file: number, offset: number): OpenBlock | null {
    const row = this.#statement(
      'select start, size, crc, data from block where file = ? and start <= ? order by start desc limit 1',
    ).get(file, offset) as unknown as Block | undefined;
    if (!row || offset >= row.start + row.size) return null;
    const bytes = openBlock(row);
    freeBytes(row.data);
    if (!bytes)
      throw new SkeinError(
        'damaged',
        `${this.#path}: bytes ${row.start} to ${row.start + row.size} of a file are damaged`,
      );
    return { start: row.start, bytes };
  }

  /** Read anew, and by the next who asks again: nobody else has what it gives. */
  #takeBlock(file: number, start: number): Uint8Array {
    return this.#readBlock(file, start)?.bytes ?? new Uint8Array(0);
  }

  #verifyFile({ id, size, crc }: ArchivedFile): string | null {
    let at = 0;
    let sum = 0;
    try {
      for (let block = this.#blockAt(id, at); block; block = this.#blockAt(id, at)) {
        sum = crc32(block.bytes, sum);
        at += block.bytes.length;
      }
    } catch (error) {
      if (error instanceof SkeinError) return `cannot be read from byte ${at} on`;
      throw error;
    }
    return at === size && sum === crc ? null : `has ${at} bytes that can be read instead of ${size}`;
  }

  #lastRun(): Run | null {
    const row = this.#statement('select started_at as startedAt, ended_at as endedAt from run').get() as unknown as
      | Run
      | undefined;
    return row ? { ...row } : null;
  }
}

/** To SQLite a file without a byte is a new database. Beside an index, which is made of what was archived, it is one that was lost. */
function refuseEmptied(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.size !== 0 || !existsSync(join(dirname(path), 'index.db'))) return;
  throw explain(path, Object.assign(new Error('it is empty'), { errcode: CORRUPT }));
}

const CORRUPT = 11;

function soundFile({ sum, ...row }: SummedRow): ArchivedFile {
  if (isSound({ ...row, sum })) return fileOf(row);
  throw Object.assign(new Error(`what stands about file ${row.id} is not what was written`), { errcode: CORRUPT });
}

/** Where the last block begins, and its checksum. */
const tailOf = (blocks: readonly Block[]): [number, number] => {
  const last = blocks.at(-1);
  return last ? [last.start, last.crc] : [0, 0];
};
