import { isAscii } from 'node:buffer';
import { closeSync, fstatSync, openSync } from 'node:fs';
import { readRange } from './append-file.ts';
import { CURRENT_SESSION_VERSION, isHeader, type SessionEntry, type SessionHeader } from './entries.ts';
import { EntryIndex, type UnparsedEntries } from './entry-index.ts';
import { examine, type JournalFinding } from './findings.ts';
import { IdTable } from './id-table.ts';
import { Labels } from './labels.ts';
import { parseLine } from './read-file.ts';
import { type Skimmed, skimLine } from './skim-line.ts';

export interface SkimmedFile {
  readonly header: SessionHeader;
  readonly index: EntryIndex;
  readonly size: number;
  readonly findings: readonly JournalFinding[];
}

/**
 * A file in which every line is whole and every entry hangs on one before it, as appending leaves it: its messages are checked, and parsed when
 * somebody asks for them. Null if anything is different; then the file must be read line by line.
 */
export function skimFile(path: string): SkimmedFile | null {
  const bytes = readBytes(path);
  if (!bytes) return null;
  const headerEnd = bytes.indexOf(NEWLINE);
  const header = parseLine(bytes.toString('utf8', 0, headerEnd));
  if (!header || !isHeader(header) || (header.version ?? 1) < CURRENT_SESSION_VERSION) return null;
  const lines = skimLines(bytes, headerEnd + 1);
  if (!lines) return null;
  const index = new EntryIndex(lines);
  return { header, index, size: bytes.length, findings: examine(lines.others, index) };
}

const NEWLINE = 10;
/** A text cannot be longer. */
const LARGEST = 500_000_000;

function readBytes(path: string): Buffer | null {
  try {
    const fd = openSync(path, 'r');
    try {
      const { size } = fstatSync(fd);
      const bytes = size > LARGEST ? null : readRange(fd, 0, size);
      return bytes?.at(-1) === NEWLINE ? bytes : null;
    } finally {
      closeSync(fd);
    }
  } catch {
    return null;
  }
}

interface SkimmedLines extends UnparsedEntries {
  /** Entries that are no messages, with their lines. */
  readonly others: readonly (readonly [SessionEntry, number])[];
}

function skimLines(bytes: Buffer, from: number): SkimmedLines | null {
  const nodes: (SessionEntry | null)[] = [];
  const starts: number[] = [];
  const parents: number[] = [];
  const others: [SessionEntry, number][] = [];
  const labels = new Labels();
  const places = new IdTable(bytes.length >> 9);
  const skimmed: Skimmed = { id: -1, parentId: null };
  let previous = -1;
  for (let start = from; start < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, start);
    const place = nodes.length;
    let parent = -1;
    if (skimLine(bytes, start, end, skimmed)) {
      const { id, parentId } = skimmed;
      // Most entries hang on the one before them: that one need not be looked for.
      if (parentId !== null) parent = parentId === previous ? place - 1 : places.getNumber(parentId);
      if ((parent < 0 && parentId !== null) || !places.setNumber(id, place)) return null;
      previous = id;
      nodes.push(null);
    } else {
      const entry = parseLine(bytes.toString('utf8', start, end));
      if (!entry || entry.type === 'session' || typeof entry.id !== 'string') return null;
      if (entry.parentId !== null) parent = places.get(entry.parentId);
      if ((parent < 0 && entry.parentId !== null) || !places.set(entry.id, place)) return null;
      previous = -1;
      nodes.push(entry);
      // The header is on the first line.
      if (entry.type !== 'message') others.push([entry, place + 2]);
      labels.follow(entry);
    }
    starts.push(start);
    parents.push(parent);
    start = end + 1;
  }
  starts.push(bytes.length);
  return { nodes, parents: Int32Array.from(parents), places, labels, others, parse: parser(bytes, starts) };
}

const MANY = 64;

/** Who asks for many entries will ask for nearly all: they are cut out of one text then, if a character is a byte. */
function parser(bytes: Buffer, starts: readonly number[]): (place: number) => SessionEntry {
  let count = 0;
  let source: Buffer | string = bytes;
  return (place) => {
    const [start, end] = [starts[place] ?? 0, (starts[place + 1] ?? 0) - 1];
    // The bytes are let go of then.
    if (++count === MANY && typeof source !== 'string' && isAscii(source)) source = source.toString('latin1');
    return JSON.parse(typeof source === 'string' ? source.slice(start, end) : source.toString('utf8', start, end));
  };
}
