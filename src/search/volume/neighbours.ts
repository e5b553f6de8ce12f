import { ByteWriter } from './bytes.ts';
import { PAGE_DOCS } from './volume.ts';

/**
 * Which words stand beside each other in a document, and what between them: a Bloom filter of six bits for each two. It has all that are
 * there, and one in thirteen that is not; places of words would take three times as much. What a phrase then finds is compared with the
 * text. The bits of two words lie in one cell of the filter: anywhere in it they would let one in eighteen through, but to set them would
 * take three times as long, a tenth of what making a volume takes.
 */
const BITS = 6;
const CELL_BITS = 32;
const CELL_BYTES = 4;
const SIZE_BYTES = 2;
const MAX_CELLS = 0xffff >> 2;

/** Of the hashes of two words, which are well mixed each. */
export const neighbourHash = (before: number, gap: number, after: number): number => {
  const hash = Math.imul(((before << 13) | (before >>> 19)) ^ after ^ Math.imul(gap + 1, 0xc2b2ae35), 0x7feb352d);
  return hash ^ (hash >>> 15);
};

/** Which of so many cells has the bits of a hash. Its upper half tells that, and its lower half the bits. */
const cellOf = (hash: number, cells: number): number => Math.imul(hash >>> 16, cells) >>> 16;
const bitsOf = (hash: number): number => (1 << hash) | (1 << (hash >>> 5)) | (1 << (hash >>> 10));

/** Pages of documents: the size of each filter, then the filters. */
export class NeighbourWriter {
  #pages: Uint8Array[] = [];
  readonly #page = new ByteWriter();
  #view = viewOf(this.#page.bytes);
  #docs = 0;

  add(hashes: Uint32Array, count: number): void {
    const cells = cellsFor(count);
    const from = this.#begin(cells * CELL_BYTES);
    if (this.#view.buffer !== this.#page.bytes.buffer) this.#view = viewOf(this.#page.bytes);
    mark(this.#view, from, cells, hashes, count);
    this.#end();
  }

  addFilter(filter: Uint8Array): void {
    const from = this.#begin(filter.length);
    this.#page.bytes.set(filter, from);
    this.#end();
  }

  /** What was written; it begins anew afterwards. */
  finish(): readonly Uint8Array[] {
    if (this.#docs > 0) this.#endPage();
    const pages = this.#pages;
    this.#pages = [];
    return pages;
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

const viewOf = ({ buffer, byteOffset, length }: Uint8Array): DataView => new DataView(buffer, byteOffset, length);

/** As many as are nearest. */
const cellsFor = (count: number): number =>
  count === 0 ? 0 : Math.max(1, Math.min(MAX_CELLS, (count * BITS + CELL_BITS / 2) >> 5));

function mark(page: DataView, from: number, cells: number, hashes: Uint32Array, count: number): void {
  for (let i = 0; i < count; i++) {
    const hash = hashes[i] as number;
    const place = from + (cellOf(hash, cells) << 2);
    page.setInt32(place, page.getInt32(place, true) | bitsOf(hash), true);
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

/** Words that stand beside each other, as they are looked for. */
export class WantedNeighbours {
  readonly #hashes: Int32Array;
  readonly #bits: Int32Array;

  constructor(hashes: readonly number[]) {
    this.#hashes = Int32Array.from(hashes);
    this.#bits = this.#hashes.map(bitsOf);
  }

  /**
   * Of documents in their order, from one place on, those that lie in the page that begins with `first` and may not have them all are
   * given to `drop`; gives the place of the next one behind. `count`: so many documents the page has.
   */
  dropIn(
    page: Uint8Array,
    first: number,
    count: number,
    docs: Uint32Array,
    from: number,
    drop: (doc: number) => void,
  ): number {
    const view = viewOf(page);
    let at = count * SIZE_BYTES;
    let doc = 0;
    let place = from;
    for (; place < docs.length; place++) {
      const wanted = (docs[place] as number) - first;
      if (wanted >= count) break;
      for (; doc < wanted; doc++) at += view.getUint16(doc * SIZE_BYTES, true);
      if (!this.#areIn(view, at, view.getUint16(wanted * SIZE_BYTES, true) >> 2)) drop(first + wanted);
    }
    return place;
  }

  #areIn(page: DataView, at: number, cells: number): boolean {
    const [hashes, all] = [this.#hashes, this.#bits];
    if (cells === 0) return hashes.length === 0;
    for (let i = 0; i < hashes.length; i++) {
      const bits = all[i] as number;
      if ((page.getInt32(at + (cellOf(hashes[i] as number, cells) << 2), true) & bits) !== bits) return false;
    }
    return true;
  }
}
