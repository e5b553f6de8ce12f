import type { Bits, Scratch } from './bits.ts';
import type { NumberedVolume } from './match-volume.ts';

/** Hits of some volumes, column by column: what ranking needs of them. It goes from thread to thread as it is. */
export interface HitColumns {
  readonly ids: BigInt64Array;
  /** In seconds; 0: not known. */
  readonly times: Uint32Array;
  readonly lengths: Uint8Array;
  readonly types: Uint8Array;
  /** How often each leaf stands in each hit, and what else is told of it: all of the first hit, then all of the next. */
  readonly counts: Uint32Array;
}

/** Adds what a column says of documents: the number of a document in `counts` is `slots[doc] - 1`; 0: it has none. */
export type CountColumn = (column: number, slots: Uint32Array, counts: Uint32Array) => void;

/**
 * The newest of all hits that are offered: a heap with the oldest of them on top. Of two that are as old the smaller id counts, so that
 * the order they come in does not matter.
 */
export class NewestHits {
  readonly #most: number;
  readonly #columns: number;
  /** Places of hits. */
  readonly #heap: Uint32Array;
  readonly #times: Uint32Array;
  readonly #docs: Uint32Array;
  readonly #volumes: NumberedVolume[] = [];
  readonly #counts: Uint32Array;
  #size = 0;

  /** `columns`: so many counts each hit has. */
  constructor(most: number, columns: number) {
    this.#most = most;
    this.#columns = columns;
    this.#heap = new Uint32Array(most);
    this.#times = new Uint32Array(most);
    this.#docs = new Uint32Array(most);
    this.#counts = new Uint32Array(most * columns);
  }

  get isFull(): boolean {
    return this.#size >= this.#most;
  }

  /** When the oldest was. */
  get oldest(): number {
    return this.#size === 0 ? 0 : (this.#times[this.#heap[0] as number] as number);
  }

  add(volume: NumberedVolume, docs: Bits, countColumn: CountColumn, scratch: Scratch): void {
    const { times } = volume;
    let least = this.isFull ? this.oldest : 0;
    let isNewer = false;
    for (let i = 0; i < docs.length; i++)
      for (let word = docs[i] as number; word !== 0; word &= word - 1) {
        const doc = (i << 5) + 31 - Math.clz32(word & -word);
        // Most are older than what is there already.
        if ((times[doc] as number) < least || !this.#offer(volume, doc)) continue;
        isNewer = true;
        if (this.isFull) least = this.oldest;
      }
    if (isNewer) this.#count(volume, countColumn, scratch);
  }

  take(): HitColumns {
    const size = this.#size;
    const of = <T>(read: (volume: NumberedVolume, doc: number) => T) =>
      this.#volumes.map((volume, at) => read(volume, this.#docs[at] as number));
    return {
      ids: BigInt64Array.from(of(({ ids }, doc) => ids[doc] as bigint)),
      times: this.#times.slice(0, size),
      lengths: Uint8Array.from(of(({ lengths }, doc) => lengths[doc] as number)),
      types: Uint8Array.from(of(({ types }, doc) => types[doc] as number)),
      counts: this.#counts.slice(0, size * this.#columns),
    };
  }

  #count(volume: NumberedVolume, countColumn: CountColumn, scratch: Scratch): void {
    const own: number[] = [];
    const slots = scratch.numbers(volume.size);
    for (let at = 0; at < this.#size; at++)
      if (this.#volumes[at] === volume) slots[this.#docs[at] as number] = own.push(at);
    for (let column = 0; column < this.#columns; column++) {
      const counts = scratch.numbers(own.length);
      countColumn(column, slots, counts);
      for (let i = 0; i < own.length; i++)
        this.#counts[(own[i] as number) * this.#columns + column] = counts[i] as number;
    }
  }

  #offer(volume: NumberedVolume, doc: number): boolean {
    const heap = this.#heap;
    if (!this.isFull) {
      let at = this.#size++;
      this.#put(at, volume, doc);
      heap[at] = at;
      while (at > 0 && this.#isBefore(heap[at] as number, heap[(at - 1) >> 1] as number)) {
        swap(heap, at, (at - 1) >> 1);
        at = (at - 1) >> 1;
      }
      return true;
    }
    const top = heap[0] as number;
    if (volume.times[doc] === this.#times[top] && (volume.ids[doc] as bigint) > this.#idOf(top)) return false;
    this.#put(top, volume, doc);
    this.#sink();
    return true;
  }

  #put(at: number, volume: NumberedVolume, doc: number): void {
    this.#times[at] = volume.times[doc] as number;
    this.#docs[at] = doc;
    this.#volumes[at] = volume;
  }

  #sink(): void {
    const heap = this.#heap;
    for (let at = 0; ; ) {
      let below = 2 * at + 1;
      if (below >= this.#size) return;
      if (below + 1 < this.#size && this.#isBefore(heap[below + 1] as number, heap[below] as number)) below++;
      if (!this.#isBefore(heap[below] as number, heap[at] as number)) return;
      swap(heap, at, below);
      at = below;
    }
  }

  /** Whether one goes before the other does. */
  #isBefore(a: number, b: number): boolean {
    const between = (this.#times[a] as number) - (this.#times[b] as number);
    return between < 0 || (between === 0 && this.#idOf(a) > this.#idOf(b));
  }

  #idOf(at: number): bigint {
    return (this.#volumes[at] as NumberedVolume).ids[this.#docs[at] as number] as bigint;
  }
}

function swap(heap: Uint32Array, a: number, b: number): void {
  const kept = heap[a] as number;
  heap[a] = heap[b] as number;
  heap[b] = kept;
}
