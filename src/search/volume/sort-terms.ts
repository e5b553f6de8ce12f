import type { TermTable } from './term-table.ts';

/**
 * Puts numbers of terms in the order of their texts. The first bytes of a term and its number make one number, and numbers
 * are sorted many times as fast as texts; terms that agree so far are compared whole.
 */
export function sortTerms(terms: Uint32Array, table: TermTable): void {
  const keys = new BigUint64Array(terms.length);
  const halves = new Uint32Array(keys.buffer);
  const { bytes, starts } = table;
  for (let i = 0; i < terms.length; i++) {
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
  keys.sort();
  for (let i = 0; i < terms.length; i++) terms[i] = (halves[2 * i + LOW] as number) & TERM_MASK;
  const isAlike = (a: number, b: number): boolean =>
    halves[2 * a + HIGH] === halves[2 * b + HIGH] &&
    (halves[2 * a + LOW] as number) >>> TERM_BITS === (halves[2 * b + LOW] as number) >>> TERM_BITS;
  const view = new DataView(bytes.buffer);
  for (let from = 0, to = 1; to <= terms.length; to++) {
    if (to < terms.length && isAlike(from, to)) continue;
    if (to - from > 1) terms.subarray(from, to).sort((a, b) => compare(a, b, view, starts));
    from = to;
  }
}

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
