import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FileId, LineRef, LogRecord } from '../../model/index.ts';
import type { Wanted } from '../../search/index.ts';
import { entriesOf, type LogFile, onDisk, piecesOf, reasonOf, statsOf } from '../../sources/index.ts';
import type { Logs } from '../logs.ts';
import type { Unread } from '../unread.ts';
import { findNeedle } from './find-needle.ts';
import { scanBytes } from './scan-bytes.ts';

/** Where lines may match, told by the bytes alone. Gives how many bytes were gone through. */
export function findPlaces(logs: Logs, wanted: Wanted, places: Places, missed: Unread[]): number {
  const needle = findNeedle(wanted);
  let bytes = 0;
  if (!needle) {
    places.all();
    return 0;
  }
  const offloaded = logs.files.flatMap((file) => offloadedWith(file, scanBytes(needle)));
  // The line of a result that lies elsewhere names its file.
  const scan = scanBytes(needle);
  const named = offloaded.length > 0 ? scanBytes({ pieces: offloaded, besides: 'none' }) : null;
  for (const file of logs.files) {
    if (file.facts.role === 'sidecar') continue;
    try {
      places.add(file.facts.id, scan(piecesOf(file, { piece: PIECE })));
      if (named) places.add(file.facts.id, named(piecesOf(file, { piece: PIECE })));
      bytes += file.size;
    } catch (error) {
      const message = `${file.path} ${reasonOf(error)}; it is left out`;
      missed.push({ file: file.facts.id, path: file.path, message, line: null, count: 1 });
    }
  }
  return bytes;
}

const PIECE = 512 * 1024;
const LARGEST = 16 * 1024 * 1024;

/** Names of the results of a session that were too long for its log and may match. */
function offloadedWith(file: LogFile, scan: (pieces: Iterable<Uint8Array>) => number[]): string[] {
  if (file.facts.role !== 'session' || file.bytes) return [];
  const folder = `${(file.kept?.path ?? file.path).replace(/\.jsonl$/, '')}/tool-results`;
  if (file.kept) return file.kept.names(folder).filter((name) => mayHold(file, `${folder}/${name}`, scan));
  try {
    const names = entriesOf(folder).map(({ name }) => name);
    return names.filter((name) => scan([plainBytes(readSmall(join(folder, name)))]).length > 0);
  } catch {
    // Most sessions have none.
    return [];
  }
}

/** Nothing of a file that is too long or went away. */
function readSmall(path: string): Uint8Array {
  const found = statsOf(path);
  if (!found?.isFile() || found.size > LARGEST) return NOTHING;
  try {
    return readFileSync(onDisk(path));
  } catch {
    return NOTHING;
  }
}

const NOTHING = new Uint8Array(0);

function mayHold(file: LogFile, path: string, scan: (pieces: Iterable<Uint8Array>) => number[]): boolean {
  const found = file.kept?.sibling(path);
  return !!found && found.size <= LARGEST && scan([plainBytes(found.read(0, found.size))]).length > 0;
}

/** It is no JSON: as JSON its colours are told from text. */
const plainBytes = (bytes: Uint8Array): Uint8Array =>
  bytes.includes(0x1b) ? Buffer.from(JSON.stringify(Buffer.from(bytes).toString('utf8'))) : bytes;

/** Places in files at which a line may match. */
export class Places {
  readonly #places = new Map<FileId, readonly number[]>();
  #isAll = false;

  get isEmpty(): boolean {
    return !this.#isAll && this.#places.size === 0;
  }

  all(): void {
    this.#isAll = true;
  }

  add(file: FileId, places: readonly number[]): void {
    if (places.length === 0) return;
    const known = this.#places.get(file) ?? [];
    this.#places.set(file, known.length === 0 ? places : [...known, ...places].sort((a, b) => a - b));
  }

  hasRecord({ lines, calls }: LogRecord): boolean {
    if (this.#isAll) return true;
    return (
      lines.some(({ ref }) => this.#has(ref)) ||
      calls.some(
        ({ at, result, more }) => this.#has(at) || (result && this.#has(result)) || more.some((ref) => this.#has(ref)),
      )
    );
  }

  /** The first place that is not before the line is in it. */
  #has({ file, offset, bytes }: LineRef): boolean {
    const places = this.#places.get(file);
    if (!places) return false;
    let [low, high] = [0, places.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((places[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return (places[low] ?? Infinity) < offset + bytes;
  }
}
