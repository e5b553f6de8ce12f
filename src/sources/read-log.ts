import { closeSync, readFileSync, readSync } from 'node:fs';
import { LineSplitter, type OnLine } from '../formats/index.ts';
import { decodeUtf8, type Format, type Line, type Parsed, type ReadOptions } from '../model/index.ts';
import { onDisk } from './byte-names.ts';
import type { LogFile } from './find-files.ts';
import { openFile } from './open-file.ts';
import { type Problem, reasonOf } from './problem.ts';

const FIRST_PIECE = 64 * 1024;
const PIECE = 1024 * 1024;

export interface ReadLog {
  /** Counted by the splitter, independently of where the lines went. */
  readonly lines: number;
  readonly bytes: number;
  readonly problem: Problem | null;
}

/** How much of a file is read: so many bytes of it, in pieces of at most this length. */
interface Extent {
  readonly bytes?: number;
  readonly piece?: number;
}

/** Streams a file line by line into `take`, in batches. Holds one piece of the file and one line. */
export function readLog(
  format: Format,
  file: LogFile,
  take: (lines: readonly Line[]) => void,
  { bytes, ...options }: ReadOptions & Pick<Extent, 'bytes'> = {},
): ReadLog {
  if (file.facts.role === 'sidecar') return readSidecar(format, file, take);
  let batch: Line[] = [];
  const reader = format.open(file.facts, undefined, { ...options, blocks: false });
  const takeLine: OnLine = (line, ref, cut, torn) => batch.push(reader.next(line, ref, cut, torn).line);
  const takeBatch = (): void => {
    if (batch.length > 0) take(batch);
    batch = [];
  };
  return goThrough(file, takeLine, takeBatch, bytes === undefined ? {} : { bytes });
}

/** Each line with what it says, valid until `take` returns. */
export function readLines(format: Format, file: LogFile, take: (line: Parsed) => void, options: ReadOptions): ReadLog {
  const reader = format.open(file.facts, undefined, options);
  return goThrough(file, (line, ref, cut, torn) => take(reader.next(line, ref, cut, torn)));
}

function goThrough(file: LogFile, take: OnLine, afterPiece?: () => void, extent?: Extent): ReadLog {
  const reading = splitFile(file, take, extent);
  for (;;) {
    const { value, done } = reading.next();
    // Not where the file is read: what fails here is no problem of the file.
    afterPiece?.();
    if (done) return value;
  }
}

/** One piece of the file at each step. */
function* splitFile(file: LogFile, take: OnLine, extent?: Extent): Generator<void, ReadLog> {
  let lines = 0;
  let bytes = 0;
  const splitter = new LineSplitter(file.facts.id, (line, ref, cut, torn) => {
    lines++;
    take(line, ref, cut, torn);
  });
  let problem: Problem | null = null;
  try {
    for (const piece of piecesOf(file, extent)) {
      bytes += piece.length;
      splitter.push(piece);
      yield;
    }
  } catch (error) {
    problem = {
      path: file.path,
      message: `${file.path} ${reasonOf(error)}; ${bytes === 0 ? 'it is left out' : 'it is read up to there'}`,
    };
  }
  // Where reading stopped is not where the file ends.
  if (!problem) splitter.end();
  return { lines, bytes, problem };
}

/** Each piece is valid until the next is asked for. The first are short: somebody may wait for them. */
export function* piecesOf(
  file: LogFile,
  { bytes = Number.POSITIVE_INFINITY, piece = PIECE }: Extent = {},
): Generator<Uint8Array> {
  const inMemory = file.bytes ? [file.bytes] : file.kept?.pieces();
  if (inMemory) {
    let left = Math.min(bytes, file.bytes?.length ?? file.size);
    for (const whole of inMemory) {
      for (let at = 0; at < whole.length && left > 0; at += piece) {
        const part = whole.subarray(at, Math.min(at + piece, at + left));
        left -= part.length;
        yield part;
      }
      if (left <= 0) return;
    }
    return;
  }
  const handle = openFile(file.path);
  try {
    const buffer = Buffer.allocUnsafe(Math.min(piece, Math.max(file.size + 1, 4096)));
    let wanted = FIRST_PIECE;
    for (let left = bytes; left > 0; wanted *= 2) {
      const size = readSync(handle, buffer, 0, Math.min(wanted, buffer.length, left), null);
      if (size === 0) return;
      yield buffer.subarray(0, size);
      left -= size;
    }
  } finally {
    closeSync(handle);
  }
}

function readSidecar(format: Format, file: LogFile, take: (lines: readonly Line[]) => void): ReadLog {
  const left = (why: string, more: Pick<Problem, 'isRead'> = {}): ReadLog => ({
    lines: 0,
    bytes: 0,
    problem: { path: file.path, message: `${file.path} ${why}; it is left out`, ...more },
  });
  if (file.size > PIECE) return left('is too large for a small file beside a log');
  try {
    const bytes = file.bytes ?? file.kept?.read(0, file.size);
    const text = bytes ? decodeUtf8(bytes) : readFileSync(onDisk(file.path), 'utf8');
    const line = format.readSidecar?.(file.facts, text);
    if (!line) return left('is not a JSON object', { isRead: true });
    take([line]);
    return { lines: 0, bytes: file.size, problem: null };
  } catch (error) {
    return left(reasonOf(error));
  }
}
