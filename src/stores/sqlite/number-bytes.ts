/**
 * Whole numbers from 0 on, of one byte to eight: the first begins with a one for each that follows. They sort as bytes as they sort as
 * numbers, also several of them in a row.
 */
export class NumberWriter {
  #bytes = new Uint8Array(ROOM);
  #from = 0;
  #at = 0;

  /** The next value has at most so many numbers and other bytes. Those before it stay as they are. */
  begin(numbers: number, bytes = 0): void {
    const most = numbers * MOST_BYTES + bytes;
    if (this.#at + most > this.#bytes.length) {
      this.#bytes = new Uint8Array(Math.max(ROOM, most));
      this.#at = 0;
    }
    this.#from = this.#at;
  }

  number(value: number): void {
    let further = 0;
    while (value >= (BELOW[further] as number)) further++;
    let rest = value;
    for (let at = this.#at + further; at > this.#at; at--) {
      this.#bytes[at] = rest;
      rest = Math.floor(rest / 256);
    }
    this.#bytes[this.#at] = rest | (0xff00 >> further);
    this.#at += further + 1;
  }

  /** Small ones take little room on both sides of 0. */
  signed(value: number): void {
    this.number(value < 0 ? -2 * value - 1 : 2 * value);
  }

  bytes(bytes: Uint8Array): void {
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  /** The value that was begun. */
  end(): Uint8Array {
    return this.#bytes.subarray(this.#from, this.#at);
  }
}

export class NumberReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  number(): number {
    const first = this.#bytes[this.#at++] as number;
    const further = Math.clz32(~first << 24);
    let value = first & (0x7f >> further);
    for (let i = 0; i < further; i++) value = value * 256 + (this.#bytes[this.#at++] as number);
    return value;
  }

  signed(): number {
    const value = this.number();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  bytes(count: number): Uint8Array {
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }
}

const ROOM = 64 * 1024;
const MOST_BYTES = 8;

/** What fits into one byte, into two … */
const BELOW = Array.from({ length: MOST_BYTES }, (_, further) => 2 ** (7 * (further + 1)));
