import { closeSync, fstatSync, readSync } from 'node:fs';
import { LineSplitter } from '../formats/index.ts';
import type { Format, LineRef, Parsed, Reader, ReadOptions } from '../model/index.ts';
import type { LogFile } from './find-files.ts';
import { openFile } from './open-file.ts';
import { type Problem, reasonOf } from './problem.ts';

/** So many bytes are read at a time. */
export const TAIL_PIECE = 1024 * 1024;

/** Where reading goes on: after a newline, with what the reader must remember (JSON). */
interface Cursor {
  readonly offset: number;
  readonly line: number;
  readonly state: unknown;
}

export const BEGINNING: Cursor = { offset: 0, line: 1, state: null };

interface Tail {
  readonly cursor: Cursor;
  /** Of the file when it was opened: so far it was read. */
  readonly size: number;
  readonly modified: number;
  readonly problem: Problem | null;
}

/**
 * Streams what a file has after a cursor into `take`, and stops after every piece, so that a long file need not be held. The cursor it
 * gives stays before a last line without newline.
 */
export function* readTail(
  format: Format,
  file: LogFile,
  from: Cursor,
  take: (parsed: Parsed, torn: boolean) => void,
  options: Pick<ReadOptions, 'blocks'> = {},
): Generator<void, Tail> {
  const reader = format.open(file.facts, from.state ?? undefined, { survey: false, details: false, ...options });
  const lines = new TakenLines(reader, take);
  const splitter = new LineSplitter(file.facts.id, lines.next.bind(lines), from);
  let size = from.offset;
  let modified = file.modified;
  let problem: Problem | null = null;
  try {
    for (const piece of tailOf(file, from.offset, (mtime) => (modified = mtime))) {
      size += piece.length;
      splitter.push(piece);
      yield;
    }
  } catch (error) {
    problem = {
      path: file.path,
      message: `${file.path} ${reasonOf(error)}; ${size === 0 ? 'it is left out' : 'it is read up to there'}`,
    };
  }
  // Before the torn line is looked at: it is read again later.
  const cursor = { ...splitter.position, state: JSON.parse(JSON.stringify(reader.state ?? null)) };
  splitter.end();
  return { cursor, size, modified, problem };
}

/** Not a closure: what is compiled for one would end with the file. */
class TakenLines {
  readonly #reader: Reader;
  readonly #take: (parsed: Parsed, torn: boolean) => void;

  constructor(reader: Reader, take: (parsed: Parsed, torn: boolean) => void) {
    this.#reader = reader;
    this.#take = take;
  }

  next(bytes: Uint8Array, ref: LineRef, cut: boolean, torn: boolean): void {
    this.#take(this.#reader.next(bytes, ref, cut, torn), torn);
  }
}

/** For the next file: thousands of them would be waiting for the garbage collector. */
let spare: Buffer | null = null;

/** Up to the size the file had when it was opened: what comes later has a later time too. Each piece is valid until the next is asked for. */
function* tailOf(file: LogFile, from: number, tell: (modified: number) => void): Generator<Uint8Array> {
  if (file.bytes) {
    yield file.bytes.subarray(from);
    return;
  }
  if (file.kept) {
    for (let at = from; at < file.size; ) {
      const piece = file.kept.read(at, TAIL_PIECE);
      if (piece.length === 0) return;
      at += piece.length;
      yield piece;
    }
    return;
  }
  const handle = openFile(file.path);
  try {
    const { size, mtimeMs } = fstatSync(handle);
    tell(mtimeMs);
    const piece = spare ?? Buffer.allocUnsafeSlow(TAIL_PIECE);
    spare = null;
    for (let at = from; at < size; ) {
      const got = readSync(handle, piece, 0, Math.min(piece.length, size - at), at);
      if (got === 0) break;
      at += got;
      yield piece.subarray(0, got);
    }
    spare = piece;
  } finally {
    closeSync(handle);
  }
}
