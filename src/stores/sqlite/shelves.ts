import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** So many blocks of terms are packed together: each on its own takes twice the time, and leaves more of a page empty. */
export const SHELF = 4;

/** Blocks are small: a small table finds as much in them, and is made sooner. */
const FAST = { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_hashLog]: 12 };
const HEADER = 4 * SHELF;
/** Most of them have room in it, packed and not; usual is to take as much again. */
const [PACKED, OPENED] = [32 * 1024, 64 * 1024];

/** The packed shelves of so many blocks, one after the other. */
export function* packShelves(blocks: readonly Uint8Array[]): Generator<Uint8Array> {
  let room = new Uint8Array(2 * OPENED);
  for (let first = 0; first < blocks.length; first += SHELF) {
    const own = blocks.slice(first, first + SHELF);
    const size = own.reduce((sum, { length }) => sum + length, HEADER);
    if (size > room.length) room = new Uint8Array(2 * size);
    put(own, room);
    // Who knows the size needs less room, which is made anew for each.
    yield zstdCompressSync(room.subarray(0, size), { params: FAST, pledgedSrcSize: size, chunkSize: PACKED });
  }
}

/** Where each block ends stands before them. */
function put(blocks: readonly Uint8Array[], shelf: Uint8Array): void {
  const ends = new DataView(shelf.buffer, 0, HEADER);
  let end = HEADER;
  for (let place = 0; place < SHELF; place++) {
    const block = blocks[place];
    if (block) shelf.set(block, end);
    end += block?.length ?? 0;
    ends.setUint32(4 * place, end, true);
  }
}

/** A copy: what comes out lies in a larger piece of memory, and is kept. */
export const openShelf = (bytes: Uint8Array): Uint8Array =>
  new Uint8Array(zstdDecompressSync(bytes, { chunkSize: OPENED }));

/** The block at a place of an open shelf. */
export function blockAt(shelf: Uint8Array, place: number): Uint8Array {
  const ends = new DataView(shelf.buffer, shelf.byteOffset, HEADER);
  const from = place === 0 ? HEADER : ends.getUint32(4 * (place - 1), true);
  return shelf.subarray(from, ends.getUint32(4 * place, true));
}
