import type { Key } from '../model/index.ts';

/**
 * Keys of rows: 64 bits of the tree (8), the record (48) and which of its messages is meant (8). Rows of one tree lie together and those
 * of one record beside each other: a key that jumps to another page with every row costs a page written per row. A session is not part
 * of it, so that two sessions that turn out to be one keep their rows.
 */
export class MessageKeys {
  readonly #seed: readonly [number, number];
  readonly #cluster: number;
  /** Keys of one record are asked for one after the other. */
  #record = '';
  #group = -1;
  #hash: readonly [number, number] = [0, 0];

  constructor(tree: string) {
    this.#seed = hash(tree, 0x9e3779b9, 0x85ebca6b);
    this.#cluster = this.#seed[0] & 0xff000000;
  }

  record(id: Key): bigint {
    return this.#of(id, 0);
  }

  /** In the order of their keys: 32 bits, which are nearly always enough. */
  order(record: Key): number {
    const [a, b] = this.#hashOf(record, 0);
    return (a & 0xffffff) * 2 ** 8 + (b >>> 24);
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

  /** A message by its slot: 0 is the record itself, then come three for each call: the call, its result, a result without one. */
  message(record: Key, slot: number): bigint {
    return this.#of(record, slot);
  }

  /** A response that a record tells of beside its own: no message, so it lies elsewhere. */
  furtherUsage(record: Key, i: number): bigint {
    return this.#of(record, FURTHER + i);
  }

  #of(record: Key, part: number): bigint {
    // More than 256 messages of one record lie in several places.
    const [a, b] = this.#hashOf(record, part >> 8);
    return joined((b & ~0xff) | (part & 0xff), this.#cluster | (a & 0xffffff));
  }

  #hashOf(record: Key, group: number): readonly [number, number] {
    if (record !== this.#record || group !== this.#group) {
      this.#record = record;
      this.#group = group;
      this.#hash = hash(record, this.#seed[0] + Math.imul(group, 0x2545f491), this.#seed[1]);
    }
    return this.#hash;
  }
}

/** No record has so many messages. */
const FURTHER = 2 ** 24;

/**
 * Whether the parent of a message follows from its key: a call and a result without one hang on their record, a result on its call. Where a
 * record has more than 256 messages it may not. `halves`: low and high of its key, then of its parent's, from `at` on.
 */
export function parentFollows(halves: Uint32Array, at: number): boolean {
  const low = halves[at] as number;
  const slot = low & 0xff;
  return halves[at + 1] === halves[at + 3] && halves[at + 2] === low - (slot % 3 === 2 ? 1 : slot);
}

/** 64 bits of any text. */
export function hashText(text: string): bigint {
  return joined(...hash(text, 0x9e3779b9, 0x85ebca6b));
}

const words = new Int32Array(2);
const whole = new BigInt64Array(words.buffer);

/** The low half first, as the machines we run on have it. */
function joined(low: number, high: number): bigint {
  words[0] = low;
  words[1] = high;
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
