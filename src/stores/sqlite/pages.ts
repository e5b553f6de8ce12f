import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** As Skein makes them. */
const USUAL_SIZE = 8192;
const LARGEST_SIZE = 65536;
const WAL_HEADER = 32;
const FRAME_HEADER = 24;

/** The pages of a database file, with what its log of changes says instead, read without SQLite: it refuses a file whose first page is damaged. */
export class Pages {
  readonly size: number;
  /** So many are there. */
  readonly count: number;
  /** The header says that there were more. */
  readonly isCut: boolean;
  readonly #file: number;
  readonly #wal: number | null;
  readonly #changed: ReadonlyMap<number, number>;
  #window: Buffer;
  #from = 0;
  #to = 0;

  constructor(path: string) {
    this.#file = openSync(path, 'r');
    this.#wal = openOrNull(`${path}-wal`);
    const header = Buffer.alloc(100);
    readSync(this.#file, header, 0, header.length, 0);
    this.size = sizeIn(header);
    const there = Math.ceil(fstatSync(this.#file).size / this.size);
    this.#changed = this.#wal === null ? new Map() : changedPages(this.#wal, this.size);
    this.count = [...this.#changed.keys()].reduce((most, number) => Math.max(most, number), there);
    const said = header.readUInt32BE(28);
    // Only then the count of the header is one that was kept up to date.
    this.isCut = header.readUInt32BE(24) === header.readUInt32BE(92) && said > this.count;
    this.#window = Buffer.alloc(Math.max(WINDOW, this.size));
  }

  /** Valid until another is asked for; null where none is. */
  page(number: number): Buffer | null {
    const at = this.#changed.get(number);
    if (at !== undefined && this.#wal !== null) {
      const page = Buffer.alloc(this.size);
      readSync(this.#wal, page, 0, this.size, at);
      return page;
    }
    if (number < 1 || number > this.count) return null;
    const start = (number - 1) * this.size;
    if (start < this.#from || start + this.size > this.#to) {
      this.#window.fill(0);
      const got = readSync(this.#file, this.#window, 0, this.#window.length, start);
      this.#from = start;
      // The last page may be cut off: what is left of it is read.
      this.#to = start + Math.ceil(got / this.size) * this.size;
      if (got === 0) return null;
    }
    return this.#window.subarray(start - this.#from, start - this.#from + this.size);
  }

  close(): void {
    closeSync(this.#file);
    if (this.#wal !== null) closeSync(this.#wal);
  }
}

const WINDOW = 1024 * 1024;

function sizeIn(header: Buffer): number {
  const said = header.readUInt16BE(16);
  const isSize = said >= 512 && (said & (said - 1)) === 0;
  return said === 1 ? LARGEST_SIZE : isSize ? said : USUAL_SIZE;
}

function openOrNull(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch {
    return null;
  }
}

/** Where in the log of changes the last committed state of a page stands. What follows a frame that is not what it was does not count. */
function changedPages(wal: number, size: number): Map<number, number> {
  const committed = new Map<number, number>();
  const header = Buffer.alloc(WAL_HEADER);
  if (readSync(wal, header, 0, WAL_HEADER, 0) < WAL_HEADER || header.readUInt32BE(8) !== size) return committed;
  const isBigEndian = (header.readUInt32BE(0) & 1) === 1;
  const sum = new RunningSum(isBigEndian);
  sum.add(header.subarray(0, 24));
  if (!sum.is(header, 24)) return committed;
  const frame = Buffer.alloc(FRAME_HEADER + size);
  const begun = new Map<number, number>();
  for (let at = WAL_HEADER; readSync(wal, frame, 0, frame.length, at) === frame.length; at += frame.length) {
    if (frame.compare(header, 16, 24, 8, 16) !== 0) break;
    sum.add(frame.subarray(0, 8));
    sum.add(frame.subarray(FRAME_HEADER));
    if (!sum.is(frame, 16)) break;
    begun.set(frame.readUInt32BE(0), at + FRAME_HEADER);
    if (frame.readUInt32BE(4) === 0) continue;
    for (const [number, place] of begun) committed.set(number, place);
    begun.clear();
  }
  return committed;
}

/** The checksum of SQLite's log, over everything so far. */
class RunningSum {
  readonly #isBigEndian: boolean;
  #a = 0;
  #b = 0;

  constructor(isBigEndian: boolean) {
    this.#isBigEndian = isBigEndian;
  }

  add(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; at += 8) {
      this.#a = (this.#a + this.#word(bytes, at) + this.#b) >>> 0;
      this.#b = (this.#b + this.#word(bytes, at + 4) + this.#a) >>> 0;
    }
  }

  is(bytes: Buffer, at: number): boolean {
    return bytes.readUInt32BE(at) === this.#a && bytes.readUInt32BE(at + 4) === this.#b;
  }

  #word(bytes: Buffer, at: number): number {
    return this.#isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at);
  }
}
