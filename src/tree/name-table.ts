/**
 * Which number first claimed a name, for very many names: a name takes 24 bytes and is not kept. Two names are taken for one where 64 bits of
 * them are equal, so it is only for those who may be wrong about that.
 */
export class NameTable {
  #count = 0;
  /** Open addressing: of each place two hashes and the number that claimed it, counted from 1. */
  #places = new Int32Array(WIDTH * FIRST_ROOM);

  /** The number that claimed the name first: this one, if nobody did. */
  claim(name: string, number: number): number {
    const [first, second] = hashOf(name);
    const places = this.#places;
    const at = placeOf(places, first, second);
    const claimed = places[at + 2] as number;
    if (claimed > 0) return claimed - 1;
    places[at] = first;
    places[at + 1] = second;
    places[at + 2] = number + 1;
    if (++this.#count * 2 * WIDTH > places.length) this.#grow();
    return number;
  }

  #grow(): void {
    const before = this.#places;
    const places = new Int32Array(2 * before.length);
    for (let from = 0; from < before.length; from += WIDTH) {
      if (before[from + 2] === 0) continue;
      const at = placeOf(places, before[from] as number, before[from + 1] as number);
      for (let i = 0; i < WIDTH; i++) places[at + i] = before[from + i] as number;
    }
    this.#places = places;
  }
}

const WIDTH = 3;
const FIRST_ROOM = 4096;

/** That of a name, or a free one. */
function placeOf(places: Int32Array, first: number, second: number): number {
  const mask = places.length / WIDTH - 1;
  for (let i = first & mask; ; i = (i + 1) & mask) {
    const at = WIDTH * i;
    if (places[at + 2] === 0 || (places[at] === first && places[at + 1] === second)) return at;
  }
}

/** Others in each run: nobody can write a log of names that all meet. */
const SEEDS = [0, 1].map(() => Math.floor(Math.random() * 2 ** 32)) as [number, number];
const hashes: [number, number] = [0, 0];

function hashOf(name: string): readonly [number, number] {
  let [a, b] = SEEDS;
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i);
    a = Math.imul(a ^ code, 0x9e3779b1);
    b = Math.imul(b ^ code, 0x5f356495);
  }
  hashes[0] = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ (b >>> 13);
  hashes[1] = Math.imul(b ^ (b >>> 16), 0xc2b2ae35) ^ (a >>> 13);
  return hashes;
}
