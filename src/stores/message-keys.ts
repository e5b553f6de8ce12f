import type { Key } from '../model/index.ts';

/**
 * Keys of rows: 64 bits of the tree, the record and which of its messages is meant. A session is not part of it, so that two sessions
 * that turn out to be one keep their rows.
 */
export class MessageKeys {
  readonly #seed: readonly [number, number];

  constructor(tree: string) {
    this.#seed = hash(tree, 0x9e3779b9, 0x85ebca6b);
  }

  record(id: Key): bigint {
    return this.#of(id, 0);
  }

  toolUse(record: Key, i: number): bigint {
    return this.#of(record, 1 + 3 * i);
  }

  toolResult(record: Key, i: number): bigint {
    return this.#of(record, 2 + 3 * i);
  }

  /** A result whose call is unknown. */
  strayResult(record: Key, i: number): bigint {
    return this.#of(record, 3 + 3 * i);
  }

  #of(record: Key, part: number): bigint {
    const [a, b] = hash(
      record,
      this.#seed[0] + Math.imul(part, 0x2545f491),
      this.#seed[1] ^ Math.imul(part, 0x27d4eb2f),
    );
    return joined(a, b);
  }
}

/** 64 bits of any text. */
export function hashText(text: string): bigint {
  return joined(...hash(text, 0x9e3779b9, 0x85ebca6b));
}

const words = new Int32Array(2);
const whole = new BigInt64Array(words.buffer);

function joined(a: number, b: number): bigint {
  words[0] = a;
  words[1] = b;
  return whole[0] as bigint;
}

/** cyrb53 without its last step, which drops 11 bits. */
function hash(text: string, seedA: number, seedB: number): [number, number] {
  let a = 0xdeadbeef ^ seedA;
  let b = 0x41c6ce57 ^ seedB;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x9e3779b1);
    b = Math.imul(b ^ code, 0x5f356495);
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
  b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
  return [a, b];
}
