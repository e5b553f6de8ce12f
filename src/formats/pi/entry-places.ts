/** The id an entry of version 1 gets when it is copied or its file is written anew: where it stands in the list. */
export const idAt = (place: number): string => place.toString(16).padStart(8, '0');

/** A run of entries on neighbouring lines: the number of the first, and its line. */
type Run = readonly [index: number, line: number];

export interface SavedPlaces {
  readonly count: number;
  readonly runs: readonly Run[];
}

/**
 * Which line the n-th entry of a file stands on. A compaction of version 1 names the first entry it kept by number, counted as Pi
 * counts: the header is 0, and lines that are blank or no JSON do not count. Only the places where the count and the lines part are
 * kept, so a whole file is one pair of numbers.
 */
export class EntryPlaces {
  #count: number;
  #runs: Run[];

  constructor(saved: SavedPlaces) {
    this.#count = saved.count;
    this.#runs = [...saved.runs];
  }

  get saved(): SavedPlaces {
    return { count: this.#count, runs: [...this.#runs] };
  }

  add(line: number): void {
    const last = this.#runs.at(-1);
    if (!last || last[1] + this.#count - last[0] !== line) this.#runs.push([this.#count, line]);
    this.#count++;
  }

  /** How many there are so far. */
  get count(): number {
    return this.#count;
  }

  lineOf(index: number): number | null {
    if (!Number.isInteger(index) || index < 0 || index >= this.#count) return null;
    const run = this.#runs.findLast(([first]) => first <= index);
    return run ? run[1] + index - run[0] : null;
  }
}
