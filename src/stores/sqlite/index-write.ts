import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { FileEntry, IndexBatch, SessionEntry, TextEntry, TreeEntry } from '../index-store.ts';
import { parentFollows } from '../message-keys.ts';
import {
  At,
  Bits,
  COUNTS,
  MESSAGE_KEYS,
  type PackedMessages,
  type PackedRows,
  packMessages,
  packUsages,
  USAGE_KEYS,
  UsageAt,
} from '../packed-rows.ts';
import { checked } from './checked-json.ts';
import { IndexNumbers, TextNumbers } from './index-names.ts';
import { CHUNK_SPAN, PROMPT_SPAN } from './index-schema.ts';
import { ManyRows, type Value } from './many-rows.ts';
import { packDetails, unpackNames } from './message-details.ts';
import { NumberWriter } from './number-bytes.ts';
import { sortedJson } from './sorted-json.ts';
import { TextWriter } from './text-write.ts';

/** What stands about a file in columns of its own. */
export const besideFacts = (
  file: Pick<FileEntry, 'id' | 'path' | 'size' | 'modified' | 'generation' | 'offset' | 'line' | 'lines'>,
) => [...[file.id, file.path, file.size, file.modified], ...[file.generation, file.offset, file.line, file.lines]];

/** Of messages, without `id` and `doc`. */
const COLUMNS = ['session', 'named_parent', 'bits', 'time', 'agent', 'details'];

const MESSAGE_COLUMNS = ['id', ...COLUMNS, 'doc'];

/** What is told of the row itself, and not of the way it is written. */
const KEPT_BITS = ~(Bits.isAgain | Bits.hasDoc);

const flag = (value: boolean): number => (value ? 1 : 0);
const given = (value: number): number | null => (Number.isNaN(value) ? null : value);

