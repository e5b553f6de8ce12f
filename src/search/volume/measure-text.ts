import { TermScanner } from './scan-terms.ts';
import { TermTable } from './term-table.ts';
import { lengthCode, lengthOf } from './volume.ts';

/** So many terms may be known before all are forgotten. */
const MOST_TERMS = 100_000;

/** How long texts are for ranking: as long as an index remembers them to be. */
export class TextMeasure {
  #table = new TermTable();
  #scanner = new TermScanner(this.#table);

  lengthOf(text: string): number {
    if (this.#table.size > MOST_TERMS) {
      this.#table = new TermTable();
      this.#scanner = new TermScanner(this.#table);
    }
    this.#scanner.scan(text);
    const { length } = this.#scanner;
    this.#scanner.forget(0);
    return lengthOf(lengthCode(length));
  }
}
