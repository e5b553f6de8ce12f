import type { Part } from './read-part.ts';
import type { Sent } from './replies.ts';
import type { ChatItem } from './types.ts';

/** A run of parts that becomes one item. `start` and `end` are places in the list of parts. */
export interface Chunk {
  readonly type: ChatItem['type'];
  readonly start: number;
  end: number;
  /** What it became, and from what; null when it must be made anew. */
  item: ChatItem | null;
  signature: string;
  /** What was sent to teammates in it. */
  sent: readonly Sent[];
}

/** Parts of the agent run together until somebody else speaks (C3). Continues after the chunks that are there. */
export function chunkParts(parts: readonly Part[], from: number, chunks: Chunk[]): void {
  for (let i = from; i < parts.length; i++) {
    const part = parts[i] as Part;
    const { category, output } = part;
    if (category === 'noise') continue;
    if (category === 'ai') addAi(chunks, i);
    else if (category === 'compact') chunks.push(open('compact', i));
    else {
      if (category !== 'system') chunks.push(open('user', i));
      // What a command said stands below it.
      if (category === 'system' || output !== '') chunks.push(open('system', i));
    }
  }
}

function addAi(chunks: Chunk[], at: number): void {
  const last = chunks[chunks.length - 1];
  if (last?.type !== 'ai') {
    chunks.push(open('ai', at));
    return;
  }
  last.end = at + 1;
  last.item = null;
}

const NOTHING: readonly Sent[] = [];

const open = (type: Chunk['type'], at: number): Chunk => ({
  type,
  start: at,
  end: at + 1,
  item: null,
  signature: '',
  sent: NOTHING,
});

/** The place of the first chunk that ends after a part. */
export function chunkAfter(chunks: readonly Chunk[], part: number): number {
  let low = 0;
  let high = chunks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((chunks[middle] as Chunk).end <= part) low = middle + 1;
    else high = middle;
  }
  return low;
}
