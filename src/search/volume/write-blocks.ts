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
  /** In UTF-8, the one before and the one that is written. */
  #before = new ByteWriter();
  #term = new ByteWriter();
  #terms = 0;
  /** Of the term that is written. */
  docCount = 0;
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
    this.docCount += to - from;
    out.length = at;
  }

  /** Documents that are written so already. */
  addEncoded(bytes: Uint8Array, from: number, to: number): void {
    this.#docs.append(bytes, from, to);
  }

  /** The documents since the last one are those of this term. */
  endTerm(text: string): void {
    if (this.#terms === 0) this.#heads.push(text);
    this.#encode(text);
    this.#end();
  }

  /** A term as units of text; most are ASCII, and are never made a text. */
  endUnits(units: Uint16Array, from: number, to: number): void {
    const term = this.#term;
    term.length = 0;
    term.reserve(to - from);
    const { bytes } = term;
    let all = 0;
    for (let i = from; i < to; i++) {
      const unit = units[i] as number;
      all |= unit;
      bytes[i - from] = unit;
    }
    term.length = to - from;
    if (this.#terms === 0 || all > 127) {
      const text = String.fromCharCode(...units.subarray(from, to));
      if (this.#terms === 0) this.#heads.push(text);
      if (all > 127) this.#encode(text);
    }
    this.#end();
  }

  finish(): { readonly heads: string; readonly blocks: readonly Uint8Array[] } {
    if (this.#terms > 0) this.#endBlock();
    return { heads: this.#heads.join('\n'), blocks: this.#blocks };
  }

  #encode(text: string): void {
    const bytes = ENCODER.encode(text);
    this.#term.length = 0;
    this.#term.append(bytes, 0, bytes.length);
  }

  #end(): void {
    const [term, block, docs] = [this.#term, this.#block, this.#docs];
    const shared = this.#terms === 0 ? 0 : sharedBytes(this.#before, term);
    block.number(shared);
    block.number(term.length - shared);
    block.append(term.bytes, shared, term.length);
    block.number(this.docCount);
    block.number(docs.length);
    block.append(docs.bytes, 0, docs.length);
    this.#term = this.#before;
    this.#before = term;
    this.#terms++;
    docs.length = 0;
    this.docCount = 0;
    this.#lastDoc = -1;
    if (this.#terms >= BLOCK_TERMS || block.length >= BLOCK_BYTES) this.#endBlock();
  }

  #endBlock(): void {
    this.#blocks.push(this.#block.take());
    this.#terms = 0;
  }
}

const ENCODER = new TextEncoder();

function sharedBytes(a: ByteWriter, b: ByteWriter): number {
  const end = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < end && a.bytes[shared] === b.bytes[shared]) shared++;
  return shared;
}
