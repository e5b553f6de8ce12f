import { ByteWriter, grown } from './bytes.ts';
import { inPieces } from './in-pieces.ts';
import { AT_ONCE, HIGH_BYTES, LOW_BYTES } from './mask-bytes.ts';
import { PIECE, TextBytes, textIn } from './text-bytes.ts';

/**
 * The terms of a volume under construction: each once, numbered as they come. They are told apart by more than 50 bits of a hash: comparing
 * the text itself would fetch it from far memory for every word of a log, and two words that agree are not seen in a thousand lives.
 */
export class TermTable {
  size = 0;
  /** The texts of the terms have so many bytes. */
  get byteCount(): number {
    return this.size === 0 ? 0 : (this.starts[this.size] as number);
  }

  /** `FACTS` numbers of each term: its hash, and those of who uses the table, 0 for a new term. One term's lie side by side in memory. */
  facts = new Int32Array(FACTS << 13);
  /**
   * The second half of the hash; then the number of the term and one, and above it what fits of the first half; 0: free. Where a slot
   * lies tells the rest of it. Small ones stay near the processor.
   */
  #slots = new Int32Array(FIRST_SLOTS);
  /** Of the runs that were looked for. */
  #hashes = new Int32Array(0);
  /** Where the bytes of a term begin; those of the next one end it. */
  starts = new Uint32Array((1 << 13) + 1);
  bytes = new Uint8Array(1 << 16);

  /** The number of the term that stands between two places; `bits` are set in each byte. */
  add({ bytes, view }: Pick<TextBytes, 'bytes' | 'view'>, from: number, to: number, bits = 0): number {
    let a = START;
    let b = START_TOO;
    for (let at = from; ; at += AT_ONCE) {
      const left = to - at;
      const size = left < AT_ONCE ? left : AT_ONCE;
      a = Math.imul(a ^ ((view.getInt32(at, true) | bits) & (LOW_BYTES[size] as number)), FACTOR);
      a ^= a >>> 16;
      b = Math.imul(b ^ a ^ ((view.getInt32(at + 4, true) | bits) & (HIGH_BYTES[size] as number)), FACTOR_TOO);
      b ^= b >>> 15;
      a = Math.imul(a ^ b, FACTOR_TOO);
      if (left <= AT_ONCE) break;
    }
    a ^= a >>> 14;
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = (a << SLOT_BITS) & mask; ; slot = (slot + SLOT) & mask) {
      const entry = slots[slot + 1] as number;
      if (entry === 0) return this.#insert(bytes, from, to, bits, a, b, slot);
      if (slots[slot] === b && (entry ^ a) >>> TERM_BITS === 0) return (entry & TERM_MASK) - 1;
    }
  }

  /**
   * The terms of runs of letters and digits of ASCII, made small: `terms` becomes their numbers, with `HAS_CAPITALS` where a letter behind
   * the first is a capital, or `NOT_FOUND`: new ones, long ones and those that are not where they are looked for first.
   */
  find(view: DataView, runs: Uint32Array, count: number, terms: Int32Array): void {
    if (count > this.#hashes.length) this.#hashes = new Int32Array(Math.max(count, 2 * PIECE));
    const hashes = this.#hashes;
    hashRuns(view, runs, count, hashes, terms);
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let i = 0; i < count; i += 2) {
      const a = hashes[i] as number;
      const slot = (a << SLOT_BITS) & mask;
      const entry = slots[slot + 1] as number;
      const differs = ((slots[slot] as number) ^ (hashes[i + 1] as number)) | ((entry ^ a) >>> TERM_BITS);
      const term = ((entry & TERM_MASK) - 1) | (terms[i >> 1] as number);
      terms[i >> 1] = differs === 0 ? term : NOT_FOUND;
    }
  }

  addText(text: string): number {
    const bytes = textBytes(text);
    return this.add(bytes, 0, bytes.end);
  }

  text(term: number): string {
    return textIn(this.bytes, this.starts[term] as number, this.starts[term + 1] as number);
  }

  /** The same for the same text in every table. */
  hash(term: number): number {
    return this.facts[FACTS * term] as number;
  }

  /** Forgets all facts beside the hash, and when there are many terms, all but those that `codes` name: there they get new numbers. */
  forget(codes: Uint32Array, length: number): void {
    if (length > 0 && this.size < MANY) inPieces(this.facts, this.size, forgetPlaces);
    else this.#keep(codes, length);
  }

  #keep(codes: Uint32Array, length: number): void {
    const numbers = new Int32Array(length > 0 ? this.size : 0);
    const texts = new ByteWriter();
    const ends: number[] = [];
    for (let i = 0; i < length; i++) {
      const code = codes[i] as number;
      const term = code & TERM_MASK;
      if (numbers[term] === 0) {
        texts.append(this.bytes, this.starts[term] as number, this.starts[term + 1] as number);
        numbers[term] = ends.push(texts.length);
      }
      codes[i] = (code & ~TERM_MASK) | ((numbers[term] as number) - 1);
    }
    this.#reset();
    texts.reserve(AT_ONCE);
    const kept = { bytes: texts.bytes, view: new DataView(texts.bytes.buffer) };
    ends.forEach((end, i) => void this.add(kept, ends[i - 1] ?? 0, end));
  }

  #insert(bytes: Uint8Array, from: number, to: number, bits: number, a: number, b: number, slot: number): number {
    const term = this.#append(bytes, from, to, bits, a);
    this.#put(slot, a, b, term);
    if (this.#isCrowded) this.#grow();
    return term;
  }

  #append(bytes: Uint8Array, from: number, to: number, bits: number, hash: number): number {
    const term = this.size++;
    if (term + 1 >= this.starts.length) this.starts = grown(this.starts, this.starts.length * 2);
    const start = this.starts[term] as number;
    while (start + to - from > this.bytes.length) this.bytes = grown(this.bytes, this.bytes.length * 2);
    for (let i = from; i < to; i++) this.bytes[start + i - from] = (bytes[i] as number) | bits;
    this.starts[term + 1] = start + to - from;
    if (FACTS * term === this.facts.length) this.facts = grown(this.facts, this.facts.length * 2);
    this.facts[FACTS * term] = hash;
    this.facts[FACTS * term + PLACE] = 0;
    return term;
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Int32Array(before.length * 2);
    const mask = this.#slots.length - 1;
    for (let from = 0; from < before.length; from += SLOT) {
      const term = ((before[from + 1] as number) & TERM_MASK) - 1;
      if (term < 0) continue;
      const a = this.hash(term);
      let slot = (a << SLOT_BITS) & mask;
      while (this.#slots[slot + 1] !== 0) slot = (slot + SLOT) & mask;
      this.#put(slot, a, before[from] as number, term);
    }
  }

  #put(slot: number, a: number, b: number, term: number): void {
    this.#slots[slot] = b;
    this.#slots[slot + 1] = (a & ~TERM_MASK) | (term + 1);
  }

  get #isCrowded(): boolean {
    return this.size * SLOT * 1.6 > this.#slots.length;
  }

  /** After many terms as many are likely to come: making room for them anew takes longer than to clear it. The first room is kept too. */
  #reset(): void {
    const isFirst = this.#slots.length === FIRST_SLOTS && this.bytes.length <= MOST_BYTES;
    const isLarge = this.size > LARGE;
    this.size = 0;
    if (this.#hashes.length > 2 * PIECE) this.#hashes = new Int32Array(0);
    if (isLarge || isFirst) {
      this.#slots.fill(0);
      return;
    }
    this.facts = new Int32Array(FACTS << 13);
    this.#slots = new Int32Array(FIRST_SLOTS);
    this.starts = new Uint32Array((1 << 13) + 1);
    this.bytes = new Uint8Array(1 << 16);
  }
}

