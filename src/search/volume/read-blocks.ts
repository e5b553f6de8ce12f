import { type Bits, setBit } from './bits.ts';
import { ByteReader } from './bytes.ts';
import { grown } from './term-table.ts';

/** The terms of a volume, wherever its blocks are kept. */
export interface Terms {
  /** The first term of each block. */
  readonly heads: readonly string[];
  block(index: number): Uint8Array;
}

/** Where a block has the documents of a term. */
export interface Postings {
  readonly block: Uint8Array;
  readonly at: number;
  readonly docCount: number;
}

export interface Entry extends Postings {
  readonly text: string;
}

export function findTerm(terms: Terms, text: string): Postings | null {
  const index = blockOf(terms.heads, text);
  if (index < 0) return null;
  const wanted = ENCODER.encode(text);
  for (const walk = new Walk(terms.block(index)); walk.next(); ) if (walk.isAll(wanted)) return walk.postings;
  return null;
}

/** In order, those that begin with a text. */
export function* findPrefix(terms: Terms, prefix: string): Generator<Walk> {
  const wanted = ENCODER.encode(prefix);
  let isFound = false;
  for (let index = Math.max(0, blockOf(terms.heads, prefix)); index < terms.heads.length; index++) {
    const head = terms.heads[index] as string;
    if (head > prefix && !head.startsWith(prefix)) return;
    for (const walk = new Walk(terms.block(index)); walk.next(); ) {
      if (walk.beginsWith(wanted)) yield walk;
      else if (isFound) return;
      else continue;
      isFound = true;
    }
  }
}

export function* eachEntry(terms: Terms): Generator<Entry> {
  for (let index = 0; index < terms.heads.length; index++)
    for (const walk = new Walk(terms.block(index)); walk.next(); ) yield { text: walk.text, ...walk.postings };
}

/** The documents, and how often each has the term. */
export function postingsOf({ block, at, docCount }: Postings): Documents {
  const docs = new Uint32Array(docCount);
  const times = new Uint16Array(docCount);
  const reader = new ByteReader(block, at);
  for (let i = 0, doc = -1; i < docCount; i++) {
    const step = reader.number();
    doc += (step >>> 1) + 1;
    docs[i] = doc;
    times[i] = step & 1 ? reader.number() : 1;
  }
  return { docs, times };
}

interface Documents {
  readonly docs: Uint32Array;
  readonly times: Uint16Array;
}

/** Puts the documents into a set. As the next one, it is most of the time of a query, and so written out. */
export function markDocs({ block, at: from, docCount }: Postings, bits: Bits): void {
  let at = from;
  for (let i = 0, doc = -1; i < docCount; i++) {
    let byte = block[at++] as number;
    let step = byte & 127;
    for (let shift = 7; byte & 128; shift += 7) {
      byte = block[at++] as number;
      step |= (byte & 127) << shift;
    }
    doc += (step >>> 1) + 1;
    setBit(bits, doc);
    if (step & 1) while ((block[at++] as number) & 128);
  }
}

/** Adds how often the documents have the term. `slots` tells the place of a document in `counts`, from 1 on; 0: it has none. */
export function addTimes({ block, at: from, docCount }: Postings, slots: Uint32Array, counts: Uint32Array): void {
  let at = from;
  for (let i = 0, doc = -1; i < docCount; i++) {
    let byte = block[at++] as number;
    let step = byte & 127;
    for (let shift = 7; byte & 128; shift += 7) {
      byte = block[at++] as number;
      step |= (byte & 127) << shift;
    }
    doc += (step >>> 1) + 1;
    let count = 1;
    if (step & 1) {
      byte = block[at++] as number;
      count = byte & 127;
      for (let shift = 7; byte & 128; shift += 7) {
        byte = block[at++] as number;
        count |= (byte & 127) << shift;
      }
    }
    const slot = slots[doc] as number;
    if (slot !== 0) counts[slot - 1] = (counts[slot - 1] as number) + count;
  }
}

/** The last block that begins at or before a text; -1: none does. */
function blockOf(heads: readonly string[], text: string): number {
  let [low, high] = [0, heads.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    if ((heads[middle] as string) <= text) low = middle + 1;
    else high = middle - 1;
  }
  return high;
}

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder();
/** A term is 64 units of text, an attribute as long as a path. */
const USUAL_TERM = 256;

/** Stands at one term of a block after the other. Most are passed by: none is made a text unless that is asked for. */
class Walk {
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
