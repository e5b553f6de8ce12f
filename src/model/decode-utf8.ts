/** What Node has beside the standard; bytes may come in any form of `Uint8Array`. */
interface FastBuffer {
  utf8Slice(start: number, end: number): string;
  latin1Slice(start: number, end: number): string;
}
interface BufferClass {
  from(buffer: ArrayBuffer): FastBuffer & Uint8Array;
  from(buffer: ArrayBufferLike, offset: number, length: number): FastBuffer & Uint8Array;
  from(text: string, encoding: 'utf8' | 'latin1'): FastBuffer & Uint8Array;
}
interface Checks {
  isAscii(bytes: Uint8Array): boolean;
  isUtf8(bytes: Uint8Array): boolean;
}
interface Node {
  readonly Buffer?: BufferClass;
  readonly process?: { getBuiltinModule?(name: string): Checks };
}

const { Buffer: buffer, process } = globalThis as unknown as Node;
const checks = buffer && process?.getBuiltinModule?.('buffer');
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Text of bytes; what is not UTF-8 becomes U+FFFD. Node's own decoder is twice as fast on short lines. */
export const decodeUtf8: (bytes: Uint8Array) => string = buffer
  ? (bytes) => fast(buffer, bytes).utf8Slice(0, bytes.length)
  : (bytes) => decoder.decode(bytes);

function fast(made: BufferClass, bytes: Uint8Array): FastBuffer {
  const known = bytes as Uint8Array & Partial<FastBuffer>;
  return known.utf8Slice ? (known as FastBuffer) : made.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Memory from which texts can be cut fast (`cutAscii`, `cutUtf8`). */
export const bytesOver = (memory: ArrayBuffer): Uint8Array => (buffer ? buffer.from(memory) : new Uint8Array(memory));

/** Text of some bytes; of such as are known to be ASCII. */
export const cutUtf8: (bytes: Uint8Array, from: number, to: number) => string = buffer
  ? (bytes, from, to) => (bytes as unknown as FastBuffer).utf8Slice(from, to)
  : (bytes, from, to) => decoder.decode(bytes.subarray(from, to));

export const cutAscii: (bytes: Uint8Array, from: number, to: number) => string = buffer
  ? (bytes, from, to) => (bytes as unknown as FastBuffer).latin1Slice(from, to)
  : cutUtf8;

export function isUtf8(bytes: Uint8Array): boolean {
  if (checks) return checks.isUtf8(bytes);
  try {
    strict.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

export function isAscii(bytes: Uint8Array): boolean {
  return checks ? checks.isAscii(bytes) : bytes.every((byte) => byte < 0x80);
}

/**
 * Bytes as *codes*: a string with one character for each byte. The engine keeps it in half the memory of text with characters beyond
 * Latin-1, and searches and parses it the faster. Null where that cannot be had for less than the text itself.
 */
export function codesOf(bytes: Uint8Array): string | null {
  return buffer ? fast(buffer, bytes).latin1Slice(0, bytes.length) : null;
}

/** Text of bytes that are known to be ASCII: a plain copy. */
export const decodeAscii = (bytes: Uint8Array): string => codesOf(bytes) ?? decodeUtf8(bytes);

/** The text whose UTF-8 these codes are. */
export function decodeCodes(codes: string): string {
  if (!BEYOND_ASCII.test(codes)) return codes;
  const bytes = buffer ? buffer.from(codes, 'latin1') : Uint8Array.from(codes, (code) => code.charCodeAt(0));
  return decodeUtf8(bytes);
}

/** The codes of the UTF-8 of a text. */
export function encodeCodes(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text;
  if (buffer) {
    const bytes = buffer.from(text, 'utf8');
    return bytes.latin1Slice(0, bytes.length);
  }
  let codes = '';
  for (const byte of encoder.encode(text)) codes += String.fromCharCode(byte);
  return codes;
}

const BEYOND_ASCII = /[^\0-\x7f]/;
