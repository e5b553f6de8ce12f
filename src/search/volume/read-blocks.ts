import { type Bits, setBit } from './bits.ts';
import { ByteReader } from './bytes.ts';
import { type Postings, Walk } from './walk-block.ts';

/** The terms of a volume, wherever its blocks are kept. */
export interface Terms {
  /** The first term of each block. */
  readonly heads: readonly string[];
  block(index: number): Uint8Array;
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
