import { suffixAt } from '../words.ts';
import { grown } from './bytes.ts';
import { findRuns } from './find-runs.ts';
import { GapTable, UNKNOWN_GAP } from './gap-table.ts';
import { StretchReader } from './scan-stretch.ts';
import { APART, BYTE_SORTS, isWordly, OTHER, SIGN, SORTS, SPACE, sortOf, UNKNOWN, UPPER } from './sort-units.ts';
import { NOT_FOUND, SMALL, TERM_MASK, type TermTable } from './term-table.ts';
import { PIECE, TextBytes } from './text-bytes.ts';

/**
 * What stands between a word and the one before it, as a number: white space; nothing; or 2 to 253 for any punctuation. A phrase with
 * punctuation is told from one without it by these. Terms without a place (parts of identifiers) have `NO_PLACE`.
 */
const GAP_SPACE = 0;
const GAP_NOTHING = 1;
export const NO_PLACE = 255;
const PUNCTUATIONS = 252;

/** Longer words are known by their beginning. */
const TERM_BYTES = 64;
const NINE = 0x39;
const ESCAPE = '\u001b';

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
  readonly #own = new TextBytes();
  /** What is scanned. */
  #text = this.#own;
  readonly #stretches = new StretchReader();
  readonly #gapTable = new GapTable();
  /** Of each run of a piece. */
  #terms = new Int32Array(0);
  #gaps = new Int32Array(0);
  /** What stands between the last word and the next, beside white space. */
  #punctuation = 0;

  constructor(table: TermTable) {
    this.#table = table;
  }

  push(term: number, gap: number): void {
    this.#reserve(1);
    this.codes[this.length++] = (gap << 24) | term;
  }

  /** The terms from a place on. */
  forget(from: number): void {
    this.length = from;
    if (from > 0) return;
    if (this.codes.length > MOST_KEPT) this.codes = new Uint32Array(1 << 14);
    if (this.#terms.length > PIECE) this.#terms = new Int32Array(0);
  }

  /** `strip`: where the text holds an escape character, what it makes of the text is scanned instead. `coded`: both are codes. */
  scan(text: string, strip?: (text: string) => string, coded = false): void {
    if (strip && text.includes(ESCAPE)) {
      this.scan(strip(text), undefined, coded);
      return;
    }
    for (let done = 0; done < text.length; ) {
      const isFirst = done === 0;
      done = this.#own.fill(text, done, coded);
      this.scanPiece(this.#own, isFirst);
    }
    this.#own.resize();
  }

  /** The piece of a text that lies ready. */
  scanPiece(text: TextBytes, isFirst: boolean): void {
    if (isFirst) this.#punctuation = 0;
    this.#text = text;
    const table = this.#table;
    const { bytes, view, start, end: stop, runs } = text;
    const count = findRuns(view, start, stop, runs);
    const { terms, gaps } = this.#room(count >> 1);
    table.find(view, runs, count, terms);
    this.#gapTable.find(view, start, runs, count, gaps);
    // Something stood before the piece already.
    if (this.#punctuation !== 0) gaps[0] = UNKNOWN_GAP;
    // A letter of ASCII makes a word and a part at most.
    let codes = this.#reserve(2 * (stop - start));
    const sorts = BYTE_SORTS;
    let done = this.length;
    let last = start;
    for (let i = 0; ; i += 2) {
      const usual = i;
      i = putUsual(text, i, count, terms, gaps, codes, done);
      if (i > usual) last = runs[i - 1] as number;
      done += (i - usual) >> 1;
      if (i >= count) break;
      const from = runs[i] as number;
      const to = runs[i + 1] as number;
      // It was part of a stretch.
      if (from < last) continue;
      const behind = sorts[bytes[to] as number] as number;
      const isStretch = behind === UNKNOWN && sortAt(bytes, to) === OTHER;
      let gap = gaps[i >> 1] as number;
      if (gap < 0 || isStretch) {
        const isPunctuated = this.#punctuation !== 0;
        const at = this.#between(last, from);
        if (at < from || isStretch) {
          this.length = done;
          last = this.#stretch(at);
          done = this.length;
          codes = this.#reserve(2 * (stop - start));
          // What stands before the runs in it, and before the next one behind it, is not what it was taken for.
          for (let next = i; next < count; next += 2) {
            gaps[next >> 1] = UNKNOWN_GAP;
            if ((runs[next] as number) >= last) break;
          }
          i -= 2;
          continue;
        }
        gap = gapOf(this.#punctuation);
        this.#punctuation = 0;
        if (!isPunctuated) this.#gapTable.put(view, last, from, gap);
      }
      last = to;
      const end = to - from > TERM_BYTES ? from + TERM_BYTES : to;
      const found = terms[i >> 1] as number;
      const term = found === NOT_FOUND ? table.add(text, from, end, SMALL) : found & TERM_MASK;
      codes[done++] = (gap << 24) | term;
      const hasParts = found === NOT_FOUND ? end === to && hasInnerCapital(view, from, to) : found < 0;
      if (!hasParts && behind !== SIGN) continue;
      this.length = done;
      if (hasParts) this.#parts(from, to);
      if (behind === SIGN) this.#sign(from, end, to);
      done = this.length;
    }
    this.length = done;
    while (last < stop) {
      const at = this.#between(last, stop);
      last = at < stop ? this.#stretch(at) : stop;
    }
  }

  /** Between aB, and ABc, also after digits; 1B is none. */
  #parts(from: number, to: number): void {
    const { bytes } = this.#text;
    let start = from;
    for (let i = from + 1; i < to; i++) {
      const byte = bytes[i] as number;
      const before = bytes[i - 1] as number;
      if (BYTE_SORTS[byte] === UPPER) {
        if (BYTE_SORTS[before] === UPPER || before <= NINE) continue;
        start = this.#part(start, i);
      } else if (byte > NINE && BYTE_SORTS[before] === UPPER && i - 1 > start) start = this.#part(start, i - 1);
    }
    if (start > from) this.#part(start, to);
  }

  #part(from: number, to: number): number {
    this.push(this.#table.add(this.#text, from, to, SMALL), NO_PLACE);
    return to;
  }

  /** c++, c# */
  #sign(from: number, to: number, at: number): void {
    const suffix = suffixAt(this.#text.text(at, at + 2), 0);
    if (suffix !== '') this.push(this.#table.addText(this.#text.text(from, to).toLowerCase() + suffix), NO_PLACE);
  }

  /** Reads what separates words up to a place; gives where it ends: there, or where a letter beyond ASCII stands before. */
  #between(from: number, to: number): number {
    const { bytes } = this.#text;
    let at = from;
    while (at < to) {
      const byte = bytes[at] as number;
      if (byte < 128) {
        if (BYTE_SORTS[byte] !== SPACE) this.#punctuation = punctuated(this.#punctuation, byte);
        at++;
        continue;
      }
      const unit = unitAt(bytes, at);
      const sort = sortOf(unit);
      if (sort === OTHER) break;
      if (sort !== SPACE) this.#punctuation = punctuated(this.#punctuation, unit);
      at += sizeAt(bytes, at);
    }
    return at;
  }

  /** Words that are not all ASCII: nothing may stand between them. */
  #stretch(from: number): number {
    const text = this.#text;
    const { bytes } = text;
    let to = from;
    while (isWordly(sortAt(bytes, to))) to += sizeAt(bytes, to);
    let between = GAP_SPACE;
    for (const { before, words, isCjk } of this.#stretches.pieces(text.text(from, to), text.text(to, to + 2))) {
      for (let i = 0; i < before.length; i++) this.#punctuation = punctuated(this.#punctuation, before.charCodeAt(i));
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

  /** For so many runs. */
  #room(runs: number): { terms: Int32Array; gaps: Int32Array } {
    if (runs > this.#terms.length) {
      this.#terms = new Int32Array(Math.max(runs, PIECE));
      this.#gaps = new Int32Array(this.#terms.length);
    }
    return { terms: this.#terms, gaps: this.#gaps };
  }

  /** Room for so many more. */
  #reserve(more: number): Uint32Array {
    const length = this.length + more;
    if (length > this.codes.length) this.codes = grown(this.codes, Math.max(length, this.codes.length * 2));
    return this.codes;
  }
}

/** The codes of words with nothing unusual, from one run on; gives the first run that has. A loop of its own, see `hashRuns`. */
function putUsual(
  { bytes, runs }: TextBytes,
  first: number,
  count: number,
  terms: Int32Array,
  gaps: Int32Array,
  codes: Uint32Array,
  place: number,
): number {
  const sorts = BYTE_SORTS;
  const unitSorts = SORTS;
  let i = first;
  for (let at = place; i < count; i += 2) {
    const term = terms[i >> 1] as number;
    const gap = gaps[i >> 1] as number;
    const to = runs[i + 1] as number;
    let behind = sorts[bytes[to] as number] as number;
    if (behind === UNKNOWN) behind = unitSorts[unitAt(bytes, to)] as number;
    if ((term | gap) < 0 || behind > APART) break;
    codes[at++] = (gap << 24) | term;
  }
  return i;
}

const sortAt = (bytes: Uint8Array, at: number): number => {
  const sort = BYTE_SORTS[bytes[at] as number] as number;
  return sort === UNKNOWN ? sortOf(unitAt(bytes, at)) : sort;
};

/** Of a character that is two units the first one: it tells as much as they both. */
function unitAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at] as number;
  if (byte < 0x80) return byte;
  if (byte < 0xe0) return ((byte & 0x1f) << 6) | ((bytes[at + 1] as number) & 0x3f);
  if (byte >= 0xf0) return 0xd800;
  return ((byte & 0x0f) << 12) | (((bytes[at + 1] as number) & 0x3f) << 6) | ((bytes[at + 2] as number) & 0x3f);
}

/** How many bytes the character at a place has. */
const sizeAt = (bytes: Uint8Array, at: number): number => {
  const byte = bytes[at] as number;
  return byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
};

/** One at the beginning makes no parts. Capitals are letters without the bit that makes them small. */
function hasInnerCapital(view: DataView, from: number, to: number): boolean {
  let capitals = capitalsIn(view.getInt32(from, true)) & ~0xff;
  if (to - from <= 4) return capitals << (8 * (4 - to + from)) !== 0;
  let at = from + 4;
  for (; to - at > 4; at += 4) capitals |= capitalsIn(view.getInt32(at, true));
  return (capitals | (capitalsIn(view.getInt32(at, true)) << (8 * (4 - to + at)))) !== 0;
}

const capitalsIn = (four: number): number => (four >>> 1) & ~four & 0x20202020;

const punctuated = (before: number, unit: number): number => (Math.imul(before, 31) + unit) & 0xffffff;

const gapOf = (punctuation: number): number => (punctuation === 0 ? GAP_SPACE : 2 + (punctuation % PUNCTUATIONS));
