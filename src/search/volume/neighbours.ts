import { ByteWriter } from './bytes.ts';
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
  readonly #page = new ByteWriter();
  #docs = 0;

  add(hashes: Uint32Array, count: number): void {
    const size = Math.min(MAX_BYTES, (count * BITS + 7) >> 3);
    const from = this.#begin(size);
    mark(this.#page.bytes, from, size * 8, hashes, count);
    this.#end();
  }

  addFilter(filter: Uint8Array): void {
    const from = this.#begin(filter.length);
    this.#page.bytes.set(filter, from);
    this.#end();
  }

  finish(): readonly Uint8Array[] {
    if (this.#docs > 0) this.#endPage();
    return this.#pages;
  }

  /** Where the filter of the next document stands: nothing is marked in it. */
  #begin(size: number): number {
    const page = this.#page;
    if (this.#docs === 0) page.length = PAGE_DOCS * SIZE_BYTES;
    page.reserve(size);
    const from = page.length;
    page.length += size;
    page.bytes.fill(0, from, page.length);
    page.bytes[this.#docs * SIZE_BYTES] = size & 255;
    page.bytes[this.#docs * SIZE_BYTES + 1] = size >> 8;
    return from;
  }

  #end(): void {
    this.#docs++;
    if (this.#docs === PAGE_DOCS) this.#endPage();
  }

  /** The last page may have fewer documents than there was room for. */
  #endPage(): void {
    const { bytes, length } = this.#page;
    bytes.copyWithin(this.#docs * SIZE_BYTES, PAGE_DOCS * SIZE_BYTES, length);
    this.#page.length = length - (PAGE_DOCS - this.#docs) * SIZE_BYTES;
    this.#pages.push(this.#page.take());
    this.#docs = 0;
  }
}

function mark(filter: Uint8Array, from: number, bits: number, hashes: Uint32Array, count: number): void {
  const scale = bits / RANGE;
  for (let i = 0; i < count; i++) {
    let hash = hashes[i] as number;
    for (let n = 0; n < HASHES; n++, hash = nextHash(hash)) {
      const bit = (hash * scale) >>> 0;
      const place = from + (bit >>> 3);
      filter[place] = (filter[place] as number) | (1 << (bit & 7));
    }
  }
}

/** A bit of a filter is a share of all hashes: multiplying takes a tenth of the time of dividing. */
const RANGE = 2 ** 32;

const nextHash = (hash: number): number => (Math.imul(hash, 0x9e3779b1) + 0x7f4a7c15) >>> 0;

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
    const scale = bits / RANGE;
    for (let i = 0; i < hashes.length; i++) {
      let hash = hashes[i] as number;
      for (let n = 0; n < HASHES; n++, hash = nextHash(hash)) {
        const bit = (hash * scale) >>> 0;
        if (((page[first + (bit >>> 3)] as number) & (1 << (bit & 7))) === 0) return false;
      }
    }
    return true;
  }

  #sizeOf(doc: number): number {
    return (this.#page[doc * SIZE_BYTES] as number) | ((this.#page[doc * SIZE_BYTES + 1] as number) << 8);
  }
}
