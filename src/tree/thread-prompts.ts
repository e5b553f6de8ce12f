import type { Key, Segment } from '../model/index.ts';

/** What tells a thread from the others: the first prompt after its fork, or of all, and the last one. */
export interface ThreadPrompts {
  /** Null where nothing was asked after the fork. */
  readonly first: Key | null;
  readonly last: Key | null;
}

export const NO_PROMPTS: ThreadPrompts = { first: null, last: null };

/** Of every thread, by its leaf. Each record is looked at once, however many threads lead through it. */
export function promptsOfThreads(
  segments: readonly Segment[],
  isPrompt: (id: Key) => boolean,
): ReadonlyMap<Key, ThreadPrompts> {
  const prompts = new Map<Key, ThreadPrompts>();
  const stack = segments.map((segment) => ({ segment, above: NO_PROMPTS }));
  for (let at = stack.pop(); at; at = stack.pop()) {
    const { records, children } = at.segment;
    const soFar = lookThrough(records, at.above, isPrompt);
    // The first branch goes on with the thread, the others begin one.
    for (const [i, segment] of children.entries())
      stack.push({ segment, above: i === 0 ? soFar : { ...soFar, first: null } });
    if (children.length === 0) prompts.set(records[records.length - 1] as Key, soFar);
  }
  return prompts;
}

export function lookThrough(
  records: readonly Key[],
  { first, last }: ThreadPrompts,
  isPrompt: (id: Key) => boolean,
): ThreadPrompts {
  for (const id of records) {
    if (!isPrompt(id)) continue;
    first ??= id;
    last = id;
  }
  return { first, last };
}
