import { isUtf8 } from 'node:buffer';
import { type Dirent, readdirSync, realpathSync } from 'node:fs';

/**
 * Names on disk are bytes, and most of them are UTF-8. A byte that is not is written as one of 128 characters of the last private plane,
 * U+10FE00 and the byte; so are the bytes of a name that has such a character itself. So every name has a text of its own, which is turned
 * back byte for byte, and can be kept, sent and compared like any other.
 */
const ESCAPED = /\uDBFF[\uDE80-\uDEFF]/g;
const BASE = 0x10fe00;
const LONGEST_CHARACTER = 4;

const isEscaped = (text: string): boolean => text.search(ESCAPED) >= 0;
const escaped = (byte: number): string => String.fromCodePoint(BASE + byte);

/** The text of a name. */
export function nameOf(bytes: Buffer): string {
  if (isUtf8(bytes)) {
    const text = bytes.toString('utf8');
    if (!isEscaped(text)) return text;
  }
  let name = '';
  for (let at = 0; at < bytes.length; ) {
    const character = characterAt(bytes, at);
    name += character ?? escaped(bytes[at] as number);
    at += character === null ? 1 : Buffer.byteLength(character);
  }
  return name;
}

/** Null where no character begins, or one that stands for a byte. */
function characterAt(bytes: Buffer, at: number): string | null {
  for (let length = 1; length <= LONGEST_CHARACTER; length++) {
    const piece = bytes.subarray(at, at + length);
    if (!isUtf8(piece)) continue;
    const text = piece.toString('utf8');
    return isEscaped(text) ? null : text;
  }
  return null;
}

/** What a path is called on disk, for every call of the file system with a name that was found there. */
export function onDisk(path: string): string | Buffer {
  if (!isEscaped(path)) return path;
  const pieces: Buffer[] = [];
  let end = 0;
  for (const { 0: found, index } of path.matchAll(ESCAPED)) {
    pieces.push(Buffer.from(path.slice(end, index)), Buffer.of((found.codePointAt(0) as number) - BASE));
    end = index + found.length;
  }
  return Buffer.concat([...pieces, Buffer.from(path.slice(end))]);
}

/** Whether Node may have read a name as something else than it is. */
const isDoubtful = (text: string): boolean => text.includes('\uFFFD') || isEscaped(text);

export interface Entry {
  readonly name: string;
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

/** What lies in a folder. Bytes are asked for only where they matter. */
export function entriesOf(folder: string): Entry[] {
  const entries: Entry[] = readdirSync(onDisk(folder), { withFileTypes: true });
  if (!entries.some(({ name }) => isDoubtful(name))) return entries;
  return readdirSync(onDisk(folder), { withFileTypes: true, encoding: 'buffer' }).map(entryOf);
}

const entryOf = (entry: Dirent<Buffer>): Entry => ({
  name: nameOf(entry.name),
  isFile: () => entry.isFile(),
  isDirectory: () => entry.isDirectory(),
  isSymbolicLink: () => entry.isSymbolicLink(),
});

/** Null where nothing is. */
export function realpath(path: string): string | null {
  try {
    const real = realpathSync.native(onDisk(path));
    return isDoubtful(real) ? nameOf(realpathSync.native(onDisk(path), { encoding: 'buffer' })) : real;
  } catch {
    return null;
  }
}
