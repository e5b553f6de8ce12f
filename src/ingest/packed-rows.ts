import { grown } from '../search/index.ts';

/** Rows as plain numbers and texts: copied to another thread in a moment, where objects would take as long as to write them. */
export interface PackedRows {
  readonly count: number;
  readonly keys: BigInt64Array<ArrayBuffer>;
  readonly numbers: Float64Array<ArrayBuffer>;
  readonly texts: readonly string[];
}

export class RowPacker {
  count = 0;
  /** Not plain lists: of those each number would be an object. */
  #keys = new BigInt64Array(256);
  #keyCount = 0;
  #numbers = new Float64Array(4096);
  #numberCount = 0;
  readonly #texts: string[] = [];
  readonly #known = new Map<string, number>();

  key(value: bigint): void {
    if (this.#keyCount === this.#keys.length) this.#keys = grown(this.#keys, 2 * this.#keyCount);
    this.#keys[this.#keyCount++] = value;
  }

  number(value: number): void {
    if (this.#numberCount === this.#numbers.length) this.#numbers = grown(this.#numbers, 2 * this.#numberCount);
    this.#numbers[this.#numberCount++] = value;
  }

  /** One that other rows are likely to have too. */
  text(value: string | null): void {
    let place = value === null ? NONE : this.#known.get(value);
    if (place === undefined) {
      place = this.#texts.push(value as string) - 1;
      this.#known.set(value as string, place);
    }
    this.number(place);
  }

  /** One of this row alone. */
  ownText(value: string | null): void {
    this.number(value === null ? NONE : this.#texts.push(value) - 1);
  }

  take(): PackedRows {
    return {
      count: this.count,
      keys: this.#keys.slice(0, this.#keyCount),
      numbers: this.#numbers.slice(0, this.#numberCount),
      texts: this.#texts,
    };
  }
}

export class RowUnpacker {
  readonly #rows: PackedRows;
  #keyAt = 0;
  #at = 0;

  constructor(rows: PackedRows) {
    this.#rows = rows;
  }

  key(): bigint {
    return this.#rows.keys[this.#keyAt++] as bigint;
  }

  number(): number {
    return this.#rows.numbers[this.#at++] as number;
  }

  /** NaN stands for null: no number of a row is one. */
  numberOrNull(): number | null {
    const value = this.number();
    return Number.isNaN(value) ? null : value;
  }

  textOrNull(): string | null {
    const place = this.number();
    return place === NONE ? null : this.text(place);
  }

  text(place = this.number()): string {
    return this.#rows.texts[place] as string;
  }
}

const NONE = -1;
