import { crc32 } from 'node:zlib';
import { HEAD } from '../../model/index.ts';
import { type Append, type ArchivedFile, FULL } from '../store.ts';
import { type Block, makeBlocks } from './blocks.ts';
import { freeBytes } from './free-bytes.ts';
import { joinChecksums } from './join-checksums.ts';

/** What is to be written for an append: everything slow is done, nothing is written yet. */
export type Prepared =
  | { readonly how: 'touch'; readonly append: Append; readonly known: ArchivedFile }
  | (Content & { readonly how: 'extend'; readonly append: Append; readonly known: ArchivedFile })
  | (Content & { readonly how: 'create'; readonly append: Append; readonly known: ArchivedFile | null });

interface Content {
  readonly size: number;
  readonly crc: number;
  readonly head: number;
  /** From `start` on they take the place of what is there. */
  readonly start: number;
  readonly blocks: readonly Block[];
}

/** `takeBlock` gives the block of the known file that begins at a place; nobody else has it. */
export function prepareAppend(
  append: Append,
  known: ArchivedFile | null,
  takeBlock: (start: number) => Uint8Array,
): Prepared {
  const { offset, bytes } = append;
  if (!known || (offset === 0 && (known.size > 0 || append.drop === true))) {
    if (offset !== 0) throw misplaced(append, 0);
    const blocks = makeBlocks(0, bytes);
    const content = { size: bytes.length, crc: checksumOf(0, blocks), head: crc32(bytes.subarray(0, HEAD)) };
    return { how: 'create', append, known, ...content, start: 0, blocks };
  }
  if (offset !== known.size) throw misplaced(append, known.size);
  if (bytes.length === 0) return { how: 'touch', append, known };
  // A last block that is not full is made again together with what follows it.
  const isFull = known.size - known.tail.start >= FULL;
  const start = isFull ? known.size : known.tail.start;
  const whole = isFull || known.size === 0 ? bytes : joined(takeBlock(start), bytes);
  const head = start === 0 ? crc32(whole.subarray(0, HEAD)) : known.head;
  const blocks = makeBlocks(start, whole);
  if (whole !== bytes) freeBytes(whole);
  const crc = start === known.size ? checksumOf(known.crc, blocks) : crc32(bytes, known.crc);
  return { how: 'extend', append, known, size: known.size + bytes.length, crc, head, start, blocks };
}

function joined(block: Uint8Array, bytes: Uint8Array): Uint8Array {
  const whole = Buffer.concat([block, bytes]);
  freeBytes(block);
  return whole;
}

/** Of what had the checksum `before`, with the blocks behind it. */
const checksumOf = (before: number, blocks: readonly Block[]): number =>
  blocks.reduce((sum, { crc, size }) => joinChecksums(sum, crc, size), before);

const misplaced = ({ path, offset }: Append, size: number): Error =>
  new Error(`${path}: ${size} bytes are archived, these begin at ${offset}`);
