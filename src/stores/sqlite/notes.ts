import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { SkeinError } from '../../model/index.ts';
import type { Note, NoteSort, NotesStore, NoteTotals, SessionNames } from '../notes-store.ts';
import { explained, openDatabase, openForReading, type Schema, transaction } from './database.ts';
import { type Healed, healNotes, isLost, notesFromCopy } from './heal-notes.ts';
import { digestOf, linesOf, readCopy, writeCopy } from './notes-copy.ts';
import { wipe } from './wipe.ts';

/** Step by step from nothing to the present schema, each in one transaction: what people wrote is never rebuilt. */
export const noteSteps: readonly string[] = [
  `create table note (
     sort text not null, agent text not null, session text not null,
     record text not null,
     text text not null, time integer not null,
     primary key (agent, session, record, sort)
   ) without rowid;
   create table setting (name text primary key, value text not null) without rowid;`,
  // The digest of everything else, which SQLite does not notice damage of.
  `create table fact (name text primary key, value) without rowid;
   insert into fact values ('version', 2);`,
];

const SCHEMA: Schema = { steps: noteSteps };

/** About the session itself: no record is called so. */
const SESSION = '';

/** Notes in a SQLite file, which only its owner may read. */
export class SqliteNotes implements NotesStore {
  /** What was done about damage that was met when they were opened. */
  readonly healed: Healed | null;
  readonly #path: string;
  readonly #database: DatabaseSync;

  private constructor(path: string, database: DatabaseSync, healed: Healed | null) {
    this.#path = path;
    this.#database = database;
    this.healed = healed;
  }

  /** Those that are damaged, emptied or gone are made again from their copy, and from what can be read of them. */
  static open(path: string): SqliteNotes {
    const sound = isLost(path) ? null : openSound(path, openDatabase);
    const healed = sound ? null : explained(path, () => healNotes(path, SCHEMA));
    const database = sound ?? openDatabase(path, SCHEMA);
    const notes = new SqliteNotes(path, database, healed);
    // Notes of an older version have no digest and no copy yet; a copy may be damaged too.
    if (notes.#fact('digest') === null || !readCopy(path)?.isWhole) notes.#change(() => undefined);
    if (notes.#fact('wipe') !== null) notes.#finishWiping();
    return notes;
  }

  /** Changes nothing on the disk: where they are damaged, their copy answers. */
  static openForReading(path: string): SqliteNotes {
    const sound = isLost(path) ? null : openSound(path, openForReading);
    if (sound) return new SqliteNotes(path, sound, null);
    const { database, ...healed } = notesFromCopy(path, SCHEMA);
    return new SqliteNotes(path, database, healed);
  }

  async about({ agent, sessions }: SessionNames): Promise<readonly Note[]> {
    const notes = sessions.flatMap((session) =>
      this.#all<Row>('select * from note where agent = ? and session = ?', agent, session),
    );
    return notes.map(noteOf).sort((a, b) => a.time - b.time);
  }

  async set({ sort, agent, session, record, text, time }: Note): Promise<void> {
    const place = [agent, session, record ?? SESSION, sort];
    this.#change(() =>
      text === ''
        ? this.#run('delete from note where agent = ? and session = ? and record = ? and sort = ?', ...place)
        : this.#run(
            'insert or replace into note (agent, session, record, sort, text, time) values (?, ?, ?, ?, ?, ?)',
            ...place,
            text,
            time,
          ),
    );
  }

  async settings(): Promise<ReadonlyMap<string, string>> {
    const rows = this.#all<{ name: string; value: string }>('select name, value from setting order by name');
    return new Map(rows.map(({ name, value }) => [name, value]));
  }

  async setSetting(name: string, value: string | null): Promise<void> {
    this.#change(() =>
      value === null
        ? this.#run('delete from setting where name = ?', name)
        : this.#run('insert or replace into setting (name, value) values (?, ?)', name, value),
    );
  }

  async forget(sessions: readonly SessionNames[]): Promise<number> {
    let count = 0;
    this.#change(() => {
      for (const { agent, sessions: names } of sessions)
        for (const name of names) count += this.#run('delete from note where agent = ? and session = ?', agent, name);
      this.#run(`insert or replace into fact values ('wipe', 1)`);
    });
    // Also when there was nothing: an earlier label of it may still stand in free space.
    explained(this.#path, () => this.#wipe());
    return count;
  }

  async sessions(): Promise<readonly { readonly agent: string; readonly session: string }[]> {
    return this.#all('select distinct agent, session from note');
  }

  async totals(): Promise<NoteTotals> {
    const counts = this.#all<{ sort: NoteSort; count: number }>(
      'select sort, count(*) as count from note group by sort',
    );
    const of = (sort: NoteSort): number => counts.find((each) => each.sort === sort)?.count ?? 0;
    const [settings] = this.#all<{ count: number }>('select count(*) as count from setting');
    return { labels: of('label'), stars: of('star'), notes: of('note'), settings: settings?.count ?? 0 };
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  /** The copy is written before the change is there for good: damaged later, at least as much stands in it, and nothing that was forgotten. */
  #change(change: () => void): void {
    explained(this.#path, () =>
      transaction(this.#database, () => {
        change();
        const lines = linesOf(this.#database);
        writeCopy(this.#path, lines);
        this.#run(`insert or replace into fact values ('digest', ?)`, digestOf(lines));
      }),
    );
  }

  #fact(name: string): unknown {
    return this.#all<{ value: unknown }>('select value from fact where name = ?', name)[0]?.value ?? null;
  }

  #wipe(): void {
    wipe(this.#database, this.#path);
    this.#run(`delete from fact where name = 'wipe'`);
  }

  #finishWiping(): void {
    try {
      explained(this.#path, () => this.#wipe());
    } catch (error) {
      // The next who opens them tries again.
      if (!(error instanceof SkeinError)) throw error;
    }
  }

  #run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#database.prepare(sql).run(...values).changes);
  }

  #all<T>(sql: string, ...values: SQLInputValue[]): T[] {
    return explained(this.#path, () => this.#database.prepare(sql).all(...values) as T[]);
  }
}

/** Null when they are damaged; also where only what stands in them is not what was written. */
function openSound(path: string, open: (path: string, schema: Schema) => DatabaseSync): DatabaseSync | null {
  let database: DatabaseSync | null = null;
  try {
    database = open(path, SCHEMA);
    if (explained(path, () => isSound(database as DatabaseSync))) return database;
  } catch (error) {
    if (!(error instanceof SkeinError) || error.code !== 'damaged') {
      database?.close();
      throw error;
    }
  }
  database?.close();
  return null;
}

/** Whether it says what was written, as far as its digest tells. */
function isSound(database: DatabaseSync): boolean {
  const lines = linesOf(database);
  const said = database.prepare(`select value from fact where name = 'digest'`).get()?.value ?? null;
  return said === null || said === digestOf(lines);
}

interface Row extends Omit<Note, 'record'> {
  readonly record: string;
}

const noteOf = ({ sort, agent, session, record, text, time }: Row): Note => ({
  sort,
  agent,
  session,
  record: record === SESSION ? null : record,
  text,
  time,
});
