import type { FileId, LineRef } from '../../model/index.ts';
import { hasTooManyValues } from './many-values.ts';
import { JsonPruner } from './prune-json.ts';

/** `bytes` is valid until the call returns. `cut`: the line was too much and comes with its long values shortened. `torn`: no newline after it. */
export type OnLine = (bytes: Uint8Array, ref: LineRef, cut: boolean, torn: boolean) => void;

/** Where a reader stands in a file, always after a newline. */
export interface Position {
  readonly offset: number;
  readonly line: number;
}

const NEWLINE = 10;
const LONG_LINE = 16 * 1024 * 1024;

/** Pieces of a file, in order → its lines with their places. Holds at most one line, and of a long line only a shortened form. */
export class LineSplitter {
  readonly #file: FileId;
  readonly #onLine: OnLine;
  readonly #limit: number;
  #offset: number;
  #line: number;
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #pruner: JsonPruner | null = null;

  constructor(file: FileId, onLine: OnLine, from: Position = { offset: 0, line: 1 }, limit = LONG_LINE) {
    this.#file = file;
    this.#onLine = onLine;
    this.#offset = from.offset;
    this.#line = from.line;
    this.#limit = limit;
  }

  /** The place after the last whole line. */
  get position(): Position {
    return { offset: this.#offset, line: this.#line };
  }

  push(piece: Uint8Array): void {
    let start = 0;
    for (;;) {
      const end = piece.indexOf(NEWLINE, start);
      if (end < 0) break;
      if (this.#pendingBytes === 0) this.#emit(piece.subarray(start, end), end - start, false, 1);
      else {
        this.#hold(piece.subarray(start, end));
        this.#emitPending(false);
      }
      start = end + 1;
    }
    // A copy: the caller may use its buffer again. (A Buffer's own `slice` would not copy.)
    if (start < piece.length) this.#hold(new Uint8Array(piece.subarray(start)));
  }

  /** The file ends here: a last line without newline is given out too. */
  end(): void {
    if (this.#pendingBytes > 0) this.#emitPending(true);
  }

  #hold(piece: Uint8Array): void {
    this.#pendingBytes += piece.length;
    if (this.#pruner) {
      this.#pruner.push(piece);
      return;
    }
    this.#pending.push(piece);
    if (this.#pendingBytes <= this.#limit) return;
    this.#pruner = new JsonPruner();
    for (const held of this.#pending) this.#pruner.push(held);
    this.#pending = [];
  }

  #emitPending(torn: boolean): void {
    const length = this.#pendingBytes;
    const bytes = this.#pruner ? this.#pruner.end() : join(this.#pending, length);
    const cut = this.#pruner !== null;
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#pruner = null;
    this.#emit(bytes, length, cut, torn ? 0 : 1, torn);
  }

  #emit(bytes: Uint8Array, length: number, cut: boolean, newline: number, torn = false): void {
    if (!isBlank(bytes)) {
      // A line that arrived in one piece can be too long as well, and one that is not may hold too much.
      if (!cut && (length > this.#limit || hasTooManyValues(bytes))) {
        const pruner = new JsonPruner();
        pruner.push(bytes);
        bytes = pruner.end();
        cut = true;
      }
      this.#onLine(bytes, { file: this.#file, line: this.#line, offset: this.#offset, bytes: length }, cut, torn);
    }
    this.#offset += length + newline;
    this.#line += newline;
  }
}

function join(pieces: readonly Uint8Array[], length: number): Uint8Array {
  if (pieces.length === 1 && pieces[0]) return pieces[0];
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

function isBlank(bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte !== 32 && byte !== 9 && byte !== 13 && byte !== 11 && byte !== 12) return false;
  }
  return true;
}
