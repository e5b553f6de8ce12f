import { FACTS, grown, type TermTable } from './term-table.ts';
import type { BlockWriter } from './write-blocks.ts';

/**
 * Of each term, in the table: one more than the last document; where it is written on; how many bytes are left there, and in the
 * how-manieth slice; in how many documents it is; its first slice.
 */
const [NEXT_DOC, CURSOR, LEFT, DOC_COUNT, FIRST] = [2, 3, 4, 5, 6];
const LEFT_MASK = 0xffff;
const NTH_BITS = 16;
/** Bytes of the slices of a term, one after the other; each is followed by the place of the next one. Most terms need no second. */
const SIZES = [8, 16, 32, 64, 128, 256, 512, 1024];
const POINTER = 4;

/**
 * Which documents have a term and how often, as a volume keeps it, for many terms at once. What is written for a term lies in slices: a
 * list of numbers for each would take ten times as much memory.
 */
export class PostingCollector {
  #bytes = new Uint8Array(1 << 16);
  #pointers = new Uint32Array(this.#bytes.buffer);
  #used = 0;
  readonly #table: TermTable;

  constructor(table: TermTable) {
    this.#table = table;
  }

  /** The first `length` terms are those of a document; documents come in their order. */
  add(doc: number, terms: Uint32Array, counts: Uint16Array, length: number): void {
    const { facts } = this.#table;
    let bytes = this.#bytes;
    for (let i = 0; i < length; i++) {
      const term = terms[i] as number;
      const count = counts[i] as number;
      const at = FACTS * term;
      const isMore = count === 1 ? 0 : 1;
      const step = (doc - (facts[at + NEXT_DOC] as number)) * 2 + isMore;
      facts[at + NEXT_DOC] = doc + 1;
      facts[at + DOC_COUNT] = (facts[at + DOC_COUNT] as number) + 1;
      const left = facts[at + LEFT] as number;
      // Most need one byte or two, and there is room for them.
      if (step < 128 && count < 128 && (left & LEFT_MASK) > 1) {
        const cursor = facts[at + CURSOR] as number;
        bytes[cursor] = step;
        bytes[cursor + 1] = count;
        facts[at + CURSOR] = cursor + 1 + isMore;
        facts[at + LEFT] = left - 1 - isMore;
        continue;
      }
      this.#put(term, step);
      if (isMore) this.#put(term, count);
      bytes = this.#bytes;
    }
  }

  docCount(term: number): number {
    return this.#table.facts[FACTS * term + DOC_COUNT] as number;
  }

  /** Gives the documents of a term to a writer. */
  copy(term: number, writer: BlockWriter): void {
    const end = this.#table.facts[FACTS * term + CURSOR] as number;
    let from = this.#table.facts[FACTS * term + FIRST] as number;
    for (let nth = 0; ; nth++) {
      const to = from + sizeOf(nth);
      const isLast = end >= from && end <= to;
      writer.addEncoded(this.#bytes, from, isLast ? end : to);
      if (isLast) break;
      from = this.#pointers[to / POINTER] as number;
    }
    writer.docCount = this.docCount(term);
  }

  /** The facts of the terms have to be forgotten too. */
  clear(): void {
    this.#used = 0;
  }

  #put(term: number, value: number): void {
    const { facts } = this.#table;
    const at = FACTS * term;
    let cursor = facts[at + CURSOR] as number;
    let left = facts[at + LEFT] as number;
    for (let rest = value; ; rest >>>= 7) {
      if ((left & LEFT_MASK) === 0) {
        cursor = this.#slice(term, cursor, left);
        left = (((left >>> NTH_BITS) + 1) << NTH_BITS) | sizeOf(left >>> NTH_BITS);
      }
      left--;
      if (rest <= 127) {
        this.#bytes[cursor++] = rest;
        break;
      }
      this.#bytes[cursor++] = (rest & 127) | 128;
    }
    facts[at + CURSOR] = cursor;
    facts[at + LEFT] = left;
  }

  /** A new one for a term, after the one that ends at a place. */
  #slice(term: number, end: number, left: number): number {
    const nth = left >>> NTH_BITS;
    const from = this.#used;
    this.#used += sizeOf(nth) + POINTER;
    if (this.#used > this.#bytes.length) {
      this.#bytes = grown(this.#bytes, 2 * this.#bytes.length);
      this.#pointers = new Uint32Array(this.#bytes.buffer);
    }
    if (nth === 0) this.#table.facts[FACTS * term + FIRST] = from;
    else this.#pointers[end / POINTER] = from;
    return from;
  }
}

const sizeOf = (nth: number): number => SIZES[nth < SIZES.length ? nth : SIZES.length - 1] as number;
