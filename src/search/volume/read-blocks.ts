import { ByteReader } from './bytes.ts';
import { grown } from './term-table.ts';

/** The terms of a volume, wherever its blocks are kept. */
export interface Terms {
  /** The first term of each block. */
  readonly heads: readonly string[];
  block(index: number): Uint8Array;
}

/** One term and where to find its documents. */
export interface Entry {
  readonly text: string;
  readonly docCount: number;
  readonly bytes: Uint8Array;
}

export interface Postings {
  readonly docs: Uint32Array;
  readonly times: Uint16Array;
}

export function findTerm(terms: Terms, text: string): Postings | null {
  const block = blockOf(terms.heads, text);
  if (block < 0) return null;
  const wanted = ENCODER.encode(text);
  for (const walk of walkBlock(terms.block(block))) if (walk.isAll(wanted)) return postingsOf(walk);
  return null;
}

/** In order, those that begin with a text. */
export function* findPrefix(terms: Terms, prefix: string): Generator<Walk> {
  const wanted = ENCODER.encode(prefix);
  let isFound = false;
  for (let block = Math.max(0, blockOf(terms.heads, prefix)); block < terms.heads.length; block++) {
    const head = terms.heads[block] as string;
    if (head > prefix && !head.startsWith(prefix)) return;
    for (const walk of walkBlock(terms.block(block))) {
      if (walk.beginsWith(wanted)) yield walk;
      else if (isFound) return;
      else continue;
      isFound = true;
    }
  }
}

export function* eachEntry(terms: Terms): Generator<Entry> {
  for (let block = 0; block < terms.heads.length; block++)
    for (const { text, docCount, bytes } of walkBlock(terms.block(block))) yield { text, docCount, bytes };
}

export function postingsOf({ docCount, bytes }: Pick<Entry, 'docCount' | 'bytes'>): Postings {
  const docs = new Uint32Array(docCount);
  const times = new Uint16Array(docCount);
  let at = 0;
  let doc = -1;
  for (let i = 0; i < docCount; i++) {
    let step = 0;
    let byte = 128;
    for (let shift = 0; byte & 128; shift += 7) {
      byte = bytes[at++] as number;
      step |= (byte & 127) << shift;
    }
    doc += (step >>> 1) + 1;
    docs[i] = doc;
    let count = 1;
    if (step & 1) {
      count = 0;
      byte = 128;
      for (let shift = 0; byte & 128; shift += 7) {
        byte = bytes[at++] as number;
        count |= (byte & 127) << shift;
      }
    }
    times[i] = count;
  }
  return { docs, times };
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
class Walk implements Entry {
  docCount = 0;
  bytes: Uint8Array = new Uint8Array(0);
  #term = new Uint8Array(USUAL_TERM);
  #length = 0;

  get text(): string {
    return DECODER.decode(this.#term.subarray(0, this.#length));
  }

  isAll(wanted: Uint8Array): boolean {
    return this.#length === wanted.length && this.beginsWith(wanted);
  }

  beginsWith(wanted: Uint8Array): boolean {
    if (this.#length < wanted.length) return false;
    for (let i = 0; i < wanted.length; i++) if (this.#term[i] !== wanted[i]) return false;
    return true;
  }

  next(reader: ByteReader): void {
    const shared = reader.number();
    const rest = reader.take(reader.number());
    this.#length = shared + rest.length;
    if (this.#length > this.#term.length) this.#term = grown(this.#term, this.#length * 2);
    this.#term.set(rest, shared);
    this.docCount = reader.number();
    this.bytes = reader.take(reader.number());
  }
}

function* walkBlock(block: Uint8Array): Generator<Walk> {
  const reader = new ByteReader(block);
  const walk = new Walk();
  while (reader.at < block.length) {
    walk.next(reader);
    yield walk;
  }
}
