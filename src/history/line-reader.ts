import { closeSync, readSync } from 'node:fs';
import { LineSplitter } from '../formats/index.ts';
import type { FileId, Format, LineRef, Parsed } from '../model/index.ts';
import { type LogFile, openFile, reasonOf } from '../sources/index.ts';
import { type Unread, UnreadLines } from './unread.ts';

/** Where lines lie: the logs of one agent in one project. */
export interface LineFiles {
  readonly format: Format;
  file(id: FileId): LogFile | undefined;
}

const WINDOW = 1024 * 1024;
const OPEN_FILES = 16;

/**
 * What single lines say, read from their files again. Lines are mostly asked for in file order, so each open file keeps a window of
 * bytes. A line that cannot be read is a report that says so.
 */
export class LineReader {
  readonly #logs: LineFiles;
  readonly #windowSize: number;
  readonly #open = new Map<FileId, Window>();
  readonly #unread = new UnreadLines();

  /** `window`: so much is read at a time, or a line that is longer; little of it where lines are asked for here and there. */
  constructor(logs: LineFiles, window = WINDOW) {
    this.#logs = logs;
    this.#windowSize = window;
  }

  read(refs: readonly LineRef[]): Parsed[] {
    return refs.map((ref) => this.#readLine(ref));
  }

  /** What could not be read so far. */
  get unread(): Unread[] {
    return this.#unread.all;
  }

  /** What lies beside the log, and of which a line in it holds only the beginning. */
  missBeside(ref: LineRef, path: string, error: unknown): void {
    this.#unread.addBeside(ref, path, reasonOf(error));
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

  #readLine(ref: LineRef): Parsed {
    const file = this.#logs.file(ref.file);
    if (!file) return this.#unread.add(ref, ref.file, 'is not there any more');
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
    const window = this.#window(file);
    let left = ref.bytes;
    for (const piece of window.pieces(ref)) {
      left -= piece.length;
      splitter.push(piece);
    }
    if (left > 0) return this.#unread.add(ref, file.path, window.problem ?? 'is shorter than it was');
    splitter.end();
    return isLine(found) ? found : this.#unread.add(ref, file.path, 'says something else than before');
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

/** What was no line of the log was never asked for. */
const isLine = (found: Parsed | null): found is Parsed => found !== null && found.line.in !== 'report';

/** A part of a file that was read and is likely to be asked for again. */
class Window {
  readonly #file: LogFile;
  readonly #size: number;
  #handle: number | null = null;
  #buffer: Uint8Array = new Uint8Array(0);
  #start = 0;
  #end = 0;
  /** So much is read at once: little after something could not be read, and more again from then on. */
  #step: number;
  /** Why what was asked for last could not be read. */
  problem: string | null = null;

  constructor(file: LogFile, size: number) {
    this.#file = file;
    this.#size = size;
    this.#step = size;
    if (!file.bytes) return;
    this.#buffer = file.bytes;
    this.#end = file.bytes.length;
  }

  /** Each piece is valid until the next is asked for. */
  *pieces({ offset, bytes }: Pick<LineRef, 'offset' | 'bytes'>): Generator<Uint8Array, void> {
    this.problem = null;
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
    this.#start = from;
    this.#end = from;
    if (this.#file.bytes) return;
    const least = Math.min(wanted, WINDOW);
    const size = Math.max(this.#step, least);
    // What lies behind it may be what cannot be read.
    const whole = this.#read(from, size, wanted);
    this.#step = whole === null ? least : Math.min(this.#size, 2 * size);
    this.#end += whole ?? (size > least ? this.#read(from, least, least) : null) ?? 0;
  }

  /** How many bytes were read; null: none could be. */
  #read(from: number, size: number, wanted: number): number | null {
    this.problem = null;
    try {
      if (this.#file.kept) {
        this.#buffer = this.#file.kept.read(from, size);
        return this.#buffer.length;
      }
      this.#handle ??= openFile(this.#file.path);
      const room = Math.min(size, Math.max(this.#file.size, wanted));
      if (this.#buffer.length < room) this.#buffer = Buffer.allocUnsafe(room);
      return readSync(this.#handle, this.#buffer, 0, Math.min(this.#buffer.length, size), from);
    } catch (error) {
      this.problem = reasonOf(error);
      return null;
    }
  }
}
