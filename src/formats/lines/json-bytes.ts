import { decodeUtf8 } from '../../model/index.ts';

/** Where the values of JSON end, told from its bytes without making anything of them. */

/** The closing quote of a string, from after the opening one; -1 when there is none. */
export function endOfString(bytes: Uint8Array, from: number, limit: number): number {
  for (let at = from; at < limit; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at++;
  }
  return -1;
}

/** After a number, `true`, `false` or `null`. */
export function endOfWord(bytes: Uint8Array, from: number, limit: number): number {
  for (let at = from; at < limit; at++) {
    const byte = bytes[at] as number;
    if (byte === COMMA || byte === CLOSE_OBJECT) return at;
    const isPlain = (byte >= 48 && byte <= 57) || (byte >= 97 && byte <= 122) || WORD.includes(byte);
    if (!isPlain) return -1;
  }
  return -1;
}

/** After an object or a list. */
export function endOfNested(bytes: Uint8Array, from: number, limit: number): number {
  let depth = 0;
  for (let at = from; at < limit; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = endOfString(bytes, at + 1, limit);
      if (at < 0) return -1;
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++;
    else if ((byte === CLOSE_OBJECT || byte === CLOSE_LIST) && --depth === 0) return at + 1;
  }
  return -1;
}

/** The text between the quotes; null when it is none, is empty or holds an escape. */
export function plainText(bytes: Uint8Array, value: number, end: number): string | null {
  if (bytes[value] !== QUOTE || end - value <= 2) return null;
  for (let at = value + 1; at < end - 1; at++) if (bytes[at] === BACKSLASH) return null;
  return decodeUtf8(bytes.subarray(value + 1, end - 1));
}

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const COMMA = 44;
/** `+`, `-`, `.`, `E` */
const WORD: readonly number[] = [43, 45, 46, 69];
