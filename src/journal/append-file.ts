import { closeSync, constants, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SkeinError } from '../model/index.ts';
import { withLock } from './lock.ts';
import { replaceFile, syncFolder, unwritable, writeWhole } from './replace-file.ts';

/** Where a file ended when it was last looked at. */
export interface FileEnd {
  readonly size: number;
  /** The last line has no newline. */
  readonly isTorn: boolean;
}

/**
 * Appends lines to a file that others may append to as well. Each line is one write at the end of the file, wherever that is by then: when an
 * append returns, its line is in the file, and a process that is killed has lost nothing.
 *
 * If the file is then longer than it should be, somebody else wrote too, perhaps half a line right before ours; if it has no name any more,
 * it was replaced or deleted. That is asked once for all appends that come together, and again after them: asking makes the system keep
 * finer times for the file, and the next write twice as slow. If something is odd, the lines since the last time are looked for, and
 * those that are not there whole are written again under the lock.
 */
export class AppendFile {
  readonly path: string;
  /** All lines the file should have, if it is deleted while it is open. */
  readonly #content: () => Iterable<string>;
  readonly #handle: Handle = { fd: null };
  #size: number;
  #isTorn: boolean;
  /** Lines that were written since the file was last looked at. */
  readonly #unconfirmed: string[] = [];
  /** Where they begin. */
  #confirmedSize: number;
  #isWatching = false;
  #isNamed = false;
  #error: SkeinError | null = null;

  constructor(path: string, { size, isTorn }: FileEnd, content: () => Iterable<string>) {
    this.path = path;
    this.#size = size;
    this.#confirmedSize = size;
    this.#isTorn = isTorn;
    this.#content = content;
  }

