import { APART, SORTS, SPACE } from './sort-units.ts';

interface Native {
  utf8Write(this: Uint8Array, text: string, offset: number, length: number): number;
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
const BEHIND = 64;

/** A piece of a text in UTF-8. */
export class TextBytes {
  bytes = new Uint8Array(0);
  view = new DataView(this.bytes.buffer);
  length = 0;
  /** For who looks for runs in it: where they begin and end. */
  runs = new Uint32Array(0);
  #room = 0;

  constructor(room = PIECE) {
    this.resize(room);
  }

  /** Takes as much of a text from a place on as there is room for, and no part of a word; gives where the rest begins. */
  fill(text: string, from: number): number {
    let to = this.#endOf(text, from);
    for (; to < 0; to = this.#endOf(text, from)) this.resize(2 * this.#room);
    this.put(to - from === text.length ? text : text.slice(from, to));
    return to;
  }

  /** There has to be room for all of it. */
  put(text: string): void {
    const { bytes } = this;
    if (native) this.length = native.utf8Write.call(bytes, text, 0, bytes.length - BEHIND);
    else {
      const encoded = ENCODER.encode(text);
      bytes.set(encoded);
      this.length = encoded.length;
    }
    bytes.fill(0, this.length, this.length + BEHIND);
  }

  text(from: number, to: number): string {
    return textIn(this.bytes, from, to);
  }

  resize(room = PIECE): void {
    if (room === this.#room) return;
    this.#room = room;
    this.bytes = new Uint8Array(UNIT_BYTES * room + BEHIND);
    this.view = new DataView(this.bytes.buffer);
    this.runs = new Uint32Array(this.bytes.length);
  }

  /** Before something that separates words and is part of none; -1: there is nothing like it. */
  #endOf(text: string, from: number): number {
    if (text.length - from <= this.#room) return text.length;
    for (let at = from + this.#room; at > from; at--) {
      const sort = SORTS[text.charCodeAt(at)];
      if (sort === SPACE || sort === APART) return at;
    }
    return -1;
  }
}

export const textIn = (bytes: Uint8Array, from: number, to: number): string =>
  native ? native.utf8Slice.call(bytes, from, to) : DECODER.decode(bytes.subarray(from, to));
