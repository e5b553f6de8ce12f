/** Where an archived file lay. */
export interface FilePlace {
  /** Real path of the folder that holds one folder per project. */
  readonly root: string;
  /** Name of the format. */
  readonly agent: string;
  /** Name of the project folder; '' for a file that lies beside the root, such as `history.jsonl`. */
  readonly project: string;
  /** Below the project folder, with `/`. */
  readonly path: string;
}

/** One content of a file that an archive holds. */
export interface KeptFile extends FilePlace {
  readonly id: number;
  readonly size: number;
  /** When it was last written as its agent left it, epoch milliseconds. */
  readonly modified: number;
}

/** An archive on this machine, as `history/` reads it: synchronous, like reading a file. */
export interface ArchiveReader {
  /** The current generation of every file. */
  keptFiles(): readonly KeptFile[];
  /** At most `length` bytes; fewer at the end of the file. */
  readKept(id: number, offset: number, length: number): Uint8Array;
  /** All of it in pieces, each of them valid until the next is asked for. */
  passKept(id: number): Iterable<Uint8Array>;
  /** Digests of what must not come back. */
  forgotten(): ReadonlySet<string>;
}
