/** Whether a key of the object itself, between two places, may be passed over. */
export type MayPass = (bytes: Uint8Array, from: number, to: number) => boolean;

/**
 * After the JSON object that begins at a place; -1: there is none that `JSON.parse` would take, or one with a key that may not be passed
 * over. Nothing is made of it: that takes a quarter of the time of parsing. Whether it is UTF-8 is not looked at.
 */
export function skipObject(bytes: Uint8Array, from: number, mayPass: MayPass): number {
  skipper.bytes = bytes;
  skipper.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return bytes[from] === OPEN_OBJECT ? skipper.members(from + 1, 0, mayPass) : -1;
}

class Skipper {
  bytes: Uint8Array = new Uint8Array(0);
  view: DataView = new DataView(this.bytes.buffer);

  /** Of an object, from after its brace on. */
  members(from: number, depth: number, mayPass: MayPass | null): number {
    const { bytes } = this;
    let at = this.#space(from);
    if (bytes[at] === CLOSE_OBJECT) return at + 1;
    for (;;) {
      if (bytes[at] !== QUOTE) return -1;
      const end = this.#string(at + 1);
      if (end < 0 || (mayPass && !mayPass(bytes, at + 1, end - 1))) return -1;
      at = this.#space(end);
      if (bytes[at] !== COLON) return -1;
      at = this.#value(this.#space(at + 1), depth + 1);
      if (at < 0) return -1;
      at = this.#space(at);
      if (bytes[at] === CLOSE_OBJECT) return at + 1;
      if (bytes[at] !== COMMA) return -1;
      at = this.#space(at + 1);
    }
  }

  #items(from: number, depth: number): number {
    const { bytes } = this;
    let at = this.#space(from);
    if (bytes[at] === CLOSE_LIST) return at + 1;
    for (;;) {
      at = this.#value(at, depth + 1);
      if (at < 0) return -1;
      at = this.#space(at);
      if (bytes[at] === CLOSE_LIST) return at + 1;
      if (bytes[at] !== COMMA) return -1;
      at = this.#space(at + 1);
    }
  }

  #value(at: number, depth: number): number {
    if (depth > DEEPEST) return -1;
    switch (this.bytes[at]) {
      case QUOTE:
        return this.#string(at + 1);
      case OPEN_OBJECT:
        return this.members(at + 1, depth, null);
      case OPEN_LIST:
        return this.#items(at + 1, depth);
      case LETTER_T:
        return this.#word(at, TRUE);
      case LETTER_F:
        return this.#word(at, FALSE);
      case LETTER_N:
        return this.#word(at, NULL);
      default:
        return this.#number(at);
    }
  }

  /** From after the opening quote on; gives what is after the closing one. */
  #string(from: number): number {
    const { bytes, view } = this;
    const { length } = bytes;
    // The first byte of the next ones, where it stands behind a backslash.
    let escaped = 0;
    for (let base = from; base < length; base += 32) {
      let marks = (base + 32 <= length ? marksIn(view, base) : -1 >>> (base + 32 - length)) & ~escaped;
      escaped = 0;
      // What was found last tells nothing of what comes next, so there is no branch for each byte.
      while (marks !== 0) {
        const mark = marks & -marks;
        const at = base + 31 - Math.clz32(mark);
        const byte = bytes[at] as number;
        marks ^= mark;
        if (byte === BACKSLASH) {
          if (ESCAPED[bytes[at + 1] as number] !== 1 && !this.#isUnit(at + 1)) return -1;
          marks &= ~(mark << 1);
          escaped = mark >>> 31;
        } else if (byte === QUOTE) return at + 1;
        else if (byte < 32) return -1;
      }
    }
    return -1;
  }

  /** `u00e9` */
  #isUnit(at: number): boolean {
    if (this.bytes[at] !== LETTER_U) return false;
    for (let i = at + 1; i <= at + 4; i++) if (!isHex(this.bytes[i] as number)) return false;
    return true;
  }

  #number(from: number): number {
    const { bytes } = this;
    let at = bytes[from] === MINUS ? from + 1 : from;
    const whole = this.#digits(at);
    if (whole === at || (bytes[at] === ZERO && whole > at + 1)) return -1;
    at = whole;
    if (bytes[at] === POINT) {
      const end = this.#digits(at + 1);
      if (end === at + 1) return -1;
      at = end;
    }
    if (((bytes[at] as number) | 32) !== LETTER_E) return at;
    const sign = bytes[at + 1] === MINUS || bytes[at + 1] === PLUS ? 2 : 1;
    const end = this.#digits(at + sign);
    return end === at + sign ? -1 : end;
  }

  #digits(from: number): number {
    let at = from;
    while (isDigit(this.bytes[at] as number)) at++;
    return at;
  }

  #word(at: number, word: readonly number[]): number {
    return word.every((byte, i) => this.bytes[at + i] === byte) ? at + word.length : -1;
  }

  #space(from: number): number {
    let at = from;
    for (let byte = this.bytes[at]; byte === 32 || byte === 10 || byte === 13 || byte === 9; byte = this.bytes[at])
      at++;
    return at;
  }
}

const skipper = new Skipper();

/** Deeper ones are parsed. */
const DEEPEST = 100;

/** A bit for each of 32 bytes that may be a quote, a backslash or a control character. */
function marksIn(view: DataView, base: number): number {
  let marks = 0;
  for (let at = 0; at < 32; at += 4) marks |= marksOf(view.getInt32(base + at, true)) << at;
  return marks;
}

/** The highest bit of a byte tells whether it was less than another; the byte after it may be taken for one too. */
function marksOf(four: number): number {
  // A quote becomes 32, and what is less than 32 stays so.
  const low = four ^ 0x02020202;
  const backslash = four ^ 0x5c5c5c5c;
  const found = ((low - 0x21212121) & ~low) | ((backslash - 0x01010101) & ~backslash);
  // Brings the bits of the four bytes together.
  return Math.imul((found & 0x80808080) >>> 7, (1 << 28) | (1 << 21) | (1 << 14) | (1 << 7)) >>> 28;
}

const isDigit = (byte: number): boolean => byte >= ZERO && byte <= 57;
const isHex = (byte: number): boolean => isDigit(byte) || ((byte | 32) >= 97 && (byte | 32) <= 102);

const [QUOTE, BACKSLASH, COMMA, COLON, MINUS, PLUS, POINT, ZERO] = [34, 92, 44, 58, 45, 43, 46, 48];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [123, 125, 91, 93];
const [LETTER_E, LETTER_F, LETTER_N, LETTER_T, LETTER_U] = [101, 102, 110, 116, 117];
const ESCAPED = new Uint8Array(256);
for (const letter of '"\\/bfnrt') ESCAPED[letter.charCodeAt(0)] = 1;
const codes = (word: string): readonly number[] => [...word].map((letter) => letter.charCodeAt(0));
const [TRUE, FALSE, NULL] = [codes('true'), codes('false'), codes('null')] as const;
