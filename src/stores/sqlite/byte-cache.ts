/** What was read and may be asked for again, up to so many bytes; what was not asked for longest goes first. */
export class ByteCache {
  readonly #most: number;
  readonly #kept = new Map<number, Uint8Array>();
  #bytes = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get(key: number, read: () => Uint8Array): Uint8Array {
    const known = this.#kept.get(key);
    // A map tells its keys in the order they came in.
    if (known) this.#kept.delete(key);
    const bytes = known ?? read();
    this.#kept.set(key, bytes);
    if (!known) this.#grow(bytes.byteLength);
    return bytes;
  }

  #grow(bytes: number): void {
    this.#bytes += bytes;
    for (const [key, { byteLength }] of this.#kept) {
      if (this.#bytes <= this.#most) return;
      this.#kept.delete(key);
      this.#bytes -= byteLength;
    }
  }
}
