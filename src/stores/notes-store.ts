/**
 * What a person says about sessions, and how they want Skein to be: irreplaceable, and none of it stands in a log. Asynchronous, so that
 * a database elsewhere can follow.
 */
export interface NotesStore {
  /** What is noted about one session, under any of its ids; oldest first. */
  about(sessions: SessionNames): Promise<readonly Note[]>;
  /** Says it, instead of what was said of this sort about the same thing before; an empty text takes it away. */
  set(note: Note): Promise<void>;
  settings(): Promise<ReadonlyMap<string, string>>;
  /** Null takes it away. */
  setSetting(name: string, value: string | null): Promise<void>;
  /** Removes what is noted about these sessions for good, and says how many notes that were. */
  forget(sessions: readonly SessionNames[]): Promise<number>;
  /** The sessions something is noted about. */
  sessions(): Promise<readonly { readonly agent: string; readonly session: string }[]>;
  totals(): Promise<NoteTotals>;
  close(): Promise<void>;
}

/** `label`: a name for a record or session; `star`: it matters (the text is `1`); `note`: any words. */
export type NoteSort = 'label' | 'star' | 'note';

export interface Note {
  readonly sort: NoteSort;
  readonly agent: string;
  /** An id of the session, as its log has it. */
  readonly session: string;
  /** Null: it is about the session. */
  readonly record: string | null;
  readonly text: string;
  /** Epoch milliseconds. */
  readonly time: number;
}

/** A session has an id in each of its files. */
export interface SessionNames {
  readonly agent: string;
  readonly sessions: readonly string[];
}

export interface NoteTotals {
  readonly labels: number;
  readonly stars: number;
  readonly notes: number;
  readonly settings: number;
}
