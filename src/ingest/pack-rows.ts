import {
  type IndexBatch,
  movableOf,
  type PackedMessages,
  type PackedRows,
  packMessages,
  packUsages,
} from '../stores/index.ts';
import { packLines } from './pack-lines.ts';

/** What is to be written, on its way to the thread that writes it. Its chunks are not packed yet: that one does it. */
export interface SentBatch extends IndexBatch {
  readonly messages: PackedMessages;
  readonly usages: PackedRows;
}

export function packBatch({ messages = [], usages = [], ...batch }: IndexBatch): SentBatch {
  return {
    ...batch,
    messages: 'count' in messages ? messages : packMessages(messages),
    usages: 'count' in usages ? usages : packUsages(usages),
  };
}

/** Memory that need not be copied. */
export const movable = ({ messages, usages, chunks = [] }: SentBatch): ArrayBuffer[] => [
  ...movableOf(messages),
  ...movableOf(usages),
  ...chunks.map(({ bytes }) => bytes.buffer as ArrayBuffer),
];

export const unpackBatch = (sent: SentBatch): IndexBatch => ({
  ...sent,
  chunks: sent.chunks?.map((chunk) => ({ ...chunk, bytes: packLines(chunk.bytes) })) ?? [],
});
