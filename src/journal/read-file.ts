import { isAscii } from 'node:buffer';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { SkeinError } from '../model/index.ts';
import { type FileEntry, isHeader } from './entries.ts';
import { badHeader, type JournalFinding, noId, tornTail, unreadable } from './findings.ts';

/** What a file says, without anything having been changed in it. */
export interface ReadFile {
  /** With the header, if there is one. What cannot be read, and what has no id, is not among them. */
  readonly entries: readonly FileEntry[];
  /** Lines that no entry stands on; all others follow one another. */
  readonly gaps: readonly number[];
  /** Without a header nothing may be appended: nobody would read it. */
  readonly hasHeader: boolean;
  /** The title before the header; undefined: there is none. */
  readonly titleSlot?: unknown;
  /** Bytes that were read. */
  readonly size: number;
  /** The last line has no newline yet. */
  readonly isTorn: boolean;
  readonly findings: readonly JournalFinding[];
}

export function readFile(path: string): ReadFile {
  const entries: FileEntry[] = [];
  const gaps: number[] = [];
  const findings: JournalFinding[] = [];
  let first: 'header' | 'other' | null = null;
  let needsId = true;
  let titleSlot: unknown;
  const { size, isTorn } = readLines(path, (text, line, isTorn) => {
    const value = parseLine(text);
    if (!value) {
      if (value === null) findings.push(isTorn ? tornTail(line) : unreadable(line));
      gaps.push(line);
      return;
    }
    if (first === null) {
      const title = titleIn(value);
      if (title !== undefined) {
        titleSlot = title;
        gaps.push(line);
        return;
      }
      first = isHeader(value) ? 'header' : 'other';
      // Only version 1 had no ids.
      needsId = value.type !== 'session' || (value.version ?? 1) >= 2;
    }
    if (value.type !== 'session' && typeof value.id !== 'string' && needsId) {
      findings.push(noId(line));
      gaps.push(line);
      return;
    }
    entries.push(value);
  });
  if (first !== 'header' && size > 0) findings.unshift(badHeader());
  return { entries, gaps, hasHeader: first === 'header', titleSlot, size, isTorn, findings };
}

/** Undefined: nothing stands there. Null: something that is no object. */
export function parseLine(text: string): FileEntry | null | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    // A byte order mark counts as white space here, and not for JSON.
    const trimmed = text.trim();
    if (trimmed === '') return undefined;
    try {
      return trimmed === text ? null : asObject(JSON.parse(trimmed));
    } catch {
      return null;
    }
  }
}

/** oh-my-pi keeps a title that it can overwrite in place before the header. Undefined: this is none. */
export const titleIn = (line: { readonly type: string; readonly title?: unknown }): unknown =>
  line.type === 'title' ? (line.title ?? '') : undefined;

const asObject = (value: unknown): FileEntry | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as FileEntry) : null;

type TakeLine = (text: string, line: number, isTorn: boolean) => void;

/** Gives the number of the last line. */
function takeEach(text: string, before: number, takeLine: TakeLine): number {
  let line = before;
  let start = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
    takeLine(text.slice(start, end), ++line, false);
    start = end + 1;
  }
  takeLine(text.slice(start), ++line, false);
  return line;
}

function readLines(path: string, takeLine: TakeLine): { size: number; isTorn: boolean } {
  try {
    const fd = openSync(path, 'r');
    try {
      return readFrom(fd, takeLine);
    } finally {
      closeSync(fd);
    }
  } catch (cause) {
    throw new SkeinError('unreadable', `Cannot read ${path}: ${(cause as Error).message}`, cause);
  }
}

/**
 * Nearly every file is read at once. That much memory outside of the heap makes V8 collect what is left over from before, while there is
 * little that it must keep; brought on later by what is being read, a collection copies all of it.
 */
const CHUNK = 1 << 26;

function readFrom(fd: number, takeLine: TakeLine): { size: number; isTorn: boolean } {
  let buffer = Buffer.allocUnsafe(Math.min(CHUNK, fstatSync(fd).size + 1));
  let [held, size, line] = [0, 0, 0];
  for (;;) {
    if (held === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
    const read = readSync(fd, buffer, held, buffer.length - held, null);
    if (read === 0) break;
    size += read;
    held += read;
    const end = buffer.lastIndexOf(NEWLINE, held - 1);
    if (end < 0) continue;
    line = takeEach(textOf(buffer.subarray(0, end)), line, takeLine);
    buffer.copyWithin(0, end + 1, held);
    held -= end + 1;
  }
  if (held > 0) takeLine(textOf(buffer.subarray(0, held)), line + 1, true);
  return { size, isTorn: held > 0 };
}

const NEWLINE = 10;

/** Text of one byte a character is read faster, and takes half the room. */
const textOf = (bytes: Buffer): string => bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
