/** A set of documents of a volume: one bit each, 32 to a number. */
export type Bits = Uint32Array;

export function allBits(size: number): Bits {
  const bits = new Uint32Array(wordsFor(size)).fill(0xffffffff);
  if (size & 31) bits[bits.length - 1] = (1 << (size & 31)) - 1;
  return bits;
}

export function setBit(bits: Bits, doc: number): void {
  bits[doc >>> 5] = (bits[doc >>> 5] as number) | (1 << (doc & 31));
}

export function clearBit(bits: Bits, doc: number): void {
  bits[doc >>> 5] = (bits[doc >>> 5] as number) & ~(1 << (doc & 31));
}

/** What follows changes its first set. */
export function keepBits(bits: Bits, others: Bits): Bits {
  for (let i = 0; i < bits.length; i++) bits[i] = (bits[i] as number) & (others[i] as number);
  return bits;
}

export function addBits(bits: Bits, others: Bits): Bits {
  for (let i = 0; i < bits.length; i++) bits[i] = (bits[i] as number) | (others[i] as number);
  return bits;
}

export function dropBits(bits: Bits, others: Bits): Bits {
  for (let i = 0; i < bits.length; i++) bits[i] = (bits[i] as number) & ~(others[i] as number);
  return bits;
}

export function isEmpty(bits: Bits): boolean {
  for (let i = 0; i < bits.length; i++) if (bits[i] !== 0) return false;
  return true;
}

export function countBits(bits: Bits): number {
  let count = 0;
  for (let i = 0; i < bits.length; i++) {
    let word = bits[i] as number;
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    count += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}

const wordsFor = (size: number): number => (size + 31) >>> 5;

/** Numbers for a while: a query takes thousands of sets, and making and collecting them would take longer than what is done with them. */
export class Scratch {
  #numbers = new Uint32Array(1 << 16);
  #used = 0;

  /** No document. */
  bits(size: number): Bits {
    return this.numbers(wordsFor(size));
  }

  /** So many zeros. */
  numbers(length: number): Uint32Array {
    if (this.#used + length > this.#numbers.length) {
      this.#numbers = new Uint32Array(Math.max(this.#numbers.length * 2, length));
      this.#used = 0;
    }
    this.#used += length;
    return this.#numbers.subarray(this.#used - length, this.#used).fill(0);
  }

  /** What was taken is not used any more. */
  clear(): void {
    this.#used = 0;
  }
}

export function eachBit(bits: Bits, see: (doc: number) => void): void {
  for (let i = 0; i < bits.length; i++)
    for (let word = bits[i] as number; word !== 0; word &= word - 1) see((i << 5) + 31 - Math.clz32(word & -word));
}

/** The documents of a set, in order. */
export function docsIn(bits: Bits, scratch: Scratch): Uint32Array {
  const docs = scratch.numbers(countBits(bits));
  let count = 0;
  for (let i = 0; i < bits.length; i++)
    for (let word = bits[i] as number; word !== 0; word &= word - 1)
      docs[count++] = (i << 5) + 31 - Math.clz32(word & -word);
  return docs;
}
