import { suffixAt } from '../words.ts';
import { StretchReader } from './scan-stretch.ts';
import { APART, ESCAPE, LOWER, OTHER, SORTS, SPACE, sortOf, UNKNOWN, UPPER } from './sort-units.ts';
import { FACTOR, FACTOR_TOO, grown, START, START_TOO, type TermTable } from './term-table.ts';
import { PIECE, TextUnits } from './text-units.ts';

/**
 * What stands between a word and the one before it, as a number: white space; nothing; or 2 to 253 for any punctuation. A phrase with
 * punctuation is told from one without it by these. Terms without a place (parts of identifiers) have `NO_PLACE`.
 */
const GAP_SPACE = 0;
const GAP_NOTHING = 1;
export const NO_PLACE = 255;
const PUNCTUATIONS = 252;

/** Longer words are known by their beginning. */
const TERM_UNITS = 64;
/** Makes a letter of ASCII a small one, and leaves digits as they are. */
const SMALL = 0x20;
const NINE = 0x39;
const PLUS = 0x2b;
const HASH = 0x23;

/**
 * Text → terms, as `wordsIn` gives them; where it is ASCII, without making a string for any. They come out as `codes`: number of the term
 * in the lower 24 bits, gap in the upper 8.
 */
export class TermScanner {
  codes = new Uint32Array(1 << 14);
  length = 0;
  readonly #table: TermTable;
  readonly #text = new TextUnits();
  readonly #stretches = new StretchReader();
  /** Since the last word. */
  #between = GAP_SPACE;
  #punctuation = 0;

  constructor(table: TermTable) {
    this.#table = table;
  }

  push(term: number, gap: number): void {
    if (this.length === this.codes.length) this.codes = grown(this.codes, this.codes.length * 2);
    this.codes[this.length++] = (gap << 24) | term;
  }

  /** `strip`: where the text holds an escape character, what it makes of the text is scanned instead. */
  scan(text: string, strip?: (text: string) => string): void {
    const begun = this.length;
    this.#between = GAP_SPACE;
    this.#punctuation = 0;
    for (let done = 0; done < text.length; ) {
      const filled = this.#text.fill(text, done);
      const end = this.#piece(text, done, filled, strip !== undefined);
      if (end < 0 && strip) {
        this.length = begun;
        this.scan(strip(text));
        return;
      }
      // A word that is longer than the piece.
      if (end === done) this.#text.resize(2 * filled);
      done = end;
    }
    this.#text.resize(PIECE);
  }

  /** The piece of the text that lies ready; gives where the next one begins, -1: an escape character stopped it. */
  #piece(text: string, base: number, filled: number, isStopped: boolean): number {
    const { units } = this.#text;
    const table = this.#table;
    let between = this.#between;
    let punctuation = this.#punctuation;
    let at = 0;
    while (at < filled) {
      let unit = units[at] as number;
      let sort = SORTS[unit] as number;
      if (sort > OTHER) {
        if (sort > APART) {
          if (sort === ESCAPE && isStopped) return -1;
          sort = sortOf(unit);
        }
        if (sort !== OTHER) {
          if (sort !== SPACE) punctuation = punctuated(punctuation, unit);
          between = GAP_SPACE;
          at++;
          continue;
        }
      }
      const from = at;
      const most = from + TERM_UNITS;
      let capitals = 0;
      let a = START;
      let b = START_TOO;
      while (sort <= UPPER && at < most) {
        capitals += sort;
        a = Math.imul(a ^ (unit | SMALL), FACTOR);
        b = Math.imul(b ^ (unit | SMALL), FACTOR_TOO);
        unit = units[++at] as number;
        sort = SORTS[unit] as number;
      }
      const to = at;
      while (sort <= UPPER) sort = SORTS[units[++at] as number] as number;
      if (at >= filled && base + filled < text.length) {
        at = from;
        break;
      }
      if (sort === OTHER || (sort === UNKNOWN && sortOf(units[at] as number) === OTHER)) {
        this.#between = between;
        this.#punctuation = punctuation;
        at = this.#stretch(text, base + from) - base;
        between = this.#between;
        punctuation = this.#punctuation;
        continue;
      }
      const gap = gapOf(between, punctuation);
      between = GAP_NOTHING;
      punctuation = 0;
      this.push(table.addHashed(units, from, to, SMALL, a, b), gap);
      // One at the beginning makes no parts, nor do nothing else.
      if (capitals > 0 && at === to && capitals < to - from && (capitals > 1 || SORTS[units[from] as number] === LOWER))
        this.#parts(units, from, to);
      if (units[at] === PLUS || units[at] === HASH) this.#sign(text, base + from, base + to, base + at);
    }
    this.#between = between;
    this.#punctuation = punctuation;
    return base + at;
  }

  /** Between aB, and ABc, also after digits; 1B is none. */
  #parts(units: Uint16Array, from: number, to: number): void {
    let start = from;
    for (let i = from + 1; i < to; i++) {
      const unit = units[i] as number;
      const before = units[i - 1] as number;
      if (SORTS[unit] === UPPER) {
        if (SORTS[before] === UPPER || before <= NINE) continue;
        start = this.#part(units, start, i);
      } else if (unit > NINE && SORTS[before] === UPPER && i - 1 > start) start = this.#part(units, start, i - 1);
    }
    if (start > from) this.#part(units, start, to);
  }

  #part(units: Uint16Array, from: number, to: number): number {
    this.push(this.#table.add(units, from, to, SMALL), NO_PLACE);
    return to;
  }

  /** c++, c# */
  #sign(text: string, from: number, to: number, at: number): void {
    const suffix = suffixAt(text, at);
    if (suffix !== '') this.push(this.#table.addText(text.slice(from, to).toLowerCase() + suffix), NO_PLACE);
  }

  #stretch(text: string, from: number): number {
    const to = this.#stretches.endOf(text, from);
    for (const { before, words, isCjk } of this.#stretches.pieces(text, from, to)) {
      for (let i = 0; i < before.length; i++) {
        this.#between = GAP_SPACE;
        if (!/\s/.test(before[i] as string)) this.#punctuation = punctuated(this.#punctuation, before.charCodeAt(i));
      }
      const gap = gapOf(this.#between, this.#punctuation);
      if (words.length > 0) {
        this.#between = GAP_NOTHING;
        this.#punctuation = 0;
      }
      words.forEach((term, i) => {
        const isPlaced = i === 0 || (isCjk && i < words.length - 1);
        this.push(this.#table.addText(term), !isPlaced ? NO_PLACE : i === 0 ? gap : GAP_NOTHING);
      });
    }
    return to;
  }
}

const punctuated = (before: number, unit: number): number => (Math.imul(before, 31) + unit) & 0xffffff;

const gapOf = (between: number, punctuation: number): number =>
  punctuation === 0 ? between : 2 + (punctuation % PUNCTUATIONS);
