import { readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { type Cursor, HEAD } from '../model/index.ts';

/** What the file system says about a file. */
export interface DiskFacts {
  readonly size: number;
  readonly inode: number;
  readonly modified: number;
}

/**
 * What is to be done about a file, told without reading it:
 *
 *     same       nothing
 *     append     it grew; its beginning and the end of what is known are compared
 *     compare    something else happened to it; all that is known of it is compared
 *     rewritten  it is shorter than before, so it is another file
 */
export type Verdict = 'same' | 'append' | 'compare' | 'rewritten';

export function judge(known: Cursor, now: DiskFacts): Verdict {
  if (now.size < known.size) return 'rewritten';
  if (now.inode !== known.inode || now.modified < known.modified) return 'compare';
  if (now.size > known.size) return 'append';
  return now.modified === known.modified ? 'same' : 'compare';
}

const PIECE = 1024 * 1024;

/** Held: with a new one for each file that grew, the garbage collector would go over everything several times a second. */
let room: Buffer | null = null;

/** Whether the beginning of an open file is what was read. Counts what it reads. */
export function holds(
  handle: number,
  known: Cursor,
  how: 'append' | 'compare',
  count: (bytes: number) => void,
): boolean {
  const sum = (from: number, to: number): number => {
    room ??= Buffer.allocUnsafeSlow(PIECE);
    const buffer = room;
    let crc = 0;
    for (let at = from; at < to; ) {
      const got = readSync(handle, buffer, 0, Math.min(buffer.length, to - at), at);
      if (got === 0) return -1;
      count(got);
      crc = crc32(buffer.subarray(0, got), crc);
      at += got;
    }
    return crc;
  };
  if (how === 'compare') return sum(0, known.size) === known.crc;
  return sum(0, Math.min(HEAD, known.size)) === known.head && sum(known.tail.start, known.size) === known.tail.crc;
}
