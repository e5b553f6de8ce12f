import { ByteWriter } from './bytes.ts';

const BLOCK_TERMS = 128;
const BLOCK_BYTES = 8 * 1024;

/**
 * Terms in order → blocks. Each term has: how many bytes it shares with the one before, the rest of it, the number of its documents and
 * their length in bytes, its documents. A document is its distance to the one before, and one bit: once, or as often as follows.
 */
export class BlockWriter {
  readonly #blocks: Uint8Array[] = [];
  readonly #heads: string[] = [];
  readonly #block = new ByteWriter();
  readonly #docs = new ByteWriter();
  #before: Uint8Array = new Uint8Array(0);
  #terms = 0;
  #docCount = 0;
  #lastDoc = -1;

  addDocs(docs: Uint32Array, times: Uint16Array, from: number, to: number): void {
    const out = this.#docs;
    out.reserve((to - from) * 8);
    const { bytes } = out;
    let at = out.length;
    let last = this.#lastDoc;
    for (let i = from; i < to; i++) {
      const doc = docs[i] as number;
      const count = times[i] as number;
      let step = (doc - last - 1) * 2 + (count === 1 ? 0 : 1);
      last = doc;
      for (; step > 127; step >>>= 7) bytes[at++] = (step & 127) | 128;
      bytes[at++] = step;
      if (count === 1) continue;
      let left = count;
      for (; left > 127; left >>>= 7) bytes[at++] = (left & 127) | 128;
      bytes[at++] = left;
    }
    this.#lastDoc = last;
    this.#docCount += to - from;
    out.length = at;
  }

  /** The documents since the last one are those of this term. */
  endTerm(text: string): void {
    const isFirst = this.#terms === 0;
    if (isFirst) this.#heads.push(text);
    const term = ENCODER.encode(text);
    const shared = isFirst ? 0 : sharedBytes(this.#before, term);
    const block = this.#block;
    block.number(shared);
    block.number(term.length - shared);
    block.append(term.subarray(shared));
    block.number(this.#docCount);
    block.number(this.#docs.length);
    block.append(this.#docs.written);
    this.#before = term;
    this.#terms++;
    this.#docs.length = 0;
    this.#docCount = 0;
    this.#lastDoc = -1;
    if (this.#terms >= BLOCK_TERMS || block.length >= BLOCK_BYTES) this.#endBlock();
  }

  finish(): { readonly heads: string; readonly blocks: readonly Uint8Array[] } {
    if (this.#terms > 0) this.#endBlock();
    return { heads: this.#heads.join('\n'), blocks: this.#blocks };
  }

  #endBlock(): void {
    this.#blocks.push(this.#block.take());
    this.#terms = 0;
  }
}

const ENCODER = new TextEncoder();

function sharedBytes(a: Uint8Array, b: Uint8Array): number {
  const end = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < end && a[shared] === b[shared]) shared++;
  return shared;
}
