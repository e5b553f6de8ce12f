import { ByteWriter } from './bytes.ts';
import { textIn } from './text-bytes.ts';

const BLOCK_TERMS = 512;
/** Packed, three fill a page of a database well. */
const BLOCK_BYTES = 6 * 1024;
/** Of a document and how often. */
const MOST_BYTES = 8;
const MOST_COUNTED = 0xffff;
const NOTHING = new Uint8Array(0);

/** A document and how often it has a term, as one number. */
export const TIMES_BITS = 8;
export const MOST_TIMES = 255;

/**
 * Terms in order → blocks. Each term has: how many bytes it shares with the one before, the rest of it, the number of its documents and
 * their length in bytes, its documents. A document is its distance to the one before, and one bit: once, or as often as follows.
 */
export class BlockWriter {
  #blocks: Uint8Array[] = [];
  #heads: string[] = [];
  readonly #block = new ByteWriter();
  readonly #docs = new ByteWriter();
  /** Where the bytes of the term before are. */
  #before: Uint8Array = NOTHING;
  #beforeFrom = 0;
  #beforeTo = 0;
  #terms = 0;
  /** Of the term that is written. */
  #docCount = 0;
  #lastDoc = -1;

  /** In their order, each with how often it has the term; one with the most that fit may follow itself: that adds to it. */
  addDocs(docs: Uint32Array, from: number, to: number): void {
    const out = this.#docs;
    out.reserve((to - from) * MOST_BYTES);
    const { bytes } = out;
    let at = out.length;
    let last = this.#lastDoc;
    let count = 0;
    for (let i = from; i < to; ) {
      // Most have it a few times and are near: each is put as two bytes for the distance and one for how often, however many of them
      // count. Nobody could foretell that, and a processor that guessed wrong loses more time.
      for (; i < to; i++) {
        const entry = docs[i] as number;
        const doc = entry >>> TIMES_BITS;
        const times = entry & MOST_TIMES;
        const isMore = (1 - times) >>> 31;
        const distance = ((doc - last - 1) << 1) | isMore;
        if (times > 127 || distance > 0x3fff) break;
        last = doc;
        const isFar = (127 - distance) >>> 31;
        bytes[at] = (distance & 127) | (isFar << 7);
        bytes[at + 1] = distance >>> 7;
        at += 1 + isFar;
        bytes[at] = times;
        at += isMore;
        count++;
      }
      if (i === to) break;
      const doc = (docs[i] as number) >>> TIMES_BITS;
      let times = 0;
      for (; i < to && (docs[i] as number) >>> TIMES_BITS === doc; i++) times += (docs[i] as number) & MOST_TIMES;
      at = putNumber(bytes, at, ((doc - last - 1) << 1) | (times > 1 ? 1 : 0));
      if (times > 1) at = putNumber(bytes, at, Math.min(MOST_COUNTED, times));
      last = doc;
      count++;
    }
    this.#lastDoc = last;
    this.#docCount += count;
    out.length = at;
  }

  /** The documents since the last one are those of this term. */
  endTerm(text: string): void {
    const bytes = ENCODER.encode(text);
    this.endBytes(bytes, 0, bytes.length);
  }

  /** The same with the bytes of a term, which have to stay as they are until the next one is ended. */
  endBytes(bytes: Uint8Array, from: number, to: number): void {
    if (this.#terms === 0) this.#heads.push(textIn(bytes, from, to));
    const [block, docs] = [this.#block, this.#docs];
    const shared = this.#terms === 0 ? 0 : sharedBytes(this.#before, this.#beforeFrom, this.#beforeTo, bytes, from, to);
    block.number(shared);
    block.number(to - from - shared);
    block.append(bytes, from + shared, to);
    block.number(this.#docCount);
    block.number(docs.length);
    block.append(docs.bytes, 0, docs.length);
    this.#before = bytes;
    this.#beforeFrom = from;
    this.#beforeTo = to;
    this.#terms++;
    docs.length = 0;
    this.#docCount = 0;
    this.#lastDoc = -1;
    if (this.#terms >= BLOCK_TERMS || block.length >= BLOCK_BYTES) this.#endBlock();
  }

  /** What was written; it begins anew afterwards. */
  finish(): { readonly heads: string; readonly blocks: readonly Uint8Array[] } {
    if (this.#terms > 0) this.#endBlock();
    const written = { heads: this.#heads.join('\n'), blocks: this.#blocks };
    this.#heads = [];
    this.#blocks = [];
    // It may be all of a large volume's terms.
    this.#before = NOTHING;
    return written;
  }

  #endBlock(): void {
    this.#blocks.push(this.#block.take());
    this.#terms = 0;
  }
}

const ENCODER = new TextEncoder();

/** One place for both: what is compiled for the one would not be ready for the other, of which few are large. */
function putNumber(bytes: Uint8Array, from: number, number: number): number {
  let at = from;
  let left = number;
  for (; left > 127; left >>>= 7) bytes[at++] = (left & 127) | 128;
  bytes[at++] = left;
  return at;
}

function sharedBytes(a: Uint8Array, fromA: number, toA: number, b: Uint8Array, fromB: number, toB: number): number {
  const end = Math.min(toA - fromA, toB - fromB);
  let shared = 0;
  while (shared < end && a[fromA + shared] === b[fromB + shared]) shared++;
  return shared;
}
