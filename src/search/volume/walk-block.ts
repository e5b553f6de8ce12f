import { ByteReader, grown } from './bytes.ts';

/** Where a block has the documents of a term. */
export interface Postings {
  readonly block: Uint8Array;
  readonly at: number;
  readonly docCount: number;
}

const DECODER = new TextDecoder();
/** A term is 64 units of text, an attribute as long as a path. */
const USUAL_TERM = 256;

const small = (byte: number): number => (byte >= 65 && byte <= 90 ? byte + 32 : byte);

/** Stands at one term of a block after the other. Most are passed by: none is made a text unless that is asked for. */
export class Walk {
  readonly #block: Uint8Array;
  readonly #reader: ByteReader;
  #term = new Uint8Array(USUAL_TERM);
  #length = 0;
  #docCount = 0;
  #at = 0;

  constructor(block: Uint8Array) {
    this.#block = block;
    this.#reader = new ByteReader(block);
  }

  get text(): string {
    return DECODER.decode(this.#term.subarray(0, this.#length));
  }

  get postings(): Postings {
    return { block: this.#block, at: this.#at, docCount: this.#docCount };
  }

  isAll(wanted: Uint8Array): boolean {
    return this.#length === wanted.length && this.beginsWith(wanted);
  }

  beginsWith(wanted: Uint8Array): boolean {
    if (this.#length < wanted.length) return false;
    for (let i = 0; i < wanted.length; i++) if (this.#term[i] !== wanted[i]) return false;
    return true;
  }

  /** Whether a piece in small letters stands in the term, from some byte on: paths are many, and few of them are made a text. */
  mayHave(piece: Uint8Array, from: number): boolean {
    const [term, last] = [this.#term, this.#length - piece.length];
    if (piece.length === 0) return true;
    for (let at = from; at < this.#length; at++) {
      const byte = term[at] as number;
      // What is small and what is large beyond ASCII, bytes do not tell.
      if (byte > 127) return true;
      if (at > last || small(byte) !== piece[0]) continue;
      let i = 1;
      while (i < piece.length && small(term[at + i] as number) === piece[i]) i++;
      if (i === piece.length) return true;
    }
    return false;
  }

  /** False: there are no more. */
  next(): boolean {
    const reader = this.#reader;
    const block = this.#block;
    if (reader.at >= block.length) return false;
    const shared = reader.number();
    const rest = reader.number();
    this.#length = shared + rest;
    if (this.#length > this.#term.length) this.#term = grown(this.#term, this.#length * 2);
    for (let i = 0; i < rest; i++) this.#term[shared + i] = block[reader.at + i] as number;
    reader.at += rest;
    this.#docCount = reader.number();
    const bytes = reader.number();
    this.#at = reader.at;
    reader.at += bytes;
    return true;
  }
}
