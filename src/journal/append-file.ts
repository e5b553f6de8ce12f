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
 * Appends lines to a file that others may append to as well. Each line is one write at the end of the file, wherever that is by then. If the
 * file has not grown by exactly this line, somebody else wrote too, or the write stopped short: then it is read back. An append that
 * returns has put its line on a line of its own.
 */
export class AppendFile {
  readonly path: string;
  /** All lines the file should have, if it is deleted while it is open. */
  readonly #content: () => Iterable<string>;
  readonly #handle: Handle = { fd: null };
  #size: number;
  #isTorn: boolean;
  #isNamed = false;
  #error: SkeinError | null = null;

  constructor(path: string, { size, isTorn }: FileEnd, content: () => Iterable<string>) {
    this.path = path;
    this.#size = size;
    this.#isTorn = isTorn;
    this.#content = content;
  }

  /** After the first error nothing more is written: an entry would hang on one that is not there. */
  append(line: string): void {
    if (this.#error) throw this.#error;
    try {
      this.#write(`${line}\n`);
    } catch (cause) {
      this.#error = unwritable(this.path, cause);
      throw this.#error;
    }
  }

  /** Onto the disk, its name too. */
  flush(): void {
    if (this.#error) throw this.#error;
    const fd = this.#open();
    if (fd === null) return;
    fsyncSync(fd);
    if (!this.#isNamed) syncFolder(dirname(this.path));
    this.#isNamed = true;
  }

  /** The next append opens it again. */
  close(): void {
    leaked.unregister(this.#handle);
    closeHandle(this.#handle);
  }

  #write(line: string): void {
    const fd = this.#open();
    if (fd === null) {
      this.#makeSure(line, 0);
      return;
    }
    const text = this.#isTorn ? `\n${line}` : line;
    const from = this.#size;
    const written = writeSync(fd, text);
    const { size, nlink } = fstatSync(fd);
    this.#size = size;
    this.#isTorn = false;
    const length = Buffer.byteLength(text);
    if (written !== length || nlink === 0 || size !== from + length) this.#makeSure(line, from);
  }

  /** Not created here: a file that is gone needs its header. */
  #open(): number | null {
    if (this.#handle.fd !== null) return this.#handle.fd;
    try {
      this.#handle.fd = openSync(this.path, constants.O_RDWR | constants.O_APPEND);
      // Not before: until it is let go of, the whole session survives each collection of young objects.
      leaked.register(this, this.#handle, this.#handle);
      return this.#handle.fd;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  /** Until the line is there whole, on a line of its own. What half of it may be left is a line that readers report. */
  #makeSure(line: string, from: number): void {
    const bytes = Buffer.from(line);
    if (this.#isThere(bytes, from)) return;
    withLock(this.path, () => {
      let start = from;
      for (let tries = 0; !this.#isThere(bytes, start); tries++) {
        if (tries === TRIES) throw new Error('others write to it without end');
        let fd = this.#handle.fd;
        if (fd === null || fstatSync(fd).nlink === 0) {
          // The file was replaced or deleted. Its follower may have the line.
          this.close();
          start = 0;
          fd = this.#open();
          if (fd === null) {
            this.#restore(line);
            return;
          }
          this.#size = fstatSync(fd).size;
        } else {
          writeWhole(fd, this.#completion(fd, bytes, start));
        }
      }
    });
  }

  #isThere(line: Buffer, from: number): boolean {
    const { fd } = this.#handle;
    if (fd === null) return false;
    const { size, nlink } = fstatSync(fd);
    if (nlink === 0) return false;
    // With the byte before: it must be the end of a line.
    const start = Math.max(0, from - 1);
    const tail = readRange(fd, start, size);
    this.#size = size;
    this.#isTorn = tail.length > 0 && tail.at(-1) !== NEWLINE;
    for (let at = tail.indexOf(line); at >= 0; at = tail.indexOf(line, at + 1)) {
      if (at === 0 ? start === 0 : tail[at - 1] === NEWLINE) return true;
    }
    return false;
  }

  /** The rest, if the write stopped short and nobody wrote after it; otherwise the whole line anew. */
  #completion(fd: number, line: Buffer, from: number): Uint8Array {
    const tail = readRange(fd, from, fstatSync(fd).size);
    const isOwn = tail.length > 0 && tail.length < line.length && tail.equals(line.subarray(0, tail.length));
    const startsLine = from === 0 || readRange(fd, from - 1, from)[0] === NEWLINE;
    if (isOwn && startsLine) return line.subarray(tail.length);
    return this.#isTorn ? Buffer.concat([Buffer.of(NEWLINE), line]) : line;
  }

  #restore(line: string): void {
    replaceFile(this.path, [...this.#content(), line]);
    const fd = this.#open();
    if (fd !== null) this.#size = fstatSync(fd).size;
    this.#isTorn = false;
  }
}

const NEWLINE = 10;
const TRIES = 100;

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
