/**
 * A line with more values is not given to `JSON.parse`: what stands there as `[]` takes 40 bytes of memory, as `{}` 64, so that a line of
 * 15 MB could take 350. No more than 128 MB this way.
 */
export const MOST_VALUES = 2_000_000;

/** Whether a JSON text holds more objects, lists and members than that. Strings are passed over, however much they look like JSON. */
export function hasTooManyValues(bytes: Uint8Array, most = MOST_VALUES): boolean {
  // Each takes a byte.
  if (bytes.length <= most) return false;
  let count = 0;
  for (let at = 0; at < bytes.length && count <= most; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = endOfString(bytes, at + 1);
      if (at < 0) break;
    } else if (byte === COMMA || byte === OPEN_LIST || byte === OPEN_OBJECT) count++;
  }
  return count > most;
}

/** The closing quote of a string, from after the opening one; -1 when there is none. */
function endOfString(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at++;
  }
  return -1;
}

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const OPEN_LIST = 91;
const OPEN_OBJECT = 123;
