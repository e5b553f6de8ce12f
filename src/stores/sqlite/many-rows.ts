import type { DatabaseSync, StatementSync } from 'node:sqlite';

export type Value = string | number | bigint | Uint8Array | null;

const TOGETHER = 32;

/** Rows of a table, many of them in one statement: to call it costs nearly as much as a row. Nothing is written before `flush`, or when there are enough. */
export class ManyRows {
  readonly #one: StatementSync;
  readonly #many: StatementSync;
  readonly #width: number;
  /** The same list for all of them: one that grows would be copied again and again. */
  readonly values: Value[];
  #filled = 0;

  constructor(db: DatabaseSync, insert: string, width: number) {
    const row = `(${Array(width).fill('?').join()})`;
    this.#one = db.prepare(`${insert} values ${row}`);
    this.#many = db.prepare(`${insert} values ${Array(TOGETHER).fill(row).join()}`);
    this.#width = width;
    this.values = Array<Value>(TOGETHER * width).fill(null);
  }

  /** Where in `values` the next row is to be put. It is one of them when `add` is called. */
  get next(): number {
    return this.#filled;
  }

  add(): void {
    this.#filled += this.#width;
    if (this.#filled < this.values.length) return;
    this.#filled = 0;
    this.#many.run(...this.values);
  }

  flush(): void {
    const filled = this.#filled;
    this.#filled = 0;
    for (let at = 0; at < filled; at += this.#width) this.#one.run(...this.values.slice(at, at + this.#width));
  }

  /** What was not written yet shall not be. */
  forget(): void {
    this.#filled = 0;
  }
}
