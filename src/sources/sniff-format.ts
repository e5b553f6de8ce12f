import { closeSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import { formats, type Recognised, recognise } from '../formats/index.ts';
import { decodeUtf8 } from '../model/index.ts';
import { type KeptBytes, type LogFile, statsOf } from './find-files.ts';
import { openFile } from './open-file.ts';

const HEAD = 64 * 1024;
/** Mostly enough to know whose a file is. */
const GLANCE = 4 * 1024;
/** Who watches for weeks meets more than there are at a time. */
const REMEMBERED = 100_000;

const SAYS_NOTHING: Recognised = { format: null, other: null, certainty: 0, isRubbish: true };

interface Known {
  readonly size: number;
  readonly modified: number;
  readonly found: Recognised;
}

/** A folder is looked at several times until everything in it has its place; as long as a file does not change, it is opened once. */
const known = new Map<string, Known>();

/** Whose a file is, by what its lines say, wherever it lies. One that cannot be read says nothing. */
export function recogniseFile(path: string): Recognised {
  const stat = statsOf(path);
  if (!stat?.isFile() || stat.size === 0) return SAYS_NOTHING;
  const { size, mtimeMs: modified } = stat;
  const before = known.get(path);
  if (before?.size === size && before.modified === modified) return before.found;
  const found = look(path, size, modified);
  remember(path, { size, modified, found });
  return found;
}

/** What was found out earlier, as long as the file did not change: it need not be opened. */
export function recallFormat(path: string, format: string, size: number, modified: number): void {
  const known = formats.find(({ name }) => name === format);
  if (known) remember(path, { size, modified, found: { format: known, other: null, certainty: 2, isRubbish: false } });
}

function remember(path: string, what: Known): void {
  if (known.size >= REMEMBERED) known.clear();
  known.set(path, what);
}

/** Whoever asks for the first lines of a file in a folder asks for those of its first file: it is read once for both. */
const heads = new Map<
  string,
  { readonly path: string; readonly size: number; readonly modified: number; readonly text: string }
>();
const HEADS = 64;

function look(path: string, size: number, modified: number): Recognised {
  const folder = dirname(path);
  if (!heads.has(folder)) {
    if (heads.size >= HEADS) heads.clear();
    const text = readHead(path, HEAD);
    heads.set(folder, { path, size, modified, text });
    return recognise(text);
  }
  const found = recognise(readHead(path, GLANCE));
  return found.certainty >= 2 || size <= GLANCE ? found : recognise(readHead(path, HEAD));
}

function headOf(path: string): string {
  const head = heads.get(dirname(path));
  const stat = head?.path === path ? statsOf(path) : undefined;
  return head && head.size === stat?.size && head.modified === stat.mtimeMs ? head.text : readHead(path, HEAD);
}

/** Neither one of the agents nor, for all that is known, another one wrote it. */
export const isUnknown = ({ format, other }: Recognised): boolean => format === null && other === null;

/** The first lines of a file that are not blank; the last of them may be cut off. None of a file that cannot be read. */
export const firstLines = (path: string): string[] => linesIn(headOf(path));

export const firstLinesOf = ({ path, kept, size }: LogFile): string[] =>
  kept ? (keptLines(kept, 0) ?? keptLines(kept, Math.max(0, size - HEAD)) ?? []) : firstLines(path);

/** Null where the archive is damaged: elsewhere in the file it may not be. */
function keptLines(kept: KeptBytes, offset: number): string[] | null {
  try {
    return linesIn(decodeUtf8(kept.read(offset, HEAD)));
  } catch {
    return null;
  }
}

const linesIn = (head: string): string[] => head.split('\n', 20).filter((line) => line.trim() !== '');

/** Thousands of files are looked at one after the other. */
const room = Buffer.allocUnsafeSlow(HEAD);

function readHead(path: string, length: number): string {
  let handle: number | null = null;
  try {
    handle = openFile(path);
    return room.toString('utf8', 0, readSync(handle, room, 0, length, 0));
  } catch {
    return '';
  } finally {
    if (handle !== null) closeSync(handle);
  }
}
