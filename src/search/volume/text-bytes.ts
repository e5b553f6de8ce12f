import { APART, BYTE_SORTS, SORTS, SPACE } from './sort-units.ts';

interface Native {
  utf8Write(this: Uint8Array, text: string, offset: number, length: number): number;
  latin1Write(this: Uint8Array, text: string, offset: number, length: number): number;
  utf8Slice(this: Uint8Array, from: number, to: number): string;
}

/** Node's own take a fraction of the time of the standard's, for texts as short as most are. */
const native = (globalThis as unknown as { Buffer?: { prototype: Native } }).Buffer?.prototype;
const ENCODER = new TextEncoder();
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

/** So many units of a text lie ready at once, unless nothing separates them. */
export const PIECE = 1 << 13;
/** A unit of text is three bytes at most. */
const UNIT_BYTES = 3;
/** Whoever reads several bytes at once may read so many zeros behind the last. */
export const BEHIND = 64;

/** A piece of a text in UTF-8. */
export class TextBytes {
  bytes: Uint8Array = new Uint8Array(0);
  view: DataView = new DataView(this.bytes.buffer);
  /** Where the piece begins and ends. */
  start = 0;
  end = 0;
  /** For who looks for runs in it: where they begin and end. */
  runs = new Uint32Array(0);
  #room = 0;

  constructor(room = PIECE) {
    this.resize(room);
  }

  /** Bytes that somebody else fills with pieces. */
  static over(bytes: Uint8Array): TextBytes {
    const text = new TextBytes(0);
    text.bytes = bytes;
    text.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    return text;
  }

  /** Takes as much of a text from a place on as there is room for, and no part of a word; gives where the rest begins. */
  fill(text: string, from: number, coded = false): number {
    const to = pieceEnd(text, from, coded);
    if (to - from > this.#room) this.resize(to - from);
    this.end = putPiece(this.bytes, 0, to - from === text.length ? text : text.slice(from, to), coded);
    return to;
  }

  /** There has to be room for all of it. */
  put(text: string): void {
    this.end = putPiece(this.bytes, 0, text);
  }

  /** The piece that `putPiece` put there. */
  point(start: number, end: number): void {
    this.start = start;
    this.end = end;
    if (this.runs.length <= end - start) this.runs = new Uint32Array(Math.max(UNIT_BYTES * PIECE, end - start + 1));
  }

  text(from: number, to: number): string {
    return textIn(this.bytes, from, to);
  }

  resize(room = PIECE): void {
    if (room === this.#room) return;
    this.#room = room;
    this.bytes = new Uint8Array(pieceBytes(room));
    this.view = new DataView(this.bytes.buffer);
    this.runs = new Uint32Array(this.bytes.length);
  }
}

/**
 * Where a piece of a text that begins at a place ends: before something that separates words and is part of none. `coded`: the text comes
 * as codes. One code does not tell what a character beyond ASCII is, so there is no end within one.
 */
export function pieceEnd(text: string, from: number, coded = false): number {
  const sorts = coded ? BYTE_SORTS : SORTS;
  for (let room = PIECE; text.length - from > room; room *= 2)
    for (let at = from + room; at > from; at--) {
      const sort = sorts[text.charCodeAt(at)];
      if (sort === SPACE || sort === APART) return at;
    }
  return text.length;
}

/** So many bytes a piece of so many units takes at most. */
export const pieceBytes = (units: number, coded = false): number => (coded ? units : UNIT_BYTES * units) + BEHIND;

/** Puts a piece at a place, and zeros behind it; gives where it ends. */
export function putPiece(bytes: Uint8Array, at: number, text: string, coded = false): number {
  const end = coded ? putCodes(bytes, at, text) : putText(bytes, at, text);
  bytes.fill(0, end, end + BEHIND);
  return end;
}

/** In UTF-8. There has to be room for all of it; gives where it ends. */
export function putText(bytes: Uint8Array, at: number, text: string): number {
  if (native) return at + native.utf8Write.call(bytes, text, at, bytes.length - at);
  const encoded = ENCODER.encode(text);
  bytes.set(encoded, at);
  return at + encoded.length;
}

function putCodes(bytes: Uint8Array, at: number, codes: string): number {
  if (native) return at + native.latin1Write.call(bytes, codes, at, codes.length);
  for (let i = 0; i < codes.length; i++) bytes[at + i] = codes.charCodeAt(i);
  return at + codes.length;
}

export const textIn = (bytes: Uint8Array, from: number, to: number): string =>
  native ? native.utf8Slice.call(bytes, from, to) : DECODER.decode(bytes.subarray(from, to));
