/** Bytes that grow. Numbers are written seven bits to a byte, the lowest first. */
export class ByteWriter {
  bytes = new Uint8Array(FIRST);
  length = 0;

  number(value: number): void {
    this.reserve(8);
    let left = value;
    while (left > 127) {
      this.bytes[this.length++] = (left & 127) | 128;
      left = left < 0x80000000 ? left >>> 7 : Math.floor(left / 128);
    }
    this.bytes[this.length++] = left;
  }

  append(bytes: Uint8Array, from: number, to: number): void {
    this.reserve(to - from);
    // Most are a few: a loop is done before a view would be made.
    if (to - from > FEW) this.bytes.set(bytes.subarray(from, to), this.length);
    else for (let i = from; i < to; i++) this.bytes[this.length + i - from] = bytes[i] as number;
    this.length += to - from;
  }

  /** A copy; what comes next begins anew. Much room is given back: it is seldom needed. */
  take(): Uint8Array {
    const taken = this.bytes.slice(0, this.length);
    this.length = 0;
    if (this.bytes.length > MOST_KEPT) this.bytes = new Uint8Array(FIRST);
    return taken;
  }

  /** There is room for so many more. */
  reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    this.bytes = grown(this.bytes, Math.max(this.bytes.length * 2, this.length + more));
  }
}

const FIRST = 1 << 12;
const MOST_KEPT = 1 << 20;
const FEW = 64;

export class ByteReader {
  at: number;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  number(): number {
    let byte = this.#bytes[this.at++] as number;
    if (byte < 128) return byte;
    let value = byte & 127;
    for (let scale = 128; ; scale *= 128) {
      byte = this.#bytes[this.at++] as number;
      value += (byte & 127) * scale;
      if (!(byte & 128)) return value;
    }
  }

  take(length: number): Uint8Array {
    this.at += length;
    return this.#bytes.subarray(this.at - length, this.at);
  }
}

export function grown<Numbers extends Uint8Array | Uint32Array | Int32Array | Float64Array | BigInt64Array>(
  numbers: Numbers,
  length: number,
): Numbers {
  const longer = new (numbers.constructor as new (length: number) => Numbers)(length);
  longer.set(numbers as never);
  return longer;
}
