/** Seeded random numbers (sfc32): the same seed gives the same corpus on every machine. */
export class Random {
  #a = 0;
  #b = 0;
  #c = 0;
  #d = 1;

  constructor(seed: string) {
    let hash = 0x811c9dc5;
    for (let i = 0; i < seed.length; i++) hash = Math.imul(hash ^ seed.charCodeAt(i), 0x01000193);
    this.#a = hash;
    this.#b = Math.imul(hash ^ 0x9e3779b9, 0x85ebca6b);
    this.#c = Math.imul(hash ^ 0x7f4a7c15, 0xc2b2ae35);
    for (let i = 0; i < 12; i++) this.#step();
  }

  #step(): number {
    const sum = (this.#a + this.#b + this.#d) | 0;
    this.#d = (this.#d + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return sum >>> 0;
  }

  /** From 0 up to, but without, 1. */
  next(): number {
    return this.#step() / 4294967296;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  between(from: number, to: number): number {
    return from + this.below(to - from + 1);
  }

  chance(of: number): boolean {
    return this.next() < of;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** Log-normal around a median: most values near it, a few many times as large. */
  around(median: number, spread: number): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.next()));
    return median * Math.exp(spread * radius * Math.cos(2 * Math.PI * this.next()));
  }

  shuffle<T>(list: T[]): T[] {
    for (let i = list.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [list[i], list[j]] = [list[j] as T, list[i] as T];
    }
    return list;
  }

  hex(digits: number): string {
    let text = '';
    while (text.length < digits) text += this.#step().toString(16).padStart(8, '0');
    return text.slice(0, digits);
  }

  uuid(): string {
    const hex = this.hex(31);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(12, 15)}-${'89ab'[this.below(4)]}${hex.slice(15, 18)}-${hex.slice(18, 30)}`;
  }

  /** `msg_01…`, `toolu_01…`, `req_01…` */
  id(prefix: string): string {
    let text = `${prefix}_01`;
    while (text.length < prefix.length + 25) text += this.#step().toString(36);
    return text.slice(0, prefix.length + 25);
  }

  base64(bytes: number): string {
    const words = new Int32Array(Math.ceil(bytes / 4));
    for (let i = 0; i < words.length; i++) words[i] = this.#step();
    return Buffer.from(words.buffer, 0, bytes).toString('base64');
  }
}
