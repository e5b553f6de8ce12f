import type { Needle } from './find-needle.ts';
import { isSuspect, lookCloser, SUSPECTS } from './look-closer.ts';

/**
 * Places in a file where a line may hold what is looked for, one or more for each such line. Bytes are looked at as characters of
 * Latin-1: the engine searches these as fast as it can. Where a piece may hide behind escapes, colours or accents, a line is looked at
 * more closely.
 */
export function scanBytes(needle: Needle): (pieces: Iterable<Uint8Array>) => number[] {
  const matcher = new RegExp(needle.pieces.map(rawPattern).join('|'), 'gi');
  const mayHold = lookCloser(needle);
  const suspects = SUSPECTS[needle.besides];
  // What begins in one step and ends in the next, with colours between its letters.
  const overlap = 1024 + Math.max(...needle.pieces.map((piece) => piece.length * LONGEST_ESCAPE));
  return (pieces) => {
    const places: number[] = [];
    const scan = (bytes: Buffer, start: number): void => {
      const text = bytes.toString('latin1');
      collect(text, start, matcher, places, () => true);
      if (suspects) collect(text, start, suspects, places, mayHold);
      scanEscapes(bytes, text, start, needle.besides, places, mayHold);
    };
    let tail = Buffer.alloc(0);
    let start = 0;
    for (const piece of pieces) {
      const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.length);
      const seam = Buffer.concat([tail, bytes.subarray(0, overlap)]);
      if (tail.length > 0) scan(seam, start - tail.length);
      for (let at = 0; at < bytes.length; at += STEP) {
        const from = Math.max(0, at - overlap);
        scan(bytes.subarray(from, at + STEP), start + from);
      }
      start += bytes.length;
      tail = bytes.length >= overlap ? Buffer.from(bytes.subarray(-overlap)) : Buffer.from(seam.subarray(-overlap));
    }
    return places.sort((a, b) => a - b);
  };
}

const LONGEST_ESCAPE = 12;
/** Larger strings are too large for the memory that is collected cheaply. */
export const STEP = 96 * 1024;

function rawPattern(piece: string): string {
  const quoted = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  if (/^\p{ASCII}*$/u.test(piece)) return quoted(piece);
  // A CJK character as it stands, or taken apart.
  return [...piece]
    .map((char) =>
      [...new Set([char, char.normalize('NFD')])].map((form) => quoted(Buffer.from(form).toString('latin1'))),
    )
    .map((forms) => `(?:${forms.join('|')})`)
    .join('');
}

/** The first place in each line that is found, if what is known of the line says that it may match. */
function collect(
  text: string,
  start: number,
  pattern: RegExp,
  places: number[],
  mayHold: (line: string) => boolean,
): void {
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const end = endOfLine(text, found.index);
    if (mayHold(lineAround(text, found.index, end))) places.push(start + found.index);
    pattern.lastIndex = end;
  }
}

/** Characters written as `\u0061`. */
function scanEscapes(
  bytes: Buffer,
  text: string,
  start: number,
  besides: Needle['besides'],
  places: number[],
  mayHold: (line: string) => boolean,
): void {
  for (let at = bytes.indexOf(ESCAPE); at >= 0; at = bytes.indexOf(ESCAPE, at + 2)) {
    if (isEscaped(bytes, at) || !isSuspect(Number.parseInt(text.slice(at + 2, at + 6), 16), besides)) continue;
    const end = endOfLine(text, at);
    if (mayHold(lineAround(text, at, end))) places.push(start + at);
    at = end - 2;
  }
}

const ESCAPE = Buffer.from('\\u');

/** `\\u0061` is a backslash and letters. */
function isEscaped(bytes: Buffer, at: number): boolean {
  let before = at;
  while (before > 0 && bytes[before - 1] === 0x5c) before--;
  return (at - before) % 2 === 1;
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

const lineAround = (text: string, at: number, end: number): string => text.slice(text.lastIndexOf('\n', at) + 1, end);