/**
 * The halves of the hash of each run go into `hashes`, and 0, `HAS_CAPITALS` or `NOT_FOUND` into `flags`. Short loops with neither a call
 * nor a loop inside are compiled to a third of the instructions, and the processor works at several runs at once.
 */
function hashRuns(view: DataView, runs: Uint32Array, count: number, hashes: Int32Array, flags: Int32Array): void {
  const lowBytes = LOW_BYTES;
  const highBytes = HIGH_BYTES;
  for (let i = 0; i < count; i += 2) {
    const from = runs[i] as number;
    const size = (runs[i + 1] as number) - from;
    const counted = size > AT_ONCE ? AT_ONCE + 1 : size;
    const lowMask = lowBytes[counted] as number;
    const highMask = highBytes[counted] as number;
    const low = view.getInt32(from, true) & lowMask;
    const high = view.getInt32(from + 4, true) & highMask;
    const smallLow = (low | SMALL) & lowMask;
    const smallHigh = (high | SMALL) & highMask;
    const capitals = ((low ^ smallLow) & ~0xff) | (high ^ smallHigh);
    let a = Math.imul(START ^ smallLow, FACTOR);
    a ^= a >>> 16;
    let b = Math.imul(START_TOO ^ a ^ smallHigh, FACTOR_TOO);
    b ^= b >>> 15;
    a = Math.imul(a ^ b, FACTOR_TOO);
    hashes[i] = a ^ (a >>> 14);
    hashes[i + 1] = b;
    flags[i >> 1] = ((AT_ONCE - size) >> 31) | ((0 - capitals) & HAS_CAPITALS) | (capitals & HAS_CAPITALS);
  }
}

/** So many are a burden. */
const MANY = 1 << 17;
const LARGE = 1 << 16;

/** The number of a term in a code. */
const TERM_BITS = 24;
export const TERM_MASK = (1 << TERM_BITS) - 1;

export const NOT_FOUND = -1;
const HAS_CAPITALS = 1 << 31;
/** Makes a letter of ASCII a small one, and leaves digits as they are. */
export const SMALL = 0x20202020;

/** The first is the hash of a term. */
export const FACTS = 2;
/** The second: where the term stands among those of the document that has it last. */
export const PLACE = 1;

const START = 0x811c9dc5 | 0;
const FACTOR = 0x2c1b3c6d;
/** Of the second half. */
const START_TOO = 0x41c6ce57;
const FACTOR_TOO = 0x5f356495;

/** Longer texts come seldom. */
const SHORT = new TextBytes(1 << 7);

function textBytes(text: string): TextBytes {
  const bytes = text.length <= 1 << 7 ? SHORT : new TextBytes(text.length);
  bytes.put(text);
  return bytes;
}

const SLOT_BITS = 1;
const SLOT = 1 << SLOT_BITS;
const FIRST_SLOTS = SLOT << 14;
/** Of the texts of terms that fit into the first slots. */
const MOST_BYTES = 1 << 18;

function forgetPlaces(facts: Int32Array, from: number, to: number): void {
  for (let term = from; term < to; term++) facts[FACTS * term + PLACE] = 0;
}
