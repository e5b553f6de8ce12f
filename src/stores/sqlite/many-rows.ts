import type { DatabaseSync, StatementSync } from 'node:sqlite';

export type Value = string | number | bigint | Uint8Array | null;

const TOGETHER = 32;

/** Rows of a table, many of them in one statement: to call it costs nearly as much as a row. Nothing is written before `flush`, or when there are enough. */
export class ManyRows {
  readonly #one: StatementSync;
  readonly #many: StatementSync;
  readonly #width: number;
  #values: Value[] = [];

  constructor(db: DatabaseSync, insert: string, width: number) {
    const row = `(${Array(width).fill('?').join()})`;
    this.#one = db.prepare(`${insert} values ${row}`);
    this.#many = db.prepare(`${insert} values ${Array(TOGETHER).fill(row).join()}`);
    this.#width = width;
  }

  add(row: readonly Value[]): void {
    this.#values.push(...row);
    if (this.#values.length < TOGETHER * this.#width) return;
    this.#many.run(...this.#values);
    this.#values = [];
  }

  flush(): void {
    const values = this.#values;
    this.#values = [];
    for (let at = 0; at < values.length; at += this.#width) this.#one.run(...values.slice(at, at + this.#width));
  }

  /** What was not written yet shall not be. */
  forget(): void {
    this.#values = [];
  }
}
