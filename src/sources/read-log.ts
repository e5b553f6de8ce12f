import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { LineSplitter } from '../formats/index.ts';
import { decodeUtf8, type Format, type Line, type Parsed, type ReadOptions } from '../model/index.ts';
import type { LogFile } from './find-files.ts';
import { type Problem, reasonOf } from './problem.ts';

const PIECE = 1024 * 1024;
const BATCH = 4096;

export interface ReadLog {
  /** Counted by the splitter, independently of where the lines went. */
  readonly lines: number;
  readonly bytes: number;
  readonly problem: Problem | null;
}

/** Streams a file line by line into `take`, in batches. Holds one piece of the file and one line. */
export function readLog(
  format: Format,
  file: LogFile,
  take: (lines: readonly Line[]) => void,
  options: ReadOptions = {},
): ReadLog {
  if (file.facts.role === 'sidecar') return readSidecar(format, file, take);
  let batch: Line[] = [];
  const read = readLines(
    format,
    file,
    ({ line }) => {
      batch.push(line);
      if (batch.length < BATCH) return;
      take(batch);
      batch = [];
    },
    options,
  );
  if (batch.length > 0) take(batch);
  return read;
}

/** Each line with what it says, valid until `take` returns. */
export function readLines(format: Format, file: LogFile, take: (line: Parsed) => void, options: ReadOptions): ReadLog {
  let lines = 0;
  let bytes = 0;
  const reader = format.open(file.facts, undefined, options);
  const splitter = new LineSplitter(file.facts.id, (piece, ref, cut, torn) => {
    lines++;
    take(reader.next(piece, ref, cut, torn));
  });
  let problem: Problem | null = null;
  try {
    for (const piece of piecesOf(file)) {
      bytes += piece.length;
      splitter.push(piece);
    }
  } catch (error) {
    problem = {
      path: file.path,
      message: `${file.path} ${reasonOf(error)}; ${bytes === 0 ? 'it is left out' : 'it is read up to there'}`,
    };
  }
  splitter.end();
  return { lines, bytes, problem };
}

/** Each piece is valid until the next is asked for. */
function* piecesOf(file: LogFile): Generator<Uint8Array> {
  if (file.bytes) {
    yield file.bytes;
    return;
  }
  if (file.kept) {
    for (let at = 0; at < file.size; at += PIECE) yield file.kept.read(at, PIECE);
    return;
  }
  const handle = openSync(file.path, 'r');
  try {
    const piece = Buffer.allocUnsafe(Math.min(PIECE, Math.max(file.size + 1, 4096)));
    for (let size = readSync(handle, piece); size > 0; size = readSync(handle, piece)) yield piece.subarray(0, size);
  } finally {
    closeSync(handle);
  }
}

function readSidecar(format: Format, file: LogFile, take: (lines: readonly Line[]) => void): ReadLog {
  const left = (why: string): ReadLog => ({
    lines: 0,
    bytes: 0,
    problem: { path: file.path, message: `${file.path} ${why}; it is left out` },
  });
  if (file.size > PIECE) return left('is too large for a small file beside a log');
  try {
    const bytes = file.bytes ?? file.kept?.read(0, file.size);
    const text = bytes ? decodeUtf8(bytes) : readFileSync(file.path, 'utf8');
    const line = format.readSidecar?.(file.facts, text);
    if (!line) return left('is not a JSON object');
    take([line]);
    return { lines: 0, bytes: file.size, problem: null };
  } catch (error) {
    return left(reasonOf(error));
  }
}
