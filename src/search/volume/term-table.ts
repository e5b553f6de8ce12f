/**
 * The terms of a volume under construction: each once, numbered as they come. They are told apart by 64 bits of their text: comparing
 * the text itself would fetch it from far memory for every word of a log, and two words that agree are not seen in a thousand lives.
 */
export class TermTable {
  size = 0;
  /** The texts of the terms have so many units. */
  get unitCount(): number {
    return this.size === 0 ? 0 : (this.starts[this.size] as number);
  }

  /** `FACTS` numbers of each term: its hash, and those of who uses the table, 0 for a new term. One term's lie side by side in memory. */
  facts = new Int32Array(FACTS << 11);
  /** Both halves of the hash, and the number of the term and one; 0: free. */
  #slots = new Int32Array(SLOT << 14);
  /** Where the units of a term begin; those of the next one end it. */
  starts = new Uint32Array((1 << 13) + 1);
  units = new Uint16Array(1 << 16);

  /** The number of the term that `units` holds between two places; `bits` are set in each. */
  add(units: Uint16Array, from: number, to: number, bits = 0): number {
    let a = START;
    let b = START_TOO;
    for (let i = from; i < to; i++) {
      const unit = (units[i] as number) | bits;
      a = Math.imul(a ^ unit, FACTOR);
      b = Math.imul(b ^ unit, FACTOR_TOO);
    }
    return this.addHashed(units, from, to, bits, a, b);
  }

  /** `a` and `b` were reckoned from the units already. */
  addHashed(units: Uint16Array, from: number, to: number, bits: number, a: number, b: number): number {
    const hash = a ^ (a >>> 15);
    const other = b ^ hash ^ (b >>> 13);
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = (hash << SLOT_BITS) & mask; ; slot = (slot + SLOT) & mask) {
      const term = slots[slot + 2] as number;
      if (term === 0) return this.#insert(units, from, to, bits, hash, other, slot);
      if (slots[slot] === hash && slots[slot + 1] === other) return term - 1;
    }
  }

  addText(text: string): number {
    const units = new Uint16Array(text.length);
    for (let i = 0; i < text.length; i++) units[i] = text.charCodeAt(i);
    return this.add(units, 0, units.length);
  }

  text(term: number): string {
    const [from, to] = [this.starts[term] as number, this.starts[term + 1] as number];
    return String.fromCharCode(...this.units.subarray(from, to));
  }

  /** Forgets all facts beside the hash, and when there are many terms, all but those that `codes` name: there they get new numbers. */
  forget(codes: Uint32Array, length: number): void {
    if (length > 0 && this.size < MANY) {
      for (let term = 0; term < this.size; term++) this.facts.fill(0, FACTS * term + 1, FACTS * (term + 1));
    } else this.#keep(codes, length);
  }

  #keep(codes: Uint32Array, length: number): void {
    const before = { slots: this.#slots, starts: this.starts, units: this.units, facts: this.facts };
    const numbers = new Int32Array(length > 0 ? this.size : 0);
    this.#reset();
    for (let i = 0; i < length; i++) {
      const code = codes[i] as number;
      const term = code & TERM_MASK;
      if (numbers[term] === 0) {
        numbers[term] = this.size + 1;
        const [from, to] = [before.starts[term] as number, before.starts[term + 1] as number];
        this.#append(before.units, from, to, 0, before.facts[FACTS * term] as number);
      }
      codes[i] = (code & ~TERM_MASK) | ((numbers[term] as number) - 1);
    }
    while (this.#isCrowded) this.#slots = new Int32Array(this.#slots.length * 2);
    if (length > 0) this.#putAll(before.slots, numbers);
  }

  #insert(units: Uint16Array, from: number, to: number, bits: number, a: number, b: number, slot: number): number {
    const term = this.#append(units, from, to, bits, a);
    this.#put(slot, a, b, term);
    if (this.#isCrowded) {
      const before = this.#slots;
      this.#slots = new Int32Array(before.length * 2);
      this.#putAll(before, null);
    }
    return term;
  }

  #append(units: Uint16Array, from: number, to: number, bits: number, hash: number): number {
    const term = this.size++;
    if (term + 1 >= this.starts.length) this.starts = grown(this.starts, this.starts.length * 2);
    const start = this.starts[term] as number;
    while (start + to - from > this.units.length) this.units = grown(this.units, this.units.length * 2);
    for (let i = from; i < to; i++) this.units[start + i - from] = (units[i] as number) | bits;
    this.starts[term + 1] = start + to - from;
    if (FACTS * term === this.facts.length) this.facts = grown(this.facts, this.facts.length * 2);
    this.facts[FACTS * term] = hash;
    return term;
  }

  /** Slots of before; `numbers`: one more than what each term is now, 0: none. */
  #putAll(before: Int32Array, numbers: Int32Array | null): void {
    const mask = this.#slots.length - 1;
    for (let from = 0; from < before.length; from += SLOT) {
      const known = before[from + 2] as number;
      const term = (known > 0 && numbers ? (numbers[known - 1] as number) : known) - 1;
      if (term < 0) continue;
      const a = before[from] as number;
      let slot = (a << SLOT_BITS) & mask;
      while (this.#slots[slot + 2] !== 0) slot = (slot + SLOT) & mask;
      this.#put(slot, a, before[from + 1] as number, term);
    }
  }

  #put(slot: number, a: number, b: number, term: number): void {
    this.#slots[slot] = a;
    this.#slots[slot + 1] = b;
    this.#slots[slot + 2] = term + 1;
  }

  get #isCrowded(): boolean {
    return this.size * SLOT * 1.6 > this.#slots.length;
  }

  #reset(): void {
    this.size = 0;
    this.facts = new Int32Array(FACTS << 11);
    this.#slots = new Int32Array(SLOT << 14);
    this.starts = new Uint32Array((1 << 13) + 1);
    this.units = new Uint16Array(1 << 16);
  }
}

/** So many are a burden. */
const MANY = 1 << 17;

/** The number of a term in a code. */
export const TERM_MASK = 0xffffff;

/** The first is the hash of a term: the same for the same text in every table. */
export const FACTS = 8;

/** Of a term, without a table. */
export function termHash(text: string): number {
  let hash = START;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), FACTOR);
  return hash ^ (hash >>> 15);
}

export const START = 0x811c9dc5 | 0;
export const FACTOR = 0x01000193;
/** Of the second half. */
export const START_TOO = 0x41c6ce57;
export const FACTOR_TOO = 0x5f356495;

/** One of the four is not used: a slot never lies in two lines of the processor's memory. */
const SLOT_BITS = 2;
const SLOT = 1 << SLOT_BITS;

export function grown<Numbers extends Uint8Array | Uint16Array | Uint32Array | Int32Array>(
  numbers: Numbers,
  length: number,
): Numbers {
  const longer = new (numbers.constructor as new (length: number) => Numbers)(length);
  longer.set(numbers as never);
  return longer;
}