/** Everything that changes rows, inside the transaction of the caller. */
export class IndexWriter {
  readonly #db: DatabaseSync;
  readonly #numbers: IndexNumbers;
  readonly #statements = new Map<string, StatementSync>();
  readonly #text: TextWriter;
  #lastTree = '';
  readonly #newMessages: ManyRows;
  readonly #knownMessage: StatementSync;
  readonly #usages: ManyRows;
  readonly #packed = new NumberWriter();

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#numbers = new IndexNumbers(db);
    this.#text = new TextWriter(db);
    const messages = `into messages (${MESSAGE_COLUMNS.join()})`;
    this.#newMessages = new ManyRows(db, `insert or replace ${messages}`, MESSAGE_COLUMNS.length);
    this.#knownMessage =
      db.prepare(`insert ${messages} values (${MESSAGE_COLUMNS.map(() => '?').join()}) on conflict (id) do update set
      ${COLUMNS.map((column) => `${column} = excluded.${column}`).join()}, doc = coalesce(excluded.doc, doc)`);
    this.#usages = new ManyRows(db, 'insert or replace into usages', 13);
  }

  /** After a transaction was taken back. */
  forget(): void {
    this.#numbers.forget();
    this.#newMessages.forget();
    this.#usages.forget();
  }

  apply(batch: IndexBatch, revision: number): void {
    for (const key of batch.dropTrees ?? []) this.dropTree(key);
    const tree = this.#tree(batch.tree);
    // Meanwhile another thread may have dropped a tree, and its number is given out again.
    if (batch.tree.key !== this.#lastTree) this.#numbers.forget();
    this.#lastTree = batch.tree.key;
    const { messages = [], usages = [] } = batch;
    if (batch.anew) this.#clearRows(tree, revision);
    if (batch.dropFiles) this.dropFiles(tree, batch.dropFiles);
    for (const chunk of batch.chunks ?? [])
      this.#run(
        'insert or replace into chunks values (?, ?)',
        this.#numbers.file(tree, chunk.file) * CHUNK_SPAN + chunk.index,
        chunk.bytes,
      );
    for (const { file, line, text } of batch.prompts ?? [])
      this.#run(
        'insert or replace into prompts values (?, ?)',
        this.#numbers.file(tree, file) * PROMPT_SPAN + line,
        checked(text),
      );
    for (const file of batch.files ?? []) this.#file(tree, file);
    for (const id of batch.goneMessages ?? []) {
      this.#killDoc(id);
      this.#run('delete from messages where id = ?', id);
    }
    for (const id of batch.goneUsages ?? []) this.#run('delete from usages where id = ?', id);
    this.#writeMessages(tree, 'count' in messages ? messages : packMessages(messages));
    this.#writeUsages(tree, 'count' in usages ? usages : packUsages(usages));
    for (const id of batch.goneSessions ?? [])
      this.#run(
        'update sessions set data = null, ended = null, revision = ? where num = ?',
        revision,
        this.#numbers.session(tree, id),
      );
    for (const session of batch.sessions ?? []) this.#session(tree, session, revision);
  }

  addText({ number, volume, completes }: TextEntry): void {
    if (volume) this.#text.add(number, volume);
    for (const key of completes) this.#run('update trees set complete = 1 where key = ?', key);
  }

  /** Volumes that belong together; `next` gives the number of a new one. */
  joinText(next: () => number, all: boolean): void {
    if (all) this.#text.tidy(next);
    else this.#text.joinSmall(next);
  }

  purgeText(next: () => number): void {
    this.#text.purge(next);
  }

  dropFiles(tree: number, ids: readonly string[]): void {
    for (const id of ids) {
      const num = this.#numbers.file(tree, id);
      this.#dropRead(num);
      this.#run('delete from files where num = ?', num);
    }
    this.#numbers.forget();
  }

  dropTree(key: string): void {
    const found = this.#statement('select num from trees where key = ?').get(key) as { num: number } | undefined;
    if (!found) return;
    this.#clearRows(found.num, 0);
    for (const { num } of this.#statement('select num from files where tree = ?').all(found.num) as { num: number }[])
      this.#dropRead(num);
    this.#run('delete from files where tree = ?', found.num);
    this.#run('delete from sessions where tree = ?', found.num);
    this.#run('delete from trees where num = ?', found.num);
    this.#numbers.forget();
  }

  dropSession(key: string, id: string, files: readonly string[]): void {
    const found = this.#statement('select num from trees where key = ?').get(key) as { num: number } | undefined;
    if (!found) return;
    const num = this.#numbers.session(found.num, id);
    this.#dropMessages('session = ?', num);
    this.#run('delete from sessions where num = ?', num);
    this.dropFiles(found.num, files);
    this.#run('update trees set complete = 0 where num = ?', found.num);
  }

  /** Texts that no row stands for any more. */
  dropNames(): void {
    const named = new Set<number>();
    for (const row of this.#statement('select details from messages').iterate()) {
      const { kind, tool } = unpackNames(row.details as Uint8Array);
      named.add(kind);
      if (tool !== null) named.add(tool);
    }
    this.#run(
      `delete from names where num not in (select value from json_each(?)
        union select agent from messages where agent is not null union select model from usages)`,
      JSON.stringify([...named]),
    );
    this.#numbers.forget();
  }

  /** Sessions stay as gone, so that who follows hears of it; files that were named and never read to their end go. */
  #clearRows(tree: number, revision: number): void {
    if (!this.#statement('select 1 from sessions where tree = ? limit 1').get(tree)) {
      this.#dropUnread(tree);
      return;
    }
    const ofTree = 'session in (select num from sessions where tree = ?)';
    this.#dropMessages(ofTree, tree);
    this.#run(
      'update sessions set data = null, ended = null, revision = ? where tree = ? and data is not null',
      revision,
      tree,
    );
    this.#dropUnread(tree);
  }

  #dropUnread(tree: number): void {
    const unread = this.#statement('select num from files where tree = ? and facts is null').all(tree);
    for (const { num } of unread as { num: number }[]) {
      this.#dropRead(num);
      this.#run('delete from files where num = ?', num);
    }
    this.#numbers.forget();
  }

  /** And what they used, which has the ids of their records, or lies apart. */
  #dropMessages(which: string, value: number): void {
    this.#killDocs(which, value);
    this.#run(`delete from usages where id in (select id from messages where ${which})`, value);
    this.#run(`delete from usages where flags & 2 and ${which}`, value);
    this.#run(`delete from messages where ${which}`, value);
  }

  #killDocs(which: string, value: number): void {
    const rows = this.#statement(`select doc from messages where ${which} and doc is not null`).all(value);
    for (const { doc } of rows as { doc: number }[]) this.#text.kill(doc);
  }

  #killDoc(id: bigint): void {
    const row = this.#statement('select doc from messages where id = ?').get(id) as { doc: number | null } | undefined;
    if (row && row.doc !== null) this.#text.kill(row.doc);
  }

  #dropRead(file: number): void {
    this.#run('delete from chunks where id >= ? and id < ?', file * CHUNK_SPAN, (file + 1) * CHUNK_SPAN);
    this.#run('delete from prompts where id >= ? and id < ?', file * PROMPT_SPAN, (file + 1) * PROMPT_SPAN);
  }

  #tree({ key, agent, project, complete }: TreeEntry): number {
    const row =
      this.#statement(`insert into trees (key, agent, project, path, names, complete) values (?, ?, ?, ?, ?, ?)
      on conflict (key) do update set agent = excluded.agent, project = excluded.project, path = excluded.path,
        names = excluded.names, complete = excluded.complete returning num`).get(
        key,
        agent,
        project.id,
        project.path,
        checked(JSON.stringify(project.names), [key, agent, project.id, project.path]),
        flag(complete),
      );
    return (row as { num: number }).num;
  }

  #file(tree: number, file: FileEntry): void {
    this.#run(
      `update files set facts = ?, path = ?, size = ?, modified = ?, generation = ?, offset = ?, line = ?, lines = ?, state = ?, torn = ?
        where num = ?`,
      checked(JSON.stringify(file.facts), besideFacts(file)),
      file.path,
      file.size,
      file.modified,
      file.generation,
      file.offset,
      file.line,
      file.lines,
      checked(sortedJson(file.state ?? null)),
      file.torn === null ? null : checked(sortedJson(file.torn)),
      this.#numbers.file(tree, file.id),
    );
  }

  #session(tree: number, session: SessionEntry, revision: number): void {
    this.#run(
      'update sessions set data = ?, ended = ?, revision = ? where num = ?',
      checked(JSON.stringify(session), [session.id, session.endedAt]),
      session.endedAt,
      revision,
      this.#numbers.session(tree, session.id),
    );
  }

  #writeMessages(tree: number, rows: PackedMessages): void {
    const { count, keys, numbers, texts } = rows;
    const { session, file, name } = this.#numbersIn(texts, tree);
    const { values } = this.#newMessages;
    const halves = new Uint32Array(keys.buffer, keys.byteOffset, 2 * keys.length);
    let more = 0;
    for (let i = 0; i < count; i++) {
      const at = i * At.width;
      const bits = numbers[at + At.bits] as number;
      const key = i * MESSAGE_KEYS;
      const isNamed = bits & Bits.hasParent && !parentFollows(halves, 2 * key);
      let to = this.#newMessages.next;
      const id = keys[key] as bigint;
      values[to++] = id;
      values[to++] = session.of(numbers[at + At.session] as number);
      values[to++] = isNamed ? (keys[key + 1] as bigint) : null;
      values[to++] = bits & KEPT_BITS;
      values[to++] = given(numbers[at + At.time] as number);
      values[to++] = name.orNull(numbers[at + At.agent] as number);
      values[to++] = packDetails(this.#packed, rows, at, more, file, name);
      values[to++] = given(numbers[at + At.doc] as number);
      more += numbers[at + At.more] as number;
      if (bits & Bits.isAgain)
        this.#writeAgain(id, values.slice(to - MESSAGE_COLUMNS.length, to), (bits & Bits.hasDoc) !== 0);
      else this.#newMessages.add();
    }
    this.#newMessages.flush();
  }

  /** A message that may have been written before. */
  #writeAgain(id: bigint, row: readonly Value[], hasDoc: boolean): void {
    this.#newMessages.flush();
    if (hasDoc) {
      this.#killDoc(id);
      this.#run('update messages set doc = null where id = ?', id);
    }
    this.#knownMessage.run(...row);
  }

  #writeUsages(tree: number, { count, keys, numbers, texts }: PackedRows): void {
    const { session, name } = this.#numbersIn(texts, tree);
    const { values } = this.#usages;
    for (let i = 0; i < count; i++) {
      const at = i * UsageAt.width;
      let to = this.#usages.next;
      values[to++] = keys[i * USAGE_KEYS] as bigint;
      values[to++] = session.of(numbers[at + UsageAt.session] as number);
      values[to++] = keys[i * USAGE_KEYS + 1] as bigint;
      values[to++] = name.of(numbers[at + UsageAt.model] as number);
      for (let k = 0; k < COUNTS; k++) values[to++] = numbers[at + UsageAt.counts + k] as number;
      values[to++] = given(numbers[at + UsageAt.cost] as number);
      values[to++] = numbers[at + UsageAt.fast] as number;
      values[to++] = given(numbers[at + UsageAt.time] as number);
      values[to++] = numbers[at + UsageAt.flags] as number;
      this.#usages.add();
    }
    this.#usages.flush();
  }

  #numbersIn(texts: readonly string[], tree: number) {
    return {
      session: new TextNumbers(texts, (id) => this.#numbers.session(tree, id)),
      file: new TextNumbers(texts, (id) => this.#numbers.file(tree, id)),
      name: new TextNumbers(texts, (text) => this.#numbers.name(text)),
    };
  }

  #run(sql: string, ...values: Value[]): void {
    this.#statement(sql).run(...values);
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}
