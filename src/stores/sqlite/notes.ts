import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Note, NoteSort, NotesStore, NoteTotals, SessionNames } from '../notes-store.ts';
import { explained, openDatabase, openForReading, transaction } from './database.ts';
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
];

/** About the session itself: no record is called so. */
const SESSION = '';

/** Notes in a SQLite file, which only its owner may read. */
export class SqliteNotes implements NotesStore {
  readonly #path: string;
  readonly #database: DatabaseSync;

  private constructor(path: string, database: DatabaseSync) {
    this.#path = path;
    this.#database = database;
  }

  static open(path: string): SqliteNotes {
    return new SqliteNotes(path, openDatabase(path, { steps: noteSteps }));
  }

  static openForReading(path: string): SqliteNotes {
    return new SqliteNotes(path, openForReading(path, { steps: noteSteps }));
  }

  async about({ agent, sessions }: SessionNames): Promise<readonly Note[]> {
    const notes = sessions.flatMap((session) =>
      this.#all<Row>('select * from note where agent = ? and session = ?', agent, session),
    );
    return notes.map(noteOf).sort((a, b) => a.time - b.time);
  }

  async set({ sort, agent, session, record, text, time }: Note): Promise<void> {
    const place = [agent, session, record ?? SESSION, sort];
    explained(this.#path, () =>
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
    explained(this.#path, () =>
      value === null
        ? this.#run('delete from setting where name = ?', name)
        : this.#run('insert or replace into setting (name, value) values (?, ?)', name, value),
    );
  }

  async forget(sessions: readonly SessionNames[]): Promise<number> {
    return explained(this.#path, () => {
      let count = 0;
      transaction(this.#database, () => {
        for (const { agent, sessions: names } of sessions)
          for (const name of names) count += this.#run('delete from note where agent = ? and session = ?', agent, name);
      });
      // Also when there was nothing: an earlier label of it may still stand in free space.
      wipe(this.#database, this.#path);
      return count;
    });
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

  #run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#database.prepare(sql).run(...values).changes);
  }

  #all<T>(sql: string, ...values: SQLInputValue[]): T[] {
    return explained(this.#path, () => this.#database.prepare(sql).all(...values) as T[]);
  }
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
