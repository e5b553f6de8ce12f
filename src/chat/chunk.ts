import type { Told } from './notifications.ts';
import type { Part, RawCall } from './read-part.ts';
import type { Heard, Sent } from './replies.ts';
import type { SoFar } from './so-far.ts';
import type { ChatItem } from './types.ts';

/** A run of parts that becomes one item. `start` and `end` are places in the list of parts. */
export interface Chunk {
  readonly type: ChatItem['type'];
  readonly start: number;
  end: number;
  /** What it became. */
  item: ChatItem | null;
  /** Its parts say something else than when the item was made. */
  stale: boolean;
  /** What else the item was made from: equal parts and equal knowledge make equal items. */
  knows: readonly unknown[];
  /** What was sent to teammates and heard from them, and the calls that started sub-agents. */
  sent: readonly Sent[];
  heard: readonly Heard[];
  spawning: readonly RawCall[];
  /** Tasks in the background that said what came out. */
  told: readonly Told[];
  /** What the items up to this one add up to. */
  after: SoFar | null;
}

/** Parts of the agent run together until somebody else speaks (C3). Continues after the chunks that are there. */
function chunkParts(parts: readonly Part[], from: number, chunks: Chunk[]): void {
  for (let i = from; i < parts.length; i++) {
    const part = parts[i] as Part;
    const { category } = part;
    if (category === 'noise') continue;
    if (category === 'ai') addAi(chunks, i);
    else if (category === 'compact') chunks.push(open('compact', i));
    else {
      if (category !== 'system') chunks.push(open('user', i));
      // What a command said stands below it.
      if (category === 'system' || part.output !== '') chunks.push(open('system', i));
    }
  }
}

/** Chunks the parts from a place on again, and gives the first chunk that may be another. What has the same parts keeps its item. */
export function rechunk(parts: readonly Part[], from: number, chunks: Chunk[]): number {
  const first = chunkAfter(chunks, from - 1);
  const dropped = chunks.splice(first);
  chunkParts(parts, Math.min(from, dropped[0]?.start ?? chunks.at(-1)?.end ?? 0), chunks);
  const known = new Map(dropped.map((chunk) => [chunk.item?.group.id, chunk]));
  for (let i = first; known.size > 0 && i < chunks.length; i++) {
    const chunk = chunks[i] as Chunk;
    const same = known.get(`${chunk.type}-${parts[chunk.start]?.record.id}`);
    if (!same?.item) continue;
    const { item, knows, sent, heard, spawning, told } = same;
    Object.assign(chunk, { item, knows, sent, heard, spawning, told, stale: !isMadeOf(item, parts, chunk) });
  }
  return first;
}

function isMadeOf(item: ChatItem, parts: readonly Part[], chunk: Chunk): boolean {
  if (item.type !== 'ai') return item.group.message === parts[chunk.start]?.record;
  const records = item.group.responses;
  const own = aiParts(parts, chunk);
  return records.length === own.length && own.every(({ record }, i) => record === records[i]);
}

/** What is hidden may stand in between. */
export const aiParts = (parts: readonly Part[], { start, end }: Chunk): Part[] =>
  parts.slice(start, end).filter(({ category }) => category === 'ai');

function addAi(chunks: Chunk[], at: number): void {
  const last = chunks.at(-1);
  if (last?.type === 'ai') {
    last.end = at + 1;
    last.stale = true;
  } else chunks.push(open('ai', at));
}

const NONE: readonly never[] = [];

const open = (type: Chunk['type'], at: number): Chunk => ({
  type,
  start: at,
  end: at + 1,
  item: null,
  stale: true,
  knows: NONE,
  sent: NONE,
  heard: NONE,
  spawning: NONE,
  told: NONE,
  after: null,
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
