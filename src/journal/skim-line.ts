/** What a line says of itself, where it can be told from its bytes. */
export interface Skimmed {
  /** Its eight hexadecimal digits as a number. */
  id: number;
  /** Null: a root. */
  parentId: number | null;
}

/**
 * Whether these bytes are a message as Pi and we write one, and nothing else that `JSON.parse` would refuse or read differently:
 * `{"type":"message","id":"0123abcd","parentId":null,"timestamp":"…","message":…}`. Checking is five times as fast as parsing, and
 * leaves nothing behind. False says nothing about the line: it must be parsed.
 */
export function skimLine(bytes: Uint8Array, start: number, end: number, skimmed: Skimmed): boolean {
  let at = skip(bytes, start, HEAD);
  if (at < 0) return false;
  skimmed.id = hexAt(bytes, at);
  if (skimmed.id === -1) return false;
  at = skip(bytes, at + 8, PARENT);
  if (at < 0) return false;
  if (bytes[at] === QUOTE) {
    skimmed.parentId = hexAt(bytes, at + 1);
    if (skimmed.parentId === -1 || bytes[at + 9] !== QUOTE) return false;
    at += 10;
  } else {
    skimmed.parentId = null;
    at = skip(bytes, at, NULL);
  }
  at = at < 0 ? -1 : skip(bytes, at, TIME);
  at = at < 0 ? -1 : endOfString(bytes, at, end);
  at = at < 0 ? -1 : skip(bytes, at, MESSAGE);
  at = at < 0 ? -1 : endOfValue(bytes, at, end);
  return at === end - 1 && bytes[at] === CLOSE_OBJECT;
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const HEAD = bytesOf('{"type":"message","id":"');
const PARENT = bytesOf('","parentId":');
const TIME = bytesOf(',"timestamp":"');
const MESSAGE = bytesOf(',"message":');
const [TRUE, FALSE, NULL] = ['true', 'false', 'null'].map(bytesOf) as [Uint8Array, Uint8Array, Uint8Array];
const [QUOTE, BACKSLASH, COMMA, COLON, MINUS, ZERO, NINE] = [34, 92, 44, 58, 45, 48, 57];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];

/** After this text, if it stands there; otherwise -1. */
function skip(bytes: Uint8Array, at: number, text: Uint8Array): number {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text[i]) return -1;
  return at + text.length;
}

/** -1: not eight hexadecimal digits, or all of them f. */
function hexAt(bytes: Uint8Array, at: number): number {
  let number = 0;
  for (let i = at; i < at + 8; i++) {
    const digit = digitOf(bytes[i] as number);
    if (digit < 0) return -1;
    number = (number << 4) | digit;
  }
  return number;
}

const digitOf = (code: number): number =>
  code >= ZERO && code <= NINE ? code - ZERO : code >= 97 && code <= 102 ? code - 87 : -1;

/** Escapes may have large letters. */
const isHex = (code: number): boolean => digitOf(code) >= 0 || (code >= 65 && code <= 70);

/** After the quote that ends a text whose first character is at `at`; -1 if it does not end, or is not allowed. */
function endOfString(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end) {
    const code = bytes[at] as number;
    if (code === QUOTE) return at + 1;
    if (code < 32) return -1;
    if (code !== BACKSLASH) at++;
    else {
      const escaped = bytes[at + 1] as number;
      if (escaped === 117) {
        for (let i = at + 2; i < at + 6; i++) if (!isHex(bytes[i] as number)) return -1;
        at += 6;
      } else if (ESCAPED[escaped] === 1) at += 2;
      else return -1;
    }
  }
  return -1;
}

const ESCAPED = new Uint8Array(256);
for (const code of bytesOf('"\\/bfnrt')) ESCAPED[code] = 1;

/** After a number as JSON has it; -1 if it is none. */
function endOfNumber(bytes: Uint8Array, from: number): number {
  let at = bytes[from] === MINUS ? from + 1 : from;
  const first = at;
  at = endOfDigits(bytes, at);
  if (at === first || (bytes[first] === ZERO && at > first + 1)) return -1;
  if (bytes[at] === 46) {
    const fraction = at + 1;
    at = endOfDigits(bytes, fraction);
    if (at === fraction) return -1;
  }
  if (((bytes[at] as number) | 32) !== 101) return at;
  const sign = bytes[at + 1];
  const exponent = sign === 43 || sign === MINUS ? at + 2 : at + 1;
  at = endOfDigits(bytes, exponent);
  return at === exponent ? -1 : at;
}

function endOfDigits(bytes: Uint8Array, from: number): number {
  let at = from;
  while ((bytes[at] as number) >= ZERO && (bytes[at] as number) <= NINE) at++;
  return at;
}

const DEEPEST = 256;
/** Of the lists and objects that are open: 1 for an object. */
const opened = new Uint8Array(DEEPEST);

/** After a value without white space; -1 if it is none, or is very deep. */
function endOfValue(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  let depth = 0;
  for (;;) {
    const code = bytes[at] as number;
    if (code === OPEN_OBJECT || code === OPEN_LIST) {
      if (depth === DEEPEST) return -1;
      const isObject = code === OPEN_OBJECT;
      opened[depth++] = isObject ? 1 : 0;
      at++;
      if (bytes[at] !== (isObject ? CLOSE_OBJECT : CLOSE_LIST)) {
        if (isObject) at = endOfKey(bytes, at, end);
        if (at < 0) return -1;
        continue;
      }
    } else {
      at = endOfScalar(bytes, at, end);
      if (at < 0) return -1;
    }
    // After a value, or at the end of an empty list or object.
    for (;;) {
      if (depth === 0) return at;
      const isObject = opened[depth - 1] === 1;
      const next = bytes[at];
      if (next === (isObject ? CLOSE_OBJECT : CLOSE_LIST)) {
        at++;
        depth--;
        continue;
      }
      if (next !== COMMA) return -1;
      at = isObject ? endOfKey(bytes, at + 1, end) : at + 1;
      if (at < 0) return -1;
      break;
    }
  }
}

function endOfScalar(bytes: Uint8Array, at: number, end: number): number {
  switch (bytes[at]) {
    case QUOTE:
      return endOfString(bytes, at + 1, end);
    case 116:
      return skip(bytes, at, TRUE);
    case 102:
      return skip(bytes, at, FALSE);
    case 110:
      return skip(bytes, at, NULL);
    default:
      return endOfNumber(bytes, at);
  }
}

function endOfKey(bytes: Uint8Array, at: number, end: number): number {
  const after = bytes[at] === QUOTE ? endOfString(bytes, at + 1, end) : -1;
  return after >= 0 && bytes[after] === COLON ? after + 1 : -1;
}
