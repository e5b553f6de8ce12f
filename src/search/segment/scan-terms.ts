import { runsIn, suffixAt, wordsIn } from '../words.ts';
import { grown, type TermTable } from './term-table.ts';

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

const [APART, LOWER, UPPER, SPACE, OTHER, UNKNOWN] = [0, 1, 2, 3, 4, 255];
/** Of each unit of text; `OTHER` are letters beyond ASCII, and halves of characters. */
const SORTS = new Uint8Array(0x10000).fill(UNKNOWN);
for (let code = 0; code < 128; code++) {
  const char = String.fromCharCode(code);
  SORTS[code] = /[a-z0-9]/.test(char) ? LOWER : /[A-Z]/.test(char) ? UPPER : /\s/.test(char) ? SPACE : APART;
}

function sortOf(code: number): number {
  const known = SORTS[code] as number;
  if (known !== UNKNOWN) return known;
  const char = String.fromCharCode(code);
  const isApart = !/[\p{L}\p{N}\p{M}\p{Cs}]/u.test(char);
  const sort = !isApart ? OTHER : /\s/.test(char) ? SPACE : APART;
  SORTS[code] = sort;
  return sort;
}
const NINE = 0x39;

/**
 * Text → terms, as `wordsIn` gives them; where it is ASCII, without making a string for any. They come out as `codes`: number of the term
 * in the lower 24 bits, gap in the upper 8.
 */
export class TermScanner {
  codes = new Uint32Array(1 << 14);
  /** Of the same terms, so that who needs them does not fetch them from all over the table. */
  hashes = new Int32Array(1 << 14);
  length = 0;
  readonly #table: TermTable;
  readonly #word = new Uint16Array(TERM_UNITS + 2);
  readonly #bounds = new Uint8Array(TERM_UNITS + 1);
  readonly #known = new Map<string, readonly Piece[]>();
  /** Since the last word. */
  #between = GAP_SPACE;
  #punctuation = 0;

  constructor(table: TermTable) {
    this.#table = table;
  }

  push(term: number, gap: number): void {
    if (this.length === this.codes.length) {
      this.codes = grown(this.codes, this.codes.length * 2);
      this.hashes = grown(this.hashes, this.codes.length);
    }
    this.hashes[this.length] = this.#table.lastHash;
    this.codes[this.length++] = ((gap << 24) | term) >>> 0;
  }

  scan(text: string): void {
    this.#between = GAP_SPACE;
    this.#punctuation = 0;
    for (let at = 0; at < text.length; ) {
      const code = text.charCodeAt(at);
      const sort = sortOf(code);
      if (sort === SPACE || sort === APART) {
        this.#separate(sort, code);
        at++;
      } else at = this.#run(text, at);
    }
  }

  #separate(sort: number, code: number): void {
    this.#between = GAP_SPACE;
    if (sort === APART) this.#punctuation = (Math.imul(this.#punctuation, 31) + code) & 0xffffff;
  }

  #gap(): number {
    const gap = this.#punctuation === 0 ? this.#between : 2 + (this.#punctuation % PUNCTUATIONS);
    this.#between = GAP_NOTHING;
    this.#punctuation = 0;
    return gap;
  }

  /** A run of letters and digits; gives where it ends. */
  #run(text: string, from: number): number {
    const word = this.#word;
    const bounds = this.#bounds;
    let size = 0;
    let parts = 0;
    let before = APART;
    let earlier = APART;
    let at = from;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      const sort = sortOf(code);
      if (sort === OTHER) return this.#stretch(text, from);
      if (sort !== LOWER && sort !== UPPER) break;
      if (size < TERM_UNITS) {
        // aB, and ABc also after digits; 1B is none.
        if (sort === UPPER && before === LOWER && text.charCodeAt(at - 1) > NINE) bounds[parts++] = size;
        else if (sort === LOWER && code > NINE && before === UPPER && size > 1 && isBound(bounds, parts, size - 1)) {
          if (earlier === UPPER || text.charCodeAt(at - 2) <= NINE) bounds[parts++] = size - 1;
        }
        word[size++] = sort === UPPER ? code + 32 : code;
      }
      earlier = before;
      before = sort;
    }
    const table = this.#table;
    this.push(table.add(word, 0, size), this.#gap());
    if (parts > 0 && at - from <= TERM_UNITS) {
      let start = 0;
      for (let i = 0; i < parts; i++) {
        this.push(table.add(word, start, bounds[i] as number), NO_PLACE);
        start = bounds[i] as number;
      }
      this.push(table.add(word, start, size), NO_PLACE);
    }
    const next = text.charCodeAt(at);
    if (next === PLUS || next === HASH) this.#sign(suffixAt(text, at), size);
    return at;
  }

  /** c++, c# */
  #sign(suffix: string, size: number): void {
    if (suffix === '') return;
    for (let i = 0; i < suffix.length; i++) this.#word[size + i] = suffix.charCodeAt(i);
    this.push(this.#table.add(this.#word, 0, size + suffix.length), NO_PLACE);
  }

  /** Letters of other scripts, up to the next separator, as the reference reads them. */
  #stretch(text: string, from: number): number {
    let to = from;
    for (let sort = OTHER; sort === OTHER || sort === LOWER || sort === UPPER; sort = sortOf(text.charCodeAt(++to)))
      if (to === text.length) break;
    const stretch = text.slice(from, to) + suffixAt(text, to);
    let pieces = this.#known.get(stretch);
    if (!pieces) {
      pieces = piecesOf(stretch, to - from);
      if (this.#known.size > REMEMBERED) this.#known.clear();
      this.#known.set(stretch, pieces);
    }
    for (const { before, words, isCjk } of pieces) {
      for (let i = 0; i < before.length; i++) this.#separate(sortOfPiece(before[i] as string), before.charCodeAt(i));
      const gap = words.length > 0 ? this.#gap() : NO_PLACE;
      words.forEach((term, i) => {
        const isPlaced = i === 0 || (isCjk && i < words.length - 1);
        this.push(this.#table.addText(term), !isPlaced ? NO_PLACE : i === 0 ? gap : GAP_NOTHING);
      });
    }
    return to;
  }
}

/** One run of a stretch and what stands before it. */
interface Piece {
  readonly before: string;
  readonly words: readonly string[];
  readonly isCjk: boolean;
}

/** The same words come again and again. */
const REMEMBERED = 20_000;

/** `size`: without the sign behind it. */
function piecesOf(stretch: string, size: number): Piece[] {
  const pieces: Piece[] = [];
  let done = 0;
  for (const { run, start, isCjk } of runsIn(stretch.slice(0, size))) {
    const before = stretch.slice(done, start);
    done = start + run.length;
    const sign = isCjk || done < size ? '' : stretch.slice(size);
    pieces.push({ before, words: wordsIn(run + sign).map(({ term }) => term), isCjk });
  }
  if (done < size) pieces.push({ before: stretch.slice(done, size), words: [], isCjk: false });
  return pieces;
}

const sortOfPiece = (char: string): number => (/\s/.test(char) ? SPACE : APART);

const PLUS = 0x2b;
const HASH = 0x23;

const isBound = (bounds: Uint8Array, parts: number, at: number): boolean => parts === 0 || bounds[parts - 1] !== at;
