import type { CallId, Key, Ties } from '../model/index.ts';

/**
 * Where a file can be read up to and be told apart from its rest. A line is a seam when every later line of the main conversation hangs,
 * over however many lines, on it: none names a line before it, is part of an answer before it, or begins anew. When a prompt of the human
 * is a seam, then what the tree says of the records before it stays, because nothing that decides about them looks past such a prompt
 * (H14: branches are told by the first prompt below; replies answer what stands directly above or before them). What may still come
 * is a result of a call, and what becomes of a queue.
 */
export interface Seams {
  /** By the number of the line, from 1. */
  isSeam(line: number): boolean;
  /** Whether it is a line of the main chain: not of the queue, of a sub-agent, nor outside. */
  isChained(line: number): boolean;
  /** The last line that may bring a result of a call; 0: none. */
  lastResultOf(call: CallId): number;
  /** The line the log names as active in the end; 0: none, or not told for sure. */
  readonly leaf: number;
}

export class SeamFinder {
  /** Where an id stands; below 0: the line of a sub-agent. */
  readonly #lines = new Map<Key, number>();
  readonly #parts = new Map<string, number>();
  readonly #missing = new Set<Key>();
  readonly #results = new Map<CallId, number>();
  /** The lowest line that each line hangs on; 0: it begins anew; none: it is not of the main conversation. */
  readonly #above: (number | undefined)[] = [];
  #leaf: Key | null = null;
  #isOdd = false;

  /** The lines of one file in its order. */
  add(line: number, { key, parent, aside, part, results, leaf }: Ties): void {
    if (leaf !== null) this.#leaf = leaf;
    for (const call of results) this.#results.set(call, line);
    if (key === null) return;
    // The same id again, or a line that stands before its parent.
    if (this.#lines.has(key) || this.#missing.has(key) || key === parent) this.#isOdd = true;
    if (!aside) this.#above[line] = Math.min(this.#parentOf(parent), part === null ? line : this.#firstOf(part, line));
    this.#lines.set(key, aside ? -line : line);
  }

  /** Null where lines hang together in an unusual way. `alone`: no other file has lines that these may hang on. */
  find(alone: boolean): Seams | null {
    if (this.#isOdd || (this.#missing.size > 0 && !alone)) return null;
    const above = this.#above;
    const lowest = lowestAfter(above);
    const results = this.#results;
    const leaf = this.#leaf === null ? 0 : (this.#lines.get(this.#leaf) ?? 0);
    return {
      isSeam: (line) => (lowest[line] ?? 0) >= line,
      isChained: (line) => above[line] !== undefined,
      lastResultOf: (call) => results.get(call) ?? 0,
      leaf: Math.max(0, leaf),
    };
  }

  /** 0: a beginning. */
  #parentOf(parent: Key | null): number {
    if (parent === null) return 0;
    const at = this.#lines.get(parent);
    if (at === undefined) this.#missing.add(parent);
    // What hangs on a sub-agent may hang on anything.
    else if (at < 0) this.#isOdd = true;
    return at ?? 0;
  }

  #firstOf(part: string, line: number): number {
    const first = this.#parts.get(part);
    if (first === undefined) this.#parts.set(part, line);
    return first ?? line;
  }
}

/** For each line the lowest that any later one hangs on. */
function lowestAfter(above: readonly (number | undefined)[]): Float64Array {
  const lowest = new Float64Array(above.length);
  for (let line = above.length - 1, low = Number.POSITIVE_INFINITY; line >= 0; line--) {
    lowest[line] = low;
    low = Math.min(low, above[line] ?? low);
  }
  return lowest;
}
