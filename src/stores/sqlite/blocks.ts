import { constants, crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { BLOCK } from '../store.ts';

/** A block as it is stored. */
export interface Block {
  readonly start: number;
  readonly size: number;
  readonly crc: number;
  readonly data: Uint8Array;
}

const OPTIONS = { chunkSize: 128 * 1024, params: { [constants.ZSTD_c_compressionLevel]: 2 } };

/** Content from `start` on as blocks. On one core: handed to Node's threads, it takes half as much work again. */
export function makeBlocks(start: number, bytes: Uint8Array): Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at < bytes.length; at += BLOCK) blocks.push(makeBlock(start + at, bytes.subarray(at, at + BLOCK)));
  return blocks;
}

function makeBlock(start: number, bytes: Uint8Array): Block {
  return { start, size: bytes.length, crc: crc32(bytes), data: zstdCompressSync(bytes, OPTIONS) };
}

/** Null when the block is not what it was. */
export function openBlock({ size, crc, data }: Omit<Block, 'start'>): Uint8Array | null {
  try {
    const bytes = zstdDecompressSync(data, { maxOutputLength: BLOCK, chunkSize: BLOCK });
    return bytes.length === size && crc32(bytes) === crc ? bytes : null;
  } catch {
    return null;
  }
}
