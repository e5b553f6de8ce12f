/** A set of documents of a volume: one bit each, 32 to a number. */
export type Bits = Uint32Array;

export const noBits = (size: number): Bits => new Uint32Array((size + 31) >>> 5);

export function allBits(size: number): Bits {
  const bits = noBits(size).fill(0xffffffff);
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

/** The documents of a set, in order. */
export function docsIn(bits: Bits): Uint32Array {
  const docs = new Uint32Array(countBits(bits));
  let count = 0;
  for (let i = 0; i < bits.length; i++)
    for (let word = bits[i] as number; word !== 0; word &= word - 1)
      docs[count++] = (i << 5) + 31 - Math.clz32(word & -word);
  return docs;
}
