import { constants, crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { BLOCK } from '../store.ts';
import { POOL } from './free-bytes.ts';

/** A block as it is stored. */
export interface Block {
  readonly start: number;
  readonly size: number;
  readonly crc: number;
  readonly data: Uint8Array;
}

/**
 * Those of level 1, with a window as large as a block: what a log says again stands hundreds of kilobytes before, and is long. Shorter
 * repetitions take a seventh more time to find, and save a sixtieth; with a table twice as large it takes a tenth more, and saves a fiftieth.
 */
const PARAMS = {
  [constants.ZSTD_c_compressionLevel]: 1,
  [constants.ZSTD_c_windowLog]: Math.log2(BLOCK),
  [constants.ZSTD_c_hashLog]: 14,
  [constants.ZSTD_c_minMatch]: 7,
};

/** Content from `start` on as blocks. On one core: handed to Node's threads, it takes half as much work again. */
export function makeBlocks(start: number, bytes: Uint8Array): Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at < bytes.length; at += BLOCK) blocks.push(makeBlock(start + at, bytes.subarray(at, at + BLOCK)));
  return blocks;
}

function makeBlock(start: number, bytes: Uint8Array): Block {
  const size = bytes.length;
  return {
    start,
    size,
    crc: crc32(bytes),
    data: zstdCompressSync(bytes, { chunkSize: boundOf(size), params: PARAMS }),
  };
}

/**
 * What so many bytes take at most: with room for it zstd writes there, instead of into memory of its own first. Never so little that it
 * could not be given back at once: of small files tens of megabytes would wait for the garbage collector.
 */
const boundOf = (size: number): number => Math.max(POOL + 1, size + (size >> 8) + 64);

const LEAST_CHUNK = 64;

/** Null when the block is not what it was. */
export function openBlock({ size, crc, data }: Omit<Block, 'start'>): Uint8Array | null {
  const bytes = unpackBlock(data, size);
  return bytes?.length === size && crc32(bytes) === crc ? bytes : null;
}

/** Whatever is in it. */
export function unpackBlock(data: Uint8Array, size = BLOCK): Uint8Array | null {
  try {
    const chunkSize = Math.min(Math.max(size, LEAST_CHUNK), BLOCK);
    return zstdDecompressSync(data, { maxOutputLength: BLOCK, chunkSize });
  } catch {
    return null;
  }
}
