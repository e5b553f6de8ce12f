import { closeSync, fstatSync, readSync, type Stats, statSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { LineSplitter } from '../formats/index.ts';
import { type Cursor, type Format, HEAD, type Line } from '../model/index.ts';
import { onDisk } from './byte-names.ts';
import { type DiskFacts, holds, judge } from './compare-file.ts';
import type { LogFile } from './find-files.ts';
import { openFile } from './open-file.ts';

const PIECE = 1024 * 1024;

/** A file that is still written: `read` gives the whole lines that were added since the last time. */
export class FollowedLog {
  readonly file: LogFile;
  readonly #splitter: LineSplitter;
  readonly #read = new ReadSoFar();
  #known: Cursor | null = null;
  #lines: Line[] = [];

  constructor(format: Format, file: LogFile) {
    this.file = file;
    const reader = format.open(file.facts, undefined, { survey: false, blocks: false });
    this.#splitter = new LineSplitter(file.facts.id, (bytes, ref, cut) => {
      this.#lines.push(reader.next(bytes, ref, cut).line);
    });
  }

  /**
   * Null when the file is gone, or does not begin any more with what was read: then it is another file, to be read from the beginning.
   * Until there is a file nothing is added to it.
   */
  read(): Line[] | null {
    const isKept = this.#readOn();
    const lines = this.#lines;
    this.#lines = [];
    return isKept ? lines : null;
  }

  #readOn(): boolean {
    try {
      const seen = factsOf(statSync(onDisk(this.file.path)));
      if (this.#known && judge(this.#known, seen) === 'same') return true;
      const handle = openFile(this.file.path);
      try {
        return this.#isAsKnown(handle) && this.#readFrom(handle);
      } finally {
        closeSync(handle);
      }
    } catch {
      return this.#known === null;
    }
  }

  #isAsKnown(handle: number): boolean {
    if (!this.#known) return true;
    const verdict = judge(this.#known, factsOf(fstatSync(handle)));
    return verdict === 'same' || (verdict !== 'rewritten' && holds(handle, this.#known, verdict, () => undefined));
  }

  /** As far as it reaches now: what comes later is noticed by its time. */
  #readFrom(handle: number): true {
    const now = factsOf(fstatSync(handle));
    const buffer = Buffer.allocUnsafe(Math.min(PIECE, Math.max(0, now.size - this.#read.size)));
    while (this.#read.size < now.size) {
      const got = readSync(handle, buffer, 0, Math.min(buffer.length, now.size - this.#read.size), this.#read.size);
      if (got === 0) break;
      const piece = buffer.subarray(0, got);
      this.#read.add(piece);
      this.#splitter.push(piece);
    }
    this.#known = this.#read.cursor(now);
    return true;
  }
}

const factsOf = ({ size, ino, mtimeMs }: Stats): DiskFacts => ({ size, inode: ino, modified: mtimeMs });

/** What must still stand in the file when more of it is read. */
class ReadSoFar {
  size = 0;
  #crc = 0;
  #head = Buffer.alloc(0);
  #tail = Buffer.alloc(0);

  add(piece: Buffer): void {
    this.size += piece.length;
    this.#crc = crc32(piece, this.#crc);
    if (this.#head.length < HEAD) this.#head = Buffer.concat([this.#head, piece.subarray(0, HEAD - this.#head.length)]);
    const end = piece.length < HEAD ? Buffer.concat([this.#tail, piece]) : piece;
    this.#tail = Buffer.from(end.subarray(Math.max(0, end.length - HEAD)));
  }

  cursor({ inode, modified }: DiskFacts): Cursor {
    const tail = { start: this.size - this.#tail.length, crc: crc32(this.#tail) };
    return { size: this.size, crc: this.#crc, head: crc32(this.#head), tail, inode, modified };
  }
}
