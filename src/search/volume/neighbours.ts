import { PAGE_DOCS } from './volume.ts';

/**
 * Which words stand beside each other in a document, and what between them: a Bloom filter of six bits for each two. It has all that are
 * there, and one in twenty that is not; places of words would take three times as much. What a phrase then finds is compared with the text.
 */
const BITS = 6;
const HASHES = 4;
const SIZE_BYTES = 2;
const MAX_BYTES = 0xffff;

export const neighbourHash = (before: number, gap: number, after: number): number => {
  let hash =
    Math.imul(before ^ (before >>> 13), 0x9e3779b1) ^ Math.imul(after, 0x85ebca6b) ^ Math.imul(gap + 1, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  return (hash ^ (hash >>> 15)) >>> 0;
};

/** Pages of documents: the size of each filter, then the filters. */
export class NeighbourWriter {
  readonly #pages: Uint8Array[] = [];
  #filters: Uint8Array[] = [];

  add(hashes: Uint32Array, count: number): void {
    const filter = new Uint8Array(Math.min(MAX_BYTES, Math.ceil((count * BITS) / 8)));
    const bits = filter.length * 8;
    for (let i = 0; i < count; i++) mark(filter, bits, hashes[i] as number);
    this.addFilter(filter);
  }

  addFilter(filter: Uint8Array): void {
    this.#filters.push(filter);
    if (this.#filters.length === PAGE_DOCS) this.#endPage();
  }

  finish(): readonly Uint8Array[] {
    if (this.#filters.length > 0) this.#endPage();
    return this.#pages;
  }

  #endPage(): void {
    const head = this.#filters.length * SIZE_BYTES;
    const page = new Uint8Array(this.#filters.reduce((sum, { length }) => sum + length, head));
    let at = head;
    this.#filters.forEach((filter, i) => {
      page[i * SIZE_BYTES] = filter.length & 255;
      page[i * SIZE_BYTES + 1] = filter.length >> 8;
      page.set(filter, at);
      at += filter.length;
    });
    this.#pages.push(page);
    this.#filters = [];
  }
}

function mark(filter: Uint8Array, bits: number, hash: number): void {
  const step = (hash >>> 17) | 1;
  for (let i = 0, at = hash; i < HASHES; i++, at = (at + step) >>> 0) {
    const bit = at % bits;
    filter[bit >> 3] = (filter[bit >> 3] as number) | (1 << (bit & 7));
  }
}

/** The filter of each document of a page of `docs` documents. */
export function filtersOf(page: Uint8Array, docs: number): Uint8Array[] {
  let at = docs * SIZE_BYTES;
  return Array.from({ length: docs }, (_, i) => {
    const size = (page[i * SIZE_BYTES] as number) | ((page[i * SIZE_BYTES + 1] as number) << 8);
    at += size;
    return page.subarray(at - size, at);
  });
}

/** Asks the filters of a page one after the other. */
export class NeighbourPage {
  readonly #page: Uint8Array;
  #doc = 0;
  #at: number;

  constructor(page: Uint8Array, docs: number) {
    this.#page = page;
    this.#at = docs * SIZE_BYTES;
  }

  /** Whether a document may have all neighbours; documents are asked for in their order. */
  mayHave(doc: number, hashes: Uint32Array): boolean {
    for (; this.#doc < doc; this.#doc++) this.#at += this.#sizeOf(this.#doc);
    const page = this.#page;
    const first = this.#at;
    const bits = this.#sizeOf(doc) * 8;
    if (bits === 0) return hashes.length === 0;
    for (let i = 0; i < hashes.length; i++) {
      // A number without a sign stays one: with a sign, dividing would go through fractions.
      let at = hashes[i] as number;
      const step = (at >>> 17) | 1;
      for (let n = 0; n < HASHES; n++) {
        const bit = (at >>> 0) % bits;
        if (((page[first + (bit >>> 3)] as number) & (1 << (bit & 7))) === 0) return false;
        at = (at + step) >>> 0;
      }
    }
    return true;
  }

  #sizeOf(doc: number): number {
    return (this.#page[doc * SIZE_BYTES] as number) | ((this.#page[doc * SIZE_BYTES + 1] as number) << 8);
  }
}
