import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { FileId, Line } from '../model/index.ts';
import { Before, type Packed } from './leave-out-before.ts';

/** So many lines of a file are packed together: its chunks are the same in whatever pieces it was read. */
export const CHUNK_LINES = 256;

/**
 * Lines without their content, as a store keeps them. What follows from the line before is left out, and of a chunk that grows nothing
 * is written down twice.
 */
export class LinePacker {
  readonly #before = new Before('');
  /** Not written down yet: all at once takes less time than one by one. */
  #waiting: Packed[] = [];
  /** A list as JSON. Not a text: one that grows with every line would leave all it was before to the garbage collector. */
  #json = EMPTY;
  #length = EMPTY.length;
  count = 0;

  add(line: Line): void {
    this.#waiting.push(this.#before.leaveOut(line));
    this.count++;
  }

  /** Valid until it is asked for again. */
  get lines(): Uint8Array {
    if (this.#waiting.length > 0) this.#writeDown(JSON.stringify(this.#waiting));
    return this.#json.subarray(0, this.#length);
  }

  #writeDown(list: string): void {
    this.#waiting = [];
    // The end of the one list and the beginning of the other become a comma.
    const from = this.#length > EMPTY.length ? this.#length - 1 : 0;
    const end = from + Buffer.byteLength(list);
    if (end > this.#json.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(end, 2 * this.#json.length));
      this.#json.copy(grown, 0, 0, from);
      this.#json = grown;
    }
    this.#json.write(list, from);
    if (from > 0) this.#json[from] = COMMA;
    this.#length = end;
  }
}

const EMPTY = Buffer.from('[]');
const COMMA = 0x2c;

/** Most of it are random ids: looking harder for repetitions takes longer and finds none. */
const LEVEL = { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 };

/** A copy: what comes out lies in a much larger piece of memory. */
export const packLines = (lines: Uint8Array): Uint8Array =>
  new Uint8Array(zstdCompressSync(lines, { params: LEVEL, pledgedSrcSize: lines.length }));

export function unpackLines(bytes: Uint8Array, file: FileId): Line[] {
  const before = new Before(file);
  return (JSON.parse(zstdDecompressSync(bytes).toString('utf8')) as Packed[]).map((packed) => before.putBack(packed));
}