  /** After the first error nothing more is written: an entry would hang on one that is not there. */
  append(line: string): void {
    if (this.#error) throw this.#error;
    try {
      this.#write(line);
      if (!this.#isWatching) this.#watch();
      else if (this.#unconfirmed.length >= MOST_UNCONFIRMED) this.#confirm();
    } catch (cause) {
      this.#fail(cause);
    }
  }

  /** Onto the disk, its name too. */
  flush(): void {
    if (this.#error) throw this.#error;
    try {
      this.#confirm();
      const fd = this.#open();
      if (fd === null) return;
      fsyncSync(fd);
      if (!this.#isNamed) syncFolder(dirname(this.path));
      this.#isNamed = true;
    } catch (cause) {
      this.#fail(cause);
    }
  }

  /** The next append opens it again. */
  close(): void {
    try {
      if (!this.#error) this.#confirm();
    } catch (cause) {
      this.#fail(cause);
    } finally {
      this.#release();
    }
  }

  #fail(cause: unknown): never {
    this.#error = unwritable(this.path, cause);
    throw this.#error;
  }

  #write(line: string): void {
    const fd = this.#open();
    if (fd === null) {
      this.#makeSure(line, 0);
      return;
    }
    const from = this.#size;
    const { bytes, length } = encode(line, this.#isTorn);
    const written = writeSync(fd, bytes, 0, length);
    this.#size = from + length;
    this.#isTorn = false;
    if (written === length) this.#unconfirmed.push(line);
    else this.#makeSure(line, from);
  }

  /** Asks now, and once more when the work at hand is done. */
  #watch(): void {
    this.#confirm();
    this.#isWatching = true;
    queueMicrotask(() => {
      this.#isWatching = false;
      try {
        if (!this.#error) this.#confirm();
      } catch (cause) {
        // Whoever appends or flushes next is told.
        this.#error = unwritable(this.path, cause);
      }
    });
  }

  #confirm(): void {
    const { fd } = this.#handle;
    if (this.#unconfirmed.length === 0 || fd === null) return;
    const { size, nlink } = fstatSync(fd);
    if (nlink > 0 && size === this.#size) this.#settle();
    else this.#makeSure(null, size);
  }

  /** Every line is in the file, and the file has its name. */
  #settle(): void {
    this.#unconfirmed.length = 0;
    this.#confirmedSize = this.#size;
  }

  /** Not created here: a file that is gone needs its header. */
  #open(): number | null {
    if (this.#handle.fd !== null) return this.#handle.fd;
    try {
      this.#handle.fd = openSync(this.path, constants.O_RDWR | constants.O_APPEND);
      // It may be another file than the one that was read: what is written to it comes after what it has now.
      if (this.#unconfirmed.length === 0) this.#confirmedSize = fstatSync(this.#handle.fd).size;
      // Not before: until it is let go of, the whole session survives each collection of young objects.
      leaked.register(this, this.#handle, this.#handle);
      return this.#handle.fd;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  #release(): void {
    leaked.unregister(this.#handle);
    closeHandle(this.#handle);
  }

  /** Until all lines are there whole, each on a line of its own. What half of one may be left is a line that readers report. */
  #makeSure(last: string | null, from: number): void {
    const lines = [...this.#unconfirmed, ...(last === null ? [] : [last])].map((line) => Buffer.from(`${line}\n`));
    if (this.#missing(lines, this.#confirmedSize)?.length !== 0) {
      withLock(this.path, () => {
        let start = this.#confirmedSize;
        for (let tries = 0; ; tries++) {
          const missing = this.#missing(lines, start);
          if (missing?.length === 0) return;
          if (tries === TRIES) throw new Error('others write to it without end');
          const { fd } = this.#handle;
          if (missing && fd !== null) {
            for (const line of missing) writeWhole(fd, this.#completion(fd, line, from));
            continue;
          }
          // The file was replaced or deleted. Its follower may have the lines.
          this.#release();
          start = 0;
          if (this.#open() !== null) continue;
          this.#restore(last);
          return;
        }
      });
    }
    this.#settle();
  }

  /** Null: there is no such file any more. */
  #missing(lines: readonly Buffer[], from: number): Buffer[] | null {
    const { fd } = this.#handle;
    if (fd === null) return null;
    const { size, nlink } = fstatSync(fd);
    if (nlink === 0) return null;
    // With the byte before: it must be the end of a line.
    const start = Math.max(0, from - 1);
    const tail = readRange(fd, start, size);
    this.#size = size;
    this.#isTorn = tail.length > 0 && tail.at(-1) !== NEWLINE;
    return lines.filter((line) => !hasLine(tail, line, start === 0));
  }

  /** The rest, if the write stopped short and nobody wrote after it; otherwise the whole line anew. */
  #completion(fd: number, line: Buffer, from: number): Uint8Array {
    const { size } = fstatSync(fd);
    const tail = readRange(fd, from, size);
    const isOwn = tail.length > 0 && tail.length < line.length && tail.equals(line.subarray(0, tail.length));
    const startsLine = from === 0 || readRange(fd, from - 1, from)[0] === NEWLINE;
    if (isOwn && startsLine) return line.subarray(tail.length);
    const isTorn = size > 0 && readRange(fd, size - 1, size)[0] !== NEWLINE;
    return isTorn ? Buffer.concat([Buffer.of(NEWLINE), line]) : line;
  }

  #restore(last: string | null): void {
    replaceFile(this.path, [...this.#content(), ...(last === null ? [] : [`${last}\n`])]);
    const fd = this.#open();
    if (fd !== null) this.#size = fstatSync(fd).size;
    this.#isTorn = false;
  }
}

/**
 * Marks a file that another one has taken the place of: whoever still has it open and appends to it finds it longer than it should be. What
 * was appended to it is given back.
 */
export function retire(fd: number, size: number): Buffer {
  writeSync(fd, '\n');
  const added = readRange(fd, size, fstatSync(fd).size).toString('latin1');
  return Buffer.from(added.replace(/(^|\n)\n+/g, '$1'), 'latin1');
}

const NEWLINE = 10;
const TRIES = 100;
const MOST_UNCONFIRMED = 256;
const room = { bytes: Buffer.allocUnsafeSlow(1 << 16), length: 0 };

/** The bytes of a line that begins and ends one; in the same room each time, unless it is long. */
function encode(line: string, isTorn: boolean): { bytes: Buffer; length: number } {
  // A character takes three bytes at the most.
  if (line.length * 3 + 2 > room.bytes.length) {
    const bytes = Buffer.from(isTorn ? `\n${line}\n` : `${line}\n`);
    return { bytes, length: bytes.length };
  }
  const start = isTorn ? 1 : 0;
  room.bytes[0] = NEWLINE;
  const end = start + room.bytes.write(line, start);
  room.bytes[end] = NEWLINE;
  room.length = end + 1;
  return room;
}

function hasLine(bytes: Buffer, line: Buffer, isStart: boolean): boolean {
  for (let at = bytes.indexOf(line); at >= 0; at = bytes.indexOf(line, at + 1)) {
    if (at === 0 ? isStart : bytes[at - 1] === NEWLINE) return true;
  }
  return false;
}

export function readRange(fd: number, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(Math.max(0, to - from));
  let held = 0;
  while (held < bytes.length) {
    const read = readSync(fd, bytes, held, bytes.length - held, from + held);
    if (read === 0) break;
    held += read;
  }
  return bytes.subarray(0, held);
}

interface Handle {
  fd: number | null;
}

function closeHandle(handle: Handle): void {
  if (handle.fd !== null) closeSync(handle.fd);
  handle.fd = null;
}

/** Pi has no `close`: programs written for it forget their sessions. */
const leaked = new FinalizationRegistry<Handle>(closeHandle);
