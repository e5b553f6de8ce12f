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
  /** Whether it is a line of the chain: not of the queue, nor outside. */
  isChained(line: number): boolean;
  /** The last line that may bring a result of a call; 0: none. */
  lastResultOf(call: CallId): number;
  /** The line the log names as active in the end; 0: none, or not told for sure. */
  readonly leaf: number;
}

export class SeamFinder {
  readonly #lines = new Map<Key, number>();
  readonly #ties: (Ties | undefined)[] = [];
  readonly #results = new Map<CallId, number>();
  #leaf: Key | null = null;
  #isOdd = false;

  /** The lines of one file in its order. */
  add(line: number, ties: Ties): void {
    if (ties.leaf !== null) this.#leaf = ties.leaf;
    for (const call of ties.results) this.#results.set(call, line);
    if (ties.key === null) return;
    if (this.#lines.has(ties.key)) this.#isOdd = true;
    this.#lines.set(ties.key, line);
    this.#ties[line] = ties;
  }

  /** Null where lines hang together in an unusual way. `alone`: no other file has lines that these may hang on. */
  find(alone: boolean): Seams | null {
    const lowest = this.#isOdd ? null : this.#lowestAfter(alone);
    if (!lowest) return null;
    const leaf = this.#leaf === null ? undefined : this.#lines.get(this.#leaf);
    return {
      isSeam: (line) => (lowest[line] ?? 0) >= line,
      isChained: (line) => this.#ties[line] !== undefined,
      lastResultOf: (call) => this.#results.get(call) ?? 0,
      leaf: leaf === undefined || this.#ties[leaf]?.aside ? 0 : leaf,
    };
  }

  /** For each line the lowest that any later one hangs on. */
  #lowestAfter(alone: boolean): Float64Array | null {
    const ties = this.#ties;
    const above = new Float64Array(ties.length).fill(Number.POSITIVE_INFINITY);
    const parts = new Map<string, number>();
    for (let line = 1; line < ties.length; line++) {
      const each = ties[line];
      if (!each || each.aside) continue;
      const parent = this.#parentOf(each, line, alone);
      if (parent === null) return null;
      const first = each.part === null ? line : (parts.get(each.part) ?? line);
      if (each.part !== null) parts.set(each.part, first);
      above[line] = Math.min(parent, first);
    }
    for (let line = ties.length - 1, low = Number.POSITIVE_INFINITY; line >= 0; line--) {
      const own = above[line] as number;
      above[line] = low;
      low = Math.min(low, own);
    }
    return above;
  }

  /** 0: a beginning. Null: a line that comes later, a sub-agent's, or one of another file. */
  #parentOf({ parent }: Ties, line: number, alone: boolean): number | null {
    if (parent === null) return 0;
    const at = this.#lines.get(parent);
    if (at === undefined) return alone ? 0 : null;
    return at < line && !this.#ties[at]?.aside ? at : null;
  }
}
