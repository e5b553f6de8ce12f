/**
 * What belongs to each id, in the order they came; each knows its own id. For very many ids it takes half the time of a `Map`, which looks at another string
 * somewhere in memory wherever two ids meet in it. Here the hashes lie side by side, and a string is looked at when it is the right one.
 */
export class IdTable<T extends { readonly key: string }> {
  readonly #values: (T | undefined)[] = [];
  #hashes = new Int32Array(FIRST_ROOM);
  /** Open addressing: where in the lists an id stands, counted from 1; at least half of them are free. */
  #places = new Int32Array(2 * FIRST_ROOM);
  #deleted = 0;
  /** Who adds an id has asked for it before. */
  #asked = '';
  #hash = hashOf('');

  get size(): number {
    return this.#values.length - this.#deleted;
  }

  get(id: string): T | undefined {
    const at = this.#find(id);
    return at < 0 ? undefined : this.#values[at];
  }

  /** An id that is not there. */
  add(value: T): void {
    const at = this.#values.length;
    if (at === this.#hashes.length) this.#grow();
    this.#values.push(value);
    const hash = this.#hashOf(value.key);
    this.#hashes[at] = hash;
    this.#put(hash, at);
  }

  delete(id: string): void {
    const at = this.#find(id);
    if (at < 0) return;
    this.#values[at] = undefined;
    this.#deleted++;
  }

  *values(): Generator<T> {
    for (const value of this.#values) if (value !== undefined) yield value;
  }

  #find(id: string): number {
    const hash = this.#hashOf(id);
    const places = this.#places;
    const mask = places.length - 1;
    for (let i = hash & mask; ; i = (i + 1) & mask) {
      const at = (places[i] as number) - 1;
      if (at < 0 || (this.#hashes[at] === hash && this.#values[at]?.key === id)) return at;
    }
  }

  #hashOf(id: string): number {
    if (this.#asked !== id) {
      this.#asked = id;
      this.#hash = hashOf(id);
    }
    return this.#hash;
  }

  #put(hash: number, at: number): void {
    const places = this.#places;
    const mask = places.length - 1;
    let i = hash & mask;
    while (places[i] !== 0) i = (i + 1) & mask;
    places[i] = at + 1;
  }

  #grow(): void {
    const hashes = new Int32Array(2 * this.#hashes.length);
    hashes.set(this.#hashes);
    this.#hashes = hashes;
    this.#places = new Int32Array(2 * this.#places.length);
    for (let at = 0; at < this.#values.length; at++) this.#put(hashes[at] as number, at);
  }
}

const FIRST_ROOM = 64;

/** Another one in each run: nobody can write a log of ids that all meet. */
const SEED = Math.floor(Math.random() * 2 ** 32);

/** Two characters at a time. */
function hashOf(id: string): number {
  const even = id.length & ~1;
  let hash = SEED ^ id.length;
  for (let i = 0; i < even; i += 2) hash = mix(hash, id.charCodeAt(i) | (id.charCodeAt(i + 1) << 16));
  if (even < id.length) hash = mix(hash, id.charCodeAt(even));
  return hash ^ (hash >>> 15);
}

const mix = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193) ^ (hash >>> 15);
