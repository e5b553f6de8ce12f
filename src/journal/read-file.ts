import { isAscii } from 'node:buffer';
import { closeSync, openSync, readSync } from 'node:fs';
import { SkeinError } from '../model/index.ts';
import { type FileEntry, isHeader } from './entries.ts';
import { badHeader, type JournalFinding, noId, tornTail, unreadable } from './findings.ts';

/** What a file says, without anything having been changed in it. */
export interface ReadFile {
  /** With the header, if there is one. What cannot be read, and what has no id, is not among them. */
  readonly entries: readonly FileEntry[];
  /** The line each entry stands on. */
  readonly lines: readonly number[];
  /** Without a header nothing may be appended: nobody would read it. */
  readonly hasHeader: boolean;
  /** Bytes that were read. */
  readonly size: number;
  /** The last line has no newline yet. */
  readonly isTorn: boolean;
  readonly findings: readonly JournalFinding[];
}

const CHUNK = 1 << 20;

export function readFile(path: string): ReadFile {
  const entries: FileEntry[] = [];
  const lines: number[] = [];
  const findings: JournalFinding[] = [];
  let first: 'header' | 'other' | null = null;
  const { size, isTorn } = eachLine(path, (text, line, torn) => {
    const value = parseLine(text);
    if (value === undefined) return;
    if (value === null) {
      findings.push(torn ? tornTail(line) : unreadable(line));
      return;
    }
    if (first === null && isTitle(value)) return;
    first ??= isHeader(value) ? 'header' : 'other';
    if (value.type !== 'session' && needsId(entries) && typeof value.id !== 'string') {
      findings.push(noId(line));
      return;
    }
    entries.push(value);
    lines.push(line);
  });
  if (first !== 'header' && size > 0) findings.unshift(badHeader());
  return { entries, lines, hasHeader: first === 'header', size, isTorn, findings };
}

/** Only version 1 had no ids. */
function needsId([header]: readonly FileEntry[]): boolean {
  return header?.type !== 'session' || (header.version ?? 1) >= 2;
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

/** oh-my-pi keeps a title that it can overwrite in place before the header. */
export const isTitle = ({ type }: { type: string }): boolean => type === 'title';

const asObject = (value: unknown): FileEntry | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as FileEntry) : null;

type OnLine = (text: string, line: number, isTorn: boolean) => void;

function eachLine(path: string, onLine: OnLine): { size: number; isTorn: boolean } {
  try {
    const fd = openSync(path, 'r');
    try {
      return readLines(fd, onLine);
    } finally {
      closeSync(fd);
    }
  } catch (cause) {
    throw new SkeinError('unreadable', `Cannot read ${path}: ${(cause as Error).message}`, cause);
  }
}

function readLines(fd: number, onLine: OnLine): { size: number; isTorn: boolean } {
  let buffer = Buffer.allocUnsafe(CHUNK);
  let [held, size, line] = [0, 0, 0];
  for (;;) {
    if (held === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
    const read = readSync(fd, buffer, held, buffer.length - held, null);
    if (read === 0) break;
    size += read;
    held += read;
    const end = buffer.lastIndexOf(NEWLINE, held - 1);
    if (end < 0) continue;
    line = eachLineOf(textOf(buffer.subarray(0, end)), line, onLine);
    buffer.copyWithin(0, end + 1, held);
    held -= end + 1;
  }
  if (held > 0) onLine(textOf(buffer.subarray(0, held)), line + 1, true);
  return { size, isTorn: held > 0 };
}

const NEWLINE = 10;

function eachLineOf(text: string, before: number, onLine: OnLine): number {
  let line = before;
  let start = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
    onLine(text.slice(start, end), ++line, false);
    start = end + 1;
  }
  onLine(text.slice(start), ++line, false);
  return line;
}

/** Text of one byte a character is read faster, and takes half the room. */
const textOf = (bytes: Buffer): string => bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
