import { grown } from './bytes.ts';
import { inPieces } from './in-pieces.ts';
import { FACTS, PLACE, TERM_MASK, type TermTable } from './term-table.ts';
import { type BlockWriter, MOST_TIMES, TIMES_BITS } from './write-blocks.ts';

/** How often a term stands in a document, in the upper bits of an entry; one that stands there more often has several entries. */
const ONCE = 1 << 24;

/**
 * Which documents have a term and how often. The terms of the documents lie one after the other as they come, each once for a document,
 * and are brought together by term at the end: writing to a list of each term as they come would fetch it from far memory.
 */
export class PostingCollector {
  readonly #table: TermTable;
  /** How often and which term. The first one is nobody's: a term that was not seen yet has its place there. */
  #entries = new Uint32Array(1 << 12);
  #length = 1;
  /** Where those of each document end. */
  #ends: number[] = [];
  /** Where those of the one that is open begin. */
  #begin = 1;

  constructor(table: TermTable) {
    this.#table = table;
  }

  /** So many terms documents have. */
  get size(): number {
    return this.#begin - 1;
  }

  /** Terms of the document that is open: what `codes` name between two places. */
  add(codes: Uint32Array, from: number, to: number): void {
    this.#reserve(to - from);
    const { facts } = this.#table;
    const entries = this.#entries;
    const begin = this.#begin;
    let length = this.#length;
    for (let i = from; i < to; i++) {
      const term = (codes[i] as number) & TERM_MASK;
      const place = facts[FACTS * term + PLACE] as number;
      // All bits are set where the document does not have the term yet. No branch: nobody could foretell which way it goes.
      const isNew = (place - begin) >> 31;
      let at = (length & isNew) | (place & ~isNew);
      let entry = (term & isNew) | ((entries[at] as number) & ~isNew);
      length -= isNew;
      if (entry >>> 24 === MOST_TIMES) {
        at = length++;
        entry = term;
      }
      entries[at] = entry + ONCE;
      facts[FACTS * term + PLACE] = at;
    }
    this.#length = length;
  }

  endDocument(): void {
    this.#begin = this.#length;
    this.#ends.push(this.#length);
  }

  /** What was added to the document that is open is forgotten. */
  dropDocument(): void {
    while (this.#length > this.#begin) {
      const term = (this.#entries[--this.#length] as number) & TERM_MASK;
      this.#table.facts[FACTS * term + PLACE] = 0;
    }
  }

  /** Gives each term with its documents to a writer, in the order of `sort`. The places of the terms have to be forgotten too. */
  finish(writer: BlockWriter, sort: (terms: Uint32Array) => void): void {
    const { size, bytes, starts } = this.#table;
    const ends = new Uint32Array(size);
    const docs = this.#byTerm(ends);
    const terms = new Uint32Array(size);
    let count = 0;
    for (let term = 0, end = 0; term < size; end = ends[term++] as number)
      if ((ends[term] as number) > end) terms[count++] = term;
    const used = terms.subarray(0, count);
    sort(used);
    inPieces({ used, docs, ends, bytes, starts, writer }, count, writeTerms);
    this.#length = 1;
    this.#begin = 1;
    this.#ends = [];
    // One may have had a very long document.
    if (this.#entries.length > MOST_KEPT) this.#entries = new Uint32Array(MOST_KEPT);
  }

  /** The documents of each term, one term after the other; `ends` becomes where those of each end. */
  #byTerm(ends: Uint32Array): Uint32Array {
    const counted = { entries: this.#entries, ends, sum: 0 };
    inPieces(counted, this.size, countTerms);
    inPieces(counted, ends.length, addUp);
    const docs = new Uint32Array(counted.sum);
    inPieces({ ...counted, docs, docEnds: this.#ends, at: 1 }, this.#ends.length, placeDocs);
    return docs;
  }

  #reserve(more: number): void {
    const most = this.#length + more;
    if (most > this.#entries.length) this.#entries = grown(this.#entries, Math.max(most, 2 * this.#entries.length));
  }
}

const MOST_KEPT = 1 << 21;

interface Counted {
  readonly entries: Uint32Array;
  /** How many documents each term has, then where they begin, and at last where they end. */
  readonly ends: Uint32Array;
  sum: number;
}

function countTerms({ entries, ends }: Counted, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    const term = (entries[i + 1] as number) & TERM_MASK;
    ends[term] = (ends[term] as number) + 1;
  }
}

function addUp(counted: Counted, from: number, to: number): void {
  const { ends } = counted;
  let { sum } = counted;
  for (let term = from; term < to; term++) {
    const count = ends[term] as number;
    ends[term] = sum;
    sum += count;
  }
  counted.sum = sum;
}

interface Placed extends Counted {
  readonly docs: Uint32Array;
  readonly docEnds: readonly number[];
  /** The next entry. */
  at: number;
}

function placeDocs(placed: Placed, from: number, to: number): void {
  const { entries, ends, docs, docEnds } = placed;
  let i = placed.at;
  for (let doc = from; doc < to; doc++) {
    const end = docEnds[doc] as number;
    for (; i < end; i++) {
      const entry = entries[i] as number;
      const term = entry & TERM_MASK;
      const at = ends[term] as number;
      docs[at] = (doc << TIMES_BITS) | (entry >>> 24);
      ends[term] = at + 1;
    }
  }
  placed.at = i;
}

interface Written {
  /** Terms in their order. */
  readonly used: Uint32Array;
  readonly docs: Uint32Array;
  readonly ends: Uint32Array;
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  readonly writer: BlockWriter;
}

function writeTerms({ used, docs, ends, bytes, starts, writer }: Written, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    const term = used[i] as number;
    writer.addDocs(docs, term === 0 ? 0 : (ends[term - 1] as number), ends[term] as number);
    writer.endBytes(bytes, starts[term] as number, starts[term + 1] as number);
  }
}
