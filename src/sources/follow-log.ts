import { closeSync, readSync, statSync } from 'node:fs';
import { LineSplitter } from '../formats/index.ts';
import type { Format, Line } from '../model/index.ts';
import { onDisk } from './byte-names.ts';
import type { LogFile } from './find-files.ts';
import { openFile } from './open-file.ts';

const PIECE = 1024 * 1024;

/** A file that is still written: `read` gives the whole lines that were added since the last time. */
export class FollowedLog {
  readonly file: LogFile;
  readonly #splitter: LineSplitter;
  #lines: Line[] = [];
  #offset = 0;

  constructor(format: Format, file: LogFile) {
    this.file = file;
    const reader = format.open(file.facts, undefined, { survey: false, blocks: false });
    this.#splitter = new LineSplitter(file.facts.id, (bytes, ref, cut) => {
      this.#lines.push(reader.next(bytes, ref, cut).line);
    });
  }

  /** Null when the file is gone or shorter than it was: then it is another file, to be read from the beginning. */
  read(): Line[] | null {
    let size: number;
    try {
      size = statSync(onDisk(this.file.path)).size;
    } catch {
      return null;
    }
    if (size < this.#offset) return null;
    if (size > this.#offset) this.#readTo(size);
    const lines = this.#lines;
    this.#lines = [];
    return lines;
  }

  #readTo(size: number): void {
    const handle = openFile(this.file.path);
    try {
      const buffer = Buffer.allocUnsafe(Math.min(PIECE, size - this.#offset));
      while (this.#offset < size) {
        const got = readSync(handle, buffer, 0, Math.min(buffer.length, size - this.#offset), this.#offset);
        if (got === 0) return;
        this.#offset += got;
        this.#splitter.push(buffer.subarray(0, got));
      }
    } finally {
      closeSync(handle);
    }
  }
}
