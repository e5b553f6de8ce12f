/** What was read and is likely to be asked for again, up to so many bytes. */
export class ByteCache {
  readonly #most: number;
  readonly #kept = new Map<number, Uint8Array>();
  #bytes = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** What was not asked for longest makes room. */
  get(key: number, read: () => Uint8Array): Uint8Array {
    const known = this.#kept.get(key);
    // A map tells its keys in the order they came in.
    if (known) this.#kept.delete(key);
    const bytes = known ?? read();
    this.#kept.set(key, bytes);
    if (known) return bytes;
    this.#bytes += bytes.byteLength;
    for (const [oldest, { byteLength }] of this.#kept) {
      if (this.#bytes <= this.#most) break;
      this.#kept.delete(oldest);
      this.#bytes -= byteLength;
    }
    return bytes;
  }

  /** What came first stays: of what is always gone through from its beginning to its end, nothing else would be found again. */
  getInTurn(key: number, read: () => Uint8Array): Uint8Array {
    const known = this.#kept.get(key);
    if (known) return known;
    const bytes = read();
    if (this.#bytes + bytes.byteLength <= this.#most) {
      this.#kept.set(key, bytes);
      this.#bytes += bytes.byteLength;
    }
    return bytes;
  }

  dropUnless(isNeeded: (key: number) => boolean): void {
    for (const [key, { byteLength }] of this.#kept) {
      if (isNeeded(key)) continue;
      this.#kept.delete(key);
      this.#bytes -= byteLength;
    }
  }
}
