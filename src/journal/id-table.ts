import { randomInt } from 'node:crypto';

/**
 * Places by id. Nearly all ids are eight hexadecimal digits, and these are kept as numbers: a map of 100,000 texts takes several times as
 * long to fill. Any other id is kept in a map.
 */
export class IdTable {
  readonly #others = new Map<string, number>();
  #keys: Int32Array;
  /** One more than the place; 0: free. */
  #values: Int32Array;
  #shift: number;
  #count = 0;

  constructor(expected = 0) {
    const bits = Math.max(4, Math.ceil(Math.log2(expected * 2 + 1)));
    this.#keys = new Int32Array(2 ** bits);
    this.#values = new Int32Array(2 ** bits);
    this.#shift = 32 - bits;
  }

  has(id: string): boolean {
    return this.get(id) >= 0;
  }

  /** -1 if nobody has this id. */
  get(id: string): number {
    const key = numberOf(id);
    return key === -1 ? (this.#others.get(id) ?? -1) : this.getNumber(key);
  }

  /** The same for an id that was read as a number. */
  getNumber(key: number): number {
    return (this.#values[this.#slotOf(key)] ?? 0) - 1;
  }

  /** Says whether the id is new; otherwise it now has this place. */
  set(id: string, place: number): boolean {
    const key = numberOf(id);
    if (key === -1) {
      const isNew = !this.#others.has(id);
      this.#others.set(id, place);
      return isNew;
    }
    return this.setNumber(key, place);
  }

  setNumber(key: number, place: number): boolean {
    const slot = this.#slotOf(key);
    const isNew = this.#values[slot] === 0;
    this.#keys[slot] = key;
    this.#values[slot] = place + 1;
    if (isNew && ++this.#count * 2 > this.#keys.length) this.#grow();
    return isNew;
  }

  /** Where the key is, or would be. */
  #slotOf(key: number): number {
    const mask = this.#keys.length - 1;
    let slot = Math.imul(key, FACTOR) >>> this.#shift;
    while (this.#values[slot] !== 0 && this.#keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const [keys, values] = [this.#keys, this.#values];
    this.#keys = new Int32Array(keys.length * 2);
    this.#values = new Int32Array(keys.length * 2);
    this.#shift--;
    for (let at = 0; at < keys.length; at++) {
      const value = values[at] ?? 0;
      if (value === 0) continue;
      const key = keys[at] ?? 0;
      const slot = this.#slotOf(key);
      this.#keys[slot] = key;
      this.#values[slot] = value;
    }
  }
}

/** Nobody can choose ids that all fall on one slot. */
const FACTOR = randomInt(2 ** 31) * 2 + 1;

/** -1: not eight digits as they are usually written. */
function numberOf(id: string): number {
  if (typeof id !== 'string' || id.length !== 8) return -1;
  let number = 0;
  for (let at = 0; at < 8; at++) {
    const code = id.charCodeAt(at);
    const digit = code < 58 ? code - 48 : code > 96 ? code - 87 : -1;
    if (digit < 0 || digit > 15) return -1;
    number = (number << 4) | digit;
  }
  return number;
}
