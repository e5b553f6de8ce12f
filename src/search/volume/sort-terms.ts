import { inPieces } from './in-pieces.ts';
import type { TermTable } from './term-table.ts';

/**
 * Puts numbers of terms in the order of their texts. The first bytes of a term and its number make one number, and numbers
 * are sorted many times as fast as texts; terms that agree so far are compared whole.
 */
export function sortTerms(terms: Uint32Array, table: TermTable): void {
  const keys = new BigUint64Array(terms.length);
  const halves = new Uint32Array(keys.buffer);
  const { bytes, starts } = table;
  const sorted: Sorted = { terms, halves, bytes, starts, view: new DataView(bytes.buffer), from: 0 };
  inPieces(sorted, terms.length, makeKeys);
  keys.sort();
  inPieces(sorted, terms.length, readKeys);
  looked = sorted;
  inPieces(sorted, terms.length, sortAlike);
  sortFrom(sorted, terms.length);
  looked = null;
}

interface Sorted {
  readonly terms: Uint32Array;
  /** Of the keys. */
  readonly halves: Uint32Array;
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  readonly view: DataView;
  /** Where terms begin that agree so far. */
  from: number;
}

function makeKeys({ terms, halves, bytes, starts }: Sorted, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    const term = terms[i] as number;
    const end = starts[term + 1] as number;
    let at = starts[term] as number;
    let high = 0;
    let rank = -1;
    for (let n = 0; n < HIGH_BYTES; n++) {
      rank = IS_LAST[rank] === 1 ? 0 : at < end ? rankOf(bytes[at++] as number) : 0;
      high = high * RANK_COUNT + rank;
    }
    rank = IS_LAST[rank] === 1 || at >= end ? 0 : rankOf(bytes[at] as number);
    halves[2 * i + LOW] = (rank << TERM_BITS) | term;
    halves[2 * i + HIGH] = high;
  }
}

function readKeys({ terms, halves }: Sorted, from: number, to: number): void {
  for (let i = from; i < to; i++) terms[i] = (halves[2 * i + LOW] as number) & TERM_MASK;
}

function sortAlike(sorted: Sorted, from: number, to: number): void {
  const { halves } = sorted;
  for (let i = from; i < to; i++) {
    const first = sorted.from;
    const isAlike =
      halves[2 * first + HIGH] === halves[2 * i + HIGH] &&
      (halves[2 * first + LOW] as number) >>> TERM_BITS === (halves[2 * i + LOW] as number) >>> TERM_BITS;
    if (!isAlike) sortFrom(sorted, i);
  }
}

/** Those that agree so far, up to a place; those behind begin there. */
function sortFrom(sorted: Sorted, to: number): void {
  const { terms, from } = sorted;
  if (to - from > 1) terms.subarray(from, to).sort(byText);
  sorted.from = to;
}

/** Where `byText` looks: one that is made for each sorting would be compiled for each. */
let looked: Pick<Sorted, 'view' | 'starts'> | null = null;

const byText = (a: number, b: number): number => (looked ? compare(a, b, looked.view, looked.starts) : 0);

/** The texts of two terms, as JavaScript compares them: by units of text. Many are paths, which begin alike for long. */
function compare(a: number, b: number, view: DataView, starts: Uint32Array): number {
  const atA = starts[a] as number;
  const atB = starts[b] as number;
  const lengthA = (starts[a + 1] as number) - atA;
  const lengthB = (starts[b + 1] as number) - atB;
  const end = Math.min(lengthA, lengthB);
  let i = 0;
  while (i + 4 <= end && view.getInt32(atA + i) === view.getInt32(atB + i)) i += 4;
  while (i < end && view.getUint8(atA + i) === view.getUint8(atB + i)) i++;
  return i === end ? lengthA - lengthB : orderOf(view.getUint8(atA + i)) - orderOf(view.getUint8(atB + i));
}

/** Characters beyond U+FFFF begin with larger bytes, and with smaller units of text, than some before them. */
const orderOf = (byte: number): number => (byte === 0xee || byte === 0xef ? byte + 0x10 : byte);

const TERM_BITS = 24;
const TERM_MASK = 0xffffff;
/** So many ranks fit into 32 bits; one more stands beside the number of the term. */
const HIGH_BYTES = 6;
const LOW = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? 0 : 1;
const HIGH = 1 - LOW;

/** Each digit and small letter has a rank of its own, and the end of a term is 0; what lies before, between and behind them shares one. */
const RANK_COUNT = 40;
const [BEFORE, ZERO, BETWEEN, SMALL_A, BEHIND] = [1, 2, 12, 13, 39];
const RANKS = new Uint8Array(0x100).fill(BEHIND).fill(BEFORE, 0, 0x30).fill(BETWEEN, 0x3a, 0x61);
for (let i = 0; i < 10; i++) RANKS[0x30 + i] = ZERO + i;
for (let i = 0; i < 26; i++) RANKS[0x61 + i] = SMALL_A + i;
/** What comes after a shared rank has no order. */
const IS_LAST = new Uint8Array(RANK_COUNT);
for (const rank of [0, BEFORE, BETWEEN, BEHIND]) IS_LAST[rank] = 1;

const rankOf = (byte: number): number => RANKS[byte] as number;
