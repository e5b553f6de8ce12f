import { ByteReader } from './bytes.ts';

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

export function findTerm(terms: Terms, text: string): Entry | null {
  const block = blockOf(terms.heads, text);
  if (block < 0) return null;
  for (const entry of entriesOf(terms.block(block))) if (entry.text >= text) return entry.text === text ? entry : null;
  return null;
}

/** In order, those that begin with a text. */
export function* findPrefix(terms: Terms, prefix: string): Generator<Entry> {
  for (let block = Math.max(0, blockOf(terms.heads, prefix)); block < terms.heads.length; block++) {
    for (const entry of entriesOf(terms.block(block))) {
      if (entry.text.startsWith(prefix)) yield entry;
      else if (entry.text > prefix) return;
    }
  }
}

export function* eachEntry(terms: Terms): Generator<Entry> {
  for (let block = 0; block < terms.heads.length; block++) yield* entriesOf(terms.block(block));
}

export function postingsOf({ docCount, bytes }: Entry): Postings {
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

const DECODER = new TextDecoder();

function* entriesOf(block: Uint8Array): Generator<Entry> {
  const reader = new ByteReader(block);
  let term: Uint8Array = new Uint8Array(0);
  while (reader.at < block.length) {
    const shared = reader.number();
    const rest = reader.take(reader.number());
    const whole = new Uint8Array(shared + rest.length);
    whole.set(term.subarray(0, shared));
    whole.set(rest, shared);
    term = whole;
    const docCount = reader.number();
    yield { text: DECODER.decode(whole), docCount, bytes: reader.take(reader.number()) };
  }
}
