import { suffixAt } from '../words.ts';
import { StretchReader } from './scan-stretch.ts';
import { APART, ESCAPE, LOWER, OTHER, SIGN, SORTS, SPACE, sortOf, UPPER } from './sort-units.ts';
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

/** Room for more codes than usual is given back. */
const MOST_KEPT = 1 << 21;

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
  /** What stands between the last word and the next, beside white space. */
  #punctuation = 0;

  constructor(table: TermTable) {
    this.#table = table;
  }

  push(term: number, gap: number): void {
    if (this.length === this.codes.length) this.codes = grown(this.codes, this.codes.length * 2);
    this.codes[this.length++] = (gap << 24) | term;
  }

  /** The terms from a place on. */
  forget(from: number): void {
    this.length = from;
    if (from === 0 && this.codes.length > MOST_KEPT) this.codes = new Uint32Array(1 << 14);
  }

  /** `strip`: where the text holds an escape character, what it makes of the text is scanned instead. */
  scan(text: string, strip?: (text: string) => string): void {
    const begun = this.length;
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
    const sorts = SORTS;
    let punctuation = this.#punctuation;
    let at = 0;
    while (at < filled) {
      let unit = units[at] as number;
      let sort = sorts[unit] as number;
      if (sort > APART) {
        if (sort === ESCAPE && isStopped) return -1;
        sort = sortOf(unit);
        if (sort === OTHER) {
          at = this.#stretch(text, base + at, punctuation) - base;
          punctuation = this.#punctuation;
          continue;
        }
        if (sort > APART) sort = APART;
      }
      if (sort > UPPER) {
        punctuation = punctuated(punctuation, unit, sort);
        at++;
        continue;
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
        sort = sorts[unit] as number;
      }
      const to = at;
      if (sort > APART || sort <= UPPER) {
        while (sort <= UPPER) sort = sorts[units[++at] as number] as number;
        if (at >= filled && base + filled < text.length) {
          at = from;
          break;
        }
        if (sortOf(units[at] as number) === OTHER) {
          at = this.#stretch(text, base + from, punctuation) - base;
          punctuation = this.#punctuation;
          continue;
        }
      }
      this.push(table.addHashed(units, from, to, SMALL, a, b), gapOf(punctuation));
      punctuation = 0;
      // One at the beginning makes no parts, nor do nothing else.
      if (capitals > 0 && capitals < at - from && at === to && (capitals > 1 || sorts[units[from] as number] === LOWER))
        this.#parts(units, from, to);
      if (sort === SIGN) this.#sign(text, base + from, base + to, base + at);
    }
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

  /** Words that are not all ASCII: nothing may stand between them. */
  #stretch(text: string, from: number, punctuation: number): number {
    const to = this.#stretches.endOf(text, from);
    let between = GAP_SPACE;
    this.#punctuation = punctuation;
    for (const { before, words, isCjk } of this.#stretches.pieces(text, from, to)) {
      for (let i = 0; i < before.length; i++)
        this.#punctuation = punctuated(this.#punctuation, before.charCodeAt(i), APART);
      if (before !== '') between = GAP_SPACE;
      if (words.length === 0) continue;
      const gap = this.#punctuation === 0 ? between : gapOf(this.#punctuation);
      words.forEach((term, i) => {
        const isPlaced = i === 0 || (isCjk && i < words.length - 1);
        this.push(this.#table.addText(term), !isPlaced ? NO_PLACE : i === 0 ? gap : GAP_NOTHING);
      });
      between = GAP_NOTHING;
      this.#punctuation = 0;
    }
    return to;
  }
}

/** White space changes nothing. Without a branch: what comes next in a text is hard to foretell. */
function punctuated(before: number, unit: number, sort: number): number {
  const isApart = sort - SPACE;
  return (Math.imul(before, 1 + 30 * isApart) + (unit & (0 - isApart))) & 0xffffff;
}

/** None is `GAP_SPACE`. */
const gapOf = (punctuation: number): number => ((0 - punctuation) >>> 31) * 2 + (punctuation % PUNCTUATIONS);
