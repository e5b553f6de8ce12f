import { closeSync, readSync } from 'node:fs';
import { LineSplitter } from '../formats/index.ts';
import type { FileId, Format, LineRef, Parsed } from '../model/index.ts';
import { type LogFile, openFile } from '../sources/index.ts';

/** Where lines lie: the logs of one agent in one project. */
export interface LineFiles {
  readonly format: Format;
  file(id: FileId): LogFile | undefined;
}

const WINDOW = 1024 * 1024;
const OPEN_FILES = 16;

/**
 * What single lines say, read from their files again. Lines are mostly asked for in file order, so each open file keeps a window of
 * bytes. A line that is gone or was replaced by something shorter says nothing.
 */
export class LineReader {
  readonly #logs: LineFiles;
  readonly #windowSize: number;
  readonly #open = new Map<FileId, Window>();

  /** `window`: so much is read at a time, or a line that is longer; little of it where lines are asked for here and there. */
  constructor(logs: LineFiles, window = WINDOW) {
    this.#logs = logs;
    this.#windowSize = window;
  }

  read(refs: readonly LineRef[]): Parsed[] {
    return refs.flatMap((ref) => this.#readLine(ref) ?? []);
  }

  /** A line as it stands in its file, valid until something else is asked for; null where it is not read at once. */
  bytes({ file: id, offset, bytes }: LineRef): Uint8Array | null {
    const file = this.#logs.file(id);
    if (!file) return null;
    const { value } = this.#window(file).pieces({ offset, bytes }).next();
    return value?.length === bytes ? value : null;
  }

  close(): void {
    for (const window of this.#open.values()) window.close();
    this.#open.clear();
  }

  #readLine(ref: LineRef): Parsed | null {
    const file = this.#logs.file(ref.file);
    if (!file) return null;
    const reader = this.#logs.format.open(file.facts, undefined, { survey: false });
    let found: Parsed | null = null;
    // Through the splitter, so that a long line is shortened here as it was when it was read (H19).
    const take = (bytes: Uint8Array, place: LineRef, cut: boolean): void => {
      const read = reader.next(bytes, place, cut);
      // The bytes are only lent: what they say is made now.
      const said = read.blocks();
      found = { line: read.line, blocks: () => said };
    };
    const splitter = new LineSplitter(ref.file, take, ref);
    for (const piece of this.#window(file).pieces(ref)) splitter.push(piece);
    splitter.end();
    return found;
  }

  #window(file: LogFile): Window {
    const known = this.#open.get(file.facts.id);
    if (known) return known;
    const [oldest] = this.#open;
    if (oldest && this.#open.size >= OPEN_FILES) {
      oldest[1].close();
      this.#open.delete(oldest[0]);
    }
    const window = new Window(file, this.#windowSize);
    this.#open.set(file.facts.id, window);
    return window;
  }
}

/** A part of a file that was read and is likely to be asked for again. */
class Window {
  readonly #file: LogFile;
  readonly #size: number;
  #handle: number | null = null;
  #buffer: Uint8Array = new Uint8Array(0);
  #start = 0;
  #end = 0;

  constructor(file: LogFile, size: number) {
    this.#file = file;
    this.#size = size;
    if (!file.bytes) return;
    this.#buffer = file.bytes;
    this.#end = file.bytes.length;
  }

  /** Each piece is valid until the next is asked for. */
  *pieces({ offset, bytes }: Pick<LineRef, 'offset' | 'bytes'>): Generator<Uint8Array, void> {
    for (let at = offset; at < offset + bytes; ) {
      if (at < this.#start || at >= this.#end) this.#fill(at, offset + bytes - at);
      const piece = this.#buffer.subarray(at - this.#start, Math.min(this.#end, offset + bytes) - this.#start);
      if (piece.length === 0) return;
      yield piece;
      at += piece.length;
    }
  }

  close(): void {
    if (this.#handle !== null) closeSync(this.#handle);
    this.#handle = null;
  }

  #fill(from: number, wanted: number): void {
    const size = Math.max(this.#size, Math.min(wanted, WINDOW));
    this.#start = from;
    this.#end = from;
    if (this.#file.bytes) return;
    try {
      if (this.#file.kept) {
        this.#buffer = this.#file.kept.read(from, size);
        this.#end += this.#buffer.length;
        return;
      }
      this.#handle ??= openFile(this.#file.path);
      const room = Math.min(size, Math.max(this.#file.size, wanted));
      if (this.#buffer.length < room) this.#buffer = Buffer.allocUnsafe(room);
      this.#end += readSync(this.#handle, this.#buffer, 0, this.#buffer.length, from);
    } catch {
      // The file went away: its lines say nothing.
    }
  }
}
