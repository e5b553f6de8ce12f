import type { Needle } from './find-needle.ts';

/**
 * Places in a file where a line may hold what is looked for, one or more for each such line. No line is missed: where the bytes alone do
 * not tell (escaped letters, colours between letters, accents), it is a place too.
 */
export function scanBytes(needle: Needle): (pieces: Iterable<Uint8Array>) => number[] {
  const matcher = new RegExp(needle.pieces.map(rawPattern).join('|'), 'gi');
  const overlap = Math.max(16, ...needle.pieces.map((piece) => piece.length * LONGEST_ESCAPE));
  return (pieces) => {
    const places: number[] = [];
    let tail = Buffer.alloc(0);
    let start = 0;
    for (const bytes of inSteps(pieces)) {
      scanPiece(bytes, start, matcher, needle.besides, places);
      // What begins in one piece and ends in the next.
      const seam = Buffer.concat([tail, bytes.subarray(0, overlap)]);
      if (tail.length > 0) scanPiece(seam, start - tail.length, matcher, needle.besides, places);
      start += bytes.length;
      tail = bytes.length >= overlap ? Buffer.from(bytes.subarray(-overlap)) : Buffer.from(seam.subarray(-overlap));
    }
    return places.sort((a, b) => a - b);
  };
}

const LONGEST_ESCAPE = 12;
/** Larger strings are too large for the memory that is collected cheaply. */
const STEP = 64 * 1024;

function* inSteps(pieces: Iterable<Uint8Array>): Generator<Buffer> {
  for (const piece of pieces)
    for (let at = 0; at < piece.length; at += STEP)
      yield Buffer.from(piece.buffer, piece.byteOffset + at, Math.min(STEP, piece.length - at));
}

/** Bytes are looked at as characters of Latin-1: the engine searches these as fast as it can. */
function rawPattern(piece: string): string {
  const quoted = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  if (/^\p{ASCII}*$/u.test(piece)) return quoted(piece);
  // A CJK character as it stands, taken apart, or escaped.
  return [...piece]
    .map((char) => {
      const forms = new Set([char, char.normalize('NFD')]);
      const raw = [...forms].map((form) => quoted(Buffer.from(form).toString('latin1')));
      return `(?:${[...raw, ...[...forms].map(escapedForm)].join('|')})`;
    })
    .join('');
}

const escapedForm = (text: string): string =>
  text
    .split('')
    .map((unit) => `\\\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** First bytes of letters that are an ASCII letter in another case, or lose an accent when they are folded. */
const BESIDES = {
  none: null,
  case: /\xc5\xbf|\xe2\x84\xaa/g,
  accents: /[\xc3-\xc9\xcc\xcd]|\xe1[\xb8-\xbb]|\xe2\x84[\xaa\xab]/g,
};

function scanPiece(bytes: Buffer, start: number, matcher: RegExp, besides: Needle['besides'], places: number[]): void {
  const text = bytes.toString('latin1');
  collect(text, start, matcher, places);
  const also = BESIDES[besides];
  if (also) collect(text, start, also, places);
  scanEscapes(bytes, text, start, matcher, besides, places);
}

/** The first place in each line. */
function collect(text: string, start: number, pattern: RegExp, places: number[]): void {
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    places.push(start + found.index);
    const end = text.indexOf('\n', found.index);
    if (end < 0) return;
    pattern.lastIndex = end;
  }
}

/** Characters written as `\u0061`: a letter may be any of what is looked for; a colour may stand in the middle of it. */
function scanEscapes(
  bytes: Buffer,
  text: string,
  start: number,
  matcher: RegExp,
  besides: Needle['besides'],
  places: number[],
): void {
  let lookedAt = -1;
  for (let at = bytes.indexOf(ESCAPE); at >= 0; at = bytes.indexOf(ESCAPE, at + 2)) {
    if (isEscaped(bytes, at)) continue;
    const code = Number.parseInt(text.slice(at + 2, at + 6), 16);
    if (code === 0x1b) {
      if (at < lookedAt) continue;
      const lineEnd = text.indexOf('\n', at);
      lookedAt = lineEnd < 0 ? text.length : lineEnd;
      const line = lineEnd < 0 ? null : text.slice(text.lastIndexOf('\n', at) + 1, lineEnd);
      if (line === null || mayMatch(line, matcher)) places.push(start + at);
    } else if (
      (code >= 0x20 && code < 0x7f) ||
      (code >= 0x80 && code < 0xa0) ||
      (besides !== 'none' && isAccented(code))
    )
      places.push(start + at);
  }
}

const ESCAPE = Buffer.from('\\u');

/** `\\u0061` is a backslash and letters. */
function isEscaped(bytes: Buffer, at: number): boolean {
  let before = at;
  while (before > 0 && bytes[before - 1] === 0x5c) before--;
  return (at - before) % 2 === 1;
}

const isAccented = (code: number): boolean =>
  (code >= 0xc0 && code < 0x250) ||
  (code >= 0x300 && code < 0x370) ||
  (code >= 0x1e00 && code < 0x1f00) ||
  code === 0x212a ||
  code === 0x212b;

/** Without its colours; other sequences are left to those who know them. */
function mayMatch(line: string, matcher: RegExp): boolean {
  const plain = line.replace(/\\u001b\[[0-?]*[ -/]*[@-~]/gi, '');
  matcher.lastIndex = 0;
  return plain.includes('\\u001b') || plain.includes('\\u001B') || matcher.test(plain);
}
