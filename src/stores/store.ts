import type { Cursor, FilePlace, KeptFile } from '../model/index.ts';

/**
 * What agents wrote, byte for byte, also after they deleted it. A file that was rewritten keeps its old content as an older generation.
 * One process writes at a time; readers never wait. Asynchronous, so that a database elsewhere can follow.
 */
export interface Archive {
  /** For other threads: several may write, each its own files. */
  share(): Promise<StoreShare>;
  /** By place, then generation. Older generations only when asked for. */
  files(query?: { readonly older?: boolean }): Promise<readonly ArchivedFile[]>;
  /** All of it or nothing. Gives the files of `appends` as they are then. */
  apply(batch: Batch): Promise<readonly ArchivedFile[]>;
  /** At most `length` bytes; fewer at the end of the file. */
  read(id: number, offset: number, length: number): Promise<Uint8Array>;
  /** Removes files for good, all their bytes and names, and remembers what must not come back. */
  forget(ids: readonly number[], tombstones: readonly string[]): Promise<void>;
  /** What `forget` was told to remember. */
  tombstones(): Promise<ReadonlySet<string>>;
  /** Those of it whose files may still be there: somebody was killed in the middle, or a copy from before was put back. */
  unfinished(): Promise<ReadonlySet<string>>;
  /** Reads everything it holds and names what does not read back as it was written. */
  verify(): Promise<readonly Damage[]>;
  totals(): Promise<Totals>;
  /** Does now what would be done when it is closed. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** With this a thread opens the same store again (`openSharedIndex`, `openSharedArchive`). */
export interface StoreShare {
  readonly store: 'sqlite';
  readonly path: string;
}

/** `log`: lines that are read into sessions; `artifact`: everything else an agent keeps with them. */
export type FileKind = 'log' | 'artifact';

/** Its cursor says how far it is archived; the tail is the last block. */
export interface ArchivedFile extends KeptFile, Cursor {
  readonly kind: FileKind;
  /** Counted from 0: how often the file was rewritten before. */
  readonly generation: number;
  /** Since when newer content is current; null for the current generation. */
  readonly replacedAt: number | null;
  /** Since when it is not on disk any more, as far as was looked; null while it is. */
  readonly goneAt: number | null;
}

/** What is written in one transaction. A place stands in `appends` at most once. */
export interface Batch {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly appends: readonly Append[];
  /** Current files that are not on disk any more. */
  readonly gone?: readonly number[];
  /** What a look at everything found and nothing could mend, instead of what was found before. */
  readonly damaged?: readonly { readonly file: number; readonly message: string }[];
  /** Set by the run that ends with this batch. */
  readonly run?: Run;
}

export interface Append extends FilePlace {
  readonly kind: FileKind;
  /** Where the archived bytes end. 0 for a file that has some begins a new generation. */
  readonly offset: number;
  /** May be empty: then only the facts below are new. */
  readonly bytes: Uint8Array;
  readonly inode: number;
  readonly modified: number;
  /** Instead of a new generation: the old content is removed for good. */
  readonly drop?: boolean;
}

/** One ingest. */
export interface Run {
  readonly startedAt: number;
  readonly endedAt: number;
}

export interface Damage {
  readonly file: ArchivedFile | null;
  readonly message: string;
}

export interface Totals {
  readonly files: number;
  readonly bytes: number;
  readonly artifacts: number;
  readonly artifactBytes: number;
  /** Not on disk any more. */
  readonly gone: number;
  readonly goneBytes: number;
  /** Older generations of rewritten files. */
  readonly older: number;
  readonly olderBytes: number;
  /** Files whose archived bytes cannot be read any more, as far as somebody looked (`damaged`). */
  readonly damaged: number;
  /** What all that takes, compressed. */
  readonly storedBytes: number;
  readonly lastRun: Run | null;
}

/** Content is kept in blocks of at most this many bytes. */
export const BLOCK = 1024 * 1024;
/** A last block of so many bytes stays as it is when the file grows. A smaller one is made again: that is what an append costs. */
export const FULL = 256 * 1024;
