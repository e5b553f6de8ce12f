/**
 * Shortens one JSON text while it streams by: long strings lose their middle, and a top-level value that is still too large becomes
 * null. What remains is JSON of bounded size with every id, link and small field in it, so that a line of 200 MB takes its place in
 * the tree like any other (H19).
 */
export class JsonPruner {
  /** So much of the line is kept as it is; after that only short strings. */
  static readonly WHOLE = 64 * 1024;
  static readonly STRING = 1024;
  static readonly VALUE = 512 * 1024;
  static readonly TOTAL = 2 * 1024 * 1024;

  #out = new Uint8Array(128 * 1024);
  #size = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #stringStart = 0;
  #valueStart = -1;
  #dropping = false;
  #hexDigits = 0;
  #cutting = false;

  push(bytes: Uint8Array): void {
    for (let i = 0; i < bytes.length; i++) {
      // Nearly all bytes of a long line are passed over here.
      if (this.#cutting && !this.#escaped) while (i < bytes.length && bytes[i] !== QUOTE && bytes[i] !== BACKSLASH) i++;
      if (i < bytes.length) this.#next(bytes[i] as number);
    }
  }

  end(): Uint8Array {
    return this.#out.subarray(0, this.#size);
  }

  #next(byte: number): void {
    if (this.#inString) this.#nextInString(byte);
    else this.#nextOutside(byte);
  }

  #nextInString(byte: number): void {
    if (this.#escaped) {
      this.#escaped = false;
      if (this.#cutting) return;
      if (byte === LETTER_U) this.#hexDigits = 4;
      this.#write(byte);
      return;
    }
    if (byte === QUOTE) {
      this.#inString = false;
      this.#cutting = false;
      this.#hexDigits = 0;
      this.#write(byte);
      return;
    }
    // A character begins here and no escape is open: from here on the string can go.
    if (this.#hexDigits === 0 && (byte & 0xc0) !== 0x80 && this.#isLong()) this.#cutting = true;
    // An escape hides the byte after it, also where it is passed over.
    this.#escaped = byte === BACKSLASH && this.#hexDigits === 0;
    if (this.#hexDigits > 0) this.#hexDigits--;
    if (!this.#cutting) this.#write(byte);
  }

  #isLong(): boolean {
    return this.#size - this.#stringStart > JsonPruner.STRING && this.#size > JsonPruner.WHOLE;
  }

  #nextOutside(byte: number): void {
    if (byte === QUOTE) {
      this.#inString = true;
      this.#stringStart = this.#size;
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.#depth++;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      this.#depth--;
      if (this.#depth === 0) this.#endValue();
    } else if (this.#depth === 1 && byte === COLON) {
      this.#write(byte);
      this.#valueStart = this.#size;
      return;
    } else if (this.#depth === 1 && byte === COMMA) this.#endValue();
    this.#write(byte);
  }

  #endValue(): void {
    if (this.#dropping && this.#valueStart >= 0) {
      this.#size = this.#valueStart;
      this.#dropping = false;
      for (const byte of NULL) this.#write(byte);
    }
    this.#valueStart = -1;
  }

  #write(byte: number): void {
    if (this.#dropping) return;
    const held = this.#valueStart < 0 ? 0 : this.#size - this.#valueStart;
    // Ids and links may come last: what is short stays however much there is before it.
    if (held > JsonPruner.VALUE || (held > JsonPruner.STRING && this.#size > JsonPruner.TOTAL)) {
      this.#dropping = true;
      return;
    }
    if (this.#size >= JsonPruner.TOTAL * 2) return;
    if (this.#size === this.#out.length) {
      const grown = new Uint8Array(this.#out.length * 2);
      grown.set(this.#out);
      this.#out = grown;
    }
    this.#out[this.#size++] = byte;
  }
}

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const COLON = 58;
const COMMA = 44;
const LETTER_U = 117;
const NULL = [110, 117, 108, 108];
