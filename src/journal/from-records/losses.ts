/** Something of a thread that a session of Pi has no place for. */
export interface Loss {
  readonly what: string;
  readonly count: number;
}

/** Counts what could not be carried over. */
export class Losses {
  readonly #counts = new Map<string, number>();

  add(what: string, count = 1): void {
    if (count > 0) this.#counts.set(what, (this.#counts.get(what) ?? 0) + count);
  }

  /** In the order they were met first. */
  list(): Loss[] {
    return [...this.#counts].map(([what, count]) => ({ what, count }));
  }
}
