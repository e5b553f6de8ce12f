import { promisify } from 'node:util';
import { constants, crc32, zstdCompress, zstdDecompressSync } from 'node:zlib';
import { BLOCK } from '../store.ts';

/** A block as it is stored. */
export interface Block {
  readonly start: number;
  readonly size: number;
  readonly crc: number;
  readonly data: Uint8Array;
}

const compress = promisify(zstdCompress);
const OPTIONS = { chunkSize: 64 * 1024, params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Content from `start` on as blocks, compressed on all cores. */
export function makeBlocks(start: number, bytes: Uint8Array): Promise<Block[]> {
  const blocks: Promise<Block>[] = [];
  for (let at = 0; at < bytes.length; at += BLOCK) blocks.push(makeBlock(start + at, bytes.subarray(at, at + BLOCK)));
  return Promise.all(blocks);
}

async function makeBlock(start: number, bytes: Uint8Array): Promise<Block> {
  return { start, size: bytes.length, crc: crc32(bytes), data: await compress(bytes, OPTIONS) };
}

/** Null when the block is not what it was. */
export function openBlock({ size, crc, data }: Omit<Block, 'start'>): Uint8Array | null {
  try {
    const bytes = zstdDecompressSync(data, { maxOutputLength: BLOCK });
    return bytes.length === size && crc32(bytes) === crc ? bytes : null;
  } catch {
    return null;
  }
}
