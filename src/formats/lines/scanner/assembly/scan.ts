/**
 * AssemblyScript, made into WebAssembly by `npm run scanner`: goes over one line of JSON, sixteen bytes at a time where it is text, and
 * notes where the values of wanted members stand. It takes exactly what `JSON.parse` takes, or gives up: then the line is parsed.
 *
 * What is wanted is a table of keys. Each key is looked for in a context (1: the line itself, 0: nothing in here is wanted) and leads to a
 * slot and to the context of what is inside of its value. `scanner.ts` writes the table.
 */

/** Sizes, in bytes. Nothing lies at 0: a place of 0 says that there is none. */
const SPAN: i32 = 8;
const ENTRY: i32 = 40;
const KNOWN_SIZE: i32 = 128;
/** They are copied sixteen at a time, after their length. */
const LONGEST_KNOWN: i32 = 112;

export const SLOTS: i32 = 64;
const ELEMENTS: i32 = 64;
export const ELEMENT_SLOTS: i32 = 16;
const CONTEXTS: i32 = 32;
const ENTRIES: i32 = 256;

/** Where things lie. */
const LIST_OF: i32 = 1024;
const TABLE: i32 = LIST_OF + 4 * CONTEXTS;
export const SPANS: i32 = TABLE + ENTRIES * ENTRY;
const ELEMENT_SPANS: i32 = SPANS + SLOTS * SPAN;
const KNOWN: i32 = ELEMENT_SPANS + ELEMENTS * ELEMENT_SLOTS * SPAN;
/** Keys are written here, one after the other. */
export const KEYS: i32 = KNOWN + SLOTS * KNOWN_SIZE;
export const LINE: i32 = 65536;
/** Longer lines are parsed. */
export const LINE_SIZE: i32 = 1048576;

/** Strings of so many bytes are looked at sixteen at a time. */
const SHORT: i32 = 48;

/** Every other bit. */
const ODD: u64 = 0xaaaaaaaaaaaaaaaa;

/** Deeper ones are parsed. */
const DEEPEST: i32 = 100;

/** How many elements the list has that is wanted. */
let elements: i32 = 0;
/** A character is written as the number of its unit, and one is beyond ASCII. */
let hasUnits: bool = false;
let escapesBeyondAscii: bool = false;

/** A string that was just passed over holds an escape. */
let isEscaped: bool = false;
/** What was passed over is written as `JSON.stringify` would write what `JSON.parse` makes of it; a name that stands there twice aside. */
let isPlain: bool = true;

/** A member that is wanted. `slot` counts from `SLOTS` on for members of the elements of a list. */
export function want(context: i32, key: i32, length: i32, slot: i32, inside: i32): void {
  const first = firstOf(key, length);
  const last = lastOf(key, length);
  let place = placeOf(first, last, length, context);
  while (load<i32>(entryAt(place)) !== 0) place = (place + 1) & (ENTRIES - 1);
  const entry = entryAt(place);
  store<i32>(entry, context);
  store<i32>(entry + 4, length);
  store<u64>(entry + 8, first);
  store<u64>(entry + 16, last);
  store<i32>(entry + 24, key);
  store<i32>(entry + 28, slot);
  store<i32>(entry + 32, inside);
}

/** The elements of a list in one context are of another. */
export function wantElements(context: i32, inside: i32): void {
  store<i32>(LIST_OF + 4 * context, inside);
}

/** The line lies at `LINE`. 0: it has to be parsed; else 1, 2 more where it has units, 4 more where one is beyond ASCII, and 8 more for each element. */
export function scan(length: i32): i32 {
  clear(SPANS, SLOTS * SPAN);
  elements = 0;
  hasUnits = false;
  escapesBeyondAscii = false;
  const end = LINE + length;
  // No string and no number goes beyond it.
  store<u8>(end, 0);
  let at = space(LINE);
  if (byteAt(at) !== OPEN_OBJECT) return 0;
  at = object(at + 1, 1, 0);
  if (at === 0 || space(at) !== end) return 0;
  return (elements << 3) | (escapesBeyondAscii ? 4 : 0) | (hasUnits ? 2 : 0) | 1;
}

function byteAt(place: i32): i32 {
  return load<u8>(place) as i32;
}

/** Where a span lies: of a slot, or of a slot of one element. */
function spanAt(slot: i32): i32 {
  if (slot < SLOTS) return SPANS + slot * SPAN;
  return ELEMENT_SPANS + ((elements - 1) * ELEMENT_SLOTS + slot - SLOTS) * SPAN;
}

/** After an object, from after its brace; 0: it is not as it should be. */
function object(from: i32, context: i32, depth: i32): i32 {
  let at = space(from);
  if (byteAt(at) === CLOSE_OBJECT) return at + 1;
  while (true) {
    if (byteAt(at) !== QUOTE) return 0;
    const key = at + 1;
    isEscaped = false;
    const end = string(key);
    if (end === 0) return 0;
    // Keys that are numbers come first in an object that was parsed.
    if (isDigit(byteAt(key))) isPlain = false;
    at = space(end + 1);
    if (byteAt(at) !== COLON) return 0;
    at = space(at + 1);
    if (context === 0) at = value(at, 0, depth);
    // A key may be written in many ways.
    else if (isEscaped) return 0;
    else at = member(at, find(key, end - key, context), depth);
    if (at === 0) return 0;
    at = space(at);
    const next = byteAt(at);
    if (next === CLOSE_OBJECT) return at + 1;
    if (next !== COMMA) return 0;
    at = space(at + 1);
  }
}

/** The value of a key that was found; of one that was not, nothing is wanted. */
function member(from: i32, entry: i32, depth: i32): i32 {
  if (entry === 0) return value(from, 0, depth);
  const span = spanAt(load<i32>(entry + 28));
  // Of two with the same name the last counts, and what was noted inside of the first does not.
  if (load<i32>(span) !== 0) return 0;
  store<i32>(span, from);
  return noted(span, from, load<i32>(entry + 32), depth);
}

/** Notes where a value ends, and how it is written. */
function noted(span: i32, from: i32, context: i32, depth: i32): i32 {
  const wasPlain = isPlain;
  isPlain = true;
  isEscaped = false;
  const to = value(from, context, depth);
  store<i32>(span + 4, to | (isEscaped ? ESCAPED : 0) | (isPlain ? PLAIN : 0));
  isPlain = isPlain && wasPlain;
  return to;
}

function list(from: i32, context: i32, depth: i32): i32 {
  let at = space(from);
  if (byteAt(at) === CLOSE_LIST) return at + 1;
  const inside: i32 = load<i32>(LIST_OF + 4 * context);
  while (true) {
    at = inside === 0 ? value(at, 0, depth) : element(at, inside, depth);
    if (at === 0) return 0;
    at = space(at);
    const next = byteAt(at);
    if (next === CLOSE_LIST) return at + 1;
    if (next !== COMMA) return 0;
    at = space(at + 1);
  }
}

/** Its first slot is the element itself. */
function element(from: i32, context: i32, depth: i32): i32 {
  if (elements === ELEMENTS) return 0;
  elements++;
  const span = spanAt(SLOTS);
  clear(span, ELEMENT_SLOTS * SPAN);
  store<i32>(span, from);
  return noted(span, from, context, depth);
}

function value(at: i32, context: i32, depth: i32): i32 {
  switch (byteAt(at)) {
    case QUOTE: {
      const end = string(at + 1);
      return end === 0 ? 0 : end + 1;
    }
    case OPEN_OBJECT:
      return depth === DEEPEST ? 0 : object(at + 1, context, depth + 1);
    case OPEN_LIST:
      return depth === DEEPEST ? 0 : list(at + 1, context, depth + 1);
    case LETTER_T:
      return load<u32>(at) === TRUE ? at + 4 : 0;
    case LETTER_F:
      return load<u32>(at + 1) === ALSE ? at + 5 : 0;
    case LETTER_N:
      return load<u32>(at) === NULL ? at + 4 : 0;
    default:
      return number(at);
  }
}

/** The closing quote of a string, from after the opening one; 0: there is none. */
function string(from: i32): i32 {
  // Most are short.
  for (let at = from; at < from + SHORT; at += 16) {
    const marks = marksIn(at);
    if (marks === 0) continue;
    const place = at + ctz(marks);
    return byteAt(place) === QUOTE ? place : longString(at);
  }
  return longString(from + SHORT);
}

/**
 * The same, 64 bytes at a time: where escapes stand is told for all of them at once, without looking at each. What stands here is not
 * escaped.
 */
function longString(from: i32): i32 {
  let at = from;
  /** The first of them is escaped. */
  let carried: u64 = 0;
  while (true) {
    const a = v128.load(at);
    const b = v128.load(at, 16);
    const c = v128.load(at, 32);
    const d = v128.load(at, 48);
    const isMark = v128.or(v128.or(markOf(a), markOf(b)), v128.or(markOf(c), markOf(d)));
    if (!v128.any_true(isMark) && carried === 0) {
      at += 64;
      continue;
    }
    const slashes = bits(equal(a, BACKSLASH), equal(b, BACKSLASH), equal(c, BACKSLASH), equal(d, BACKSLASH));
    let escaped = carried;
    let next: u64 = 0;
    if (slashes !== 0) {
      // In a run of them every other one is escaped: a sum carries from the beginning of a run to its end.
      const first = slashes & ~carried;
      const turns = (((first << 1) | ODD) - first) ^ ODD;
      escaped = turns ^ (slashes | carried);
      next = (turns & slashes) >> 63;
    }
    const quotes = bits(equal(a, QUOTE), equal(b, QUOTE), equal(c, QUOTE), equal(d, QUOTE));
    const stops = (quotes & ~escaped) | bits(isControl(a), isControl(b), isControl(c), isControl(d));
    // All below the first bit; all of them where there is none.
    const before = stops === 0 ? -1 : (stops & (0 - stops)) - 1;
    const inside = escaped & before;
    if (inside !== 0 && (inside & ~bits(isUsual(a), isUsual(b), isUsual(c), isUsual(d))) !== 0) {
      const end = slowString(at - (carried as i32), at + 64);
      if (end >= 0) return end;
      at = -end;
      carried = 0;
      continue;
    }
    if ((slashes & before) !== 0) isEscaped = true;
    if (stops !== 0) {
      const place = at + (ctz(stops) as i32);
      return byteAt(place) === QUOTE ? place : 0;
    }
    carried = next;
    at += 64;
  }
}

/** The same, escape by escape. Where the string goes on behind `most`: how far it came, as a negative number. */
function slowString(from: i32, most: i32): i32 {
  let at = from;
  while (at < most) {
    let marks = marksIn(at);
    let next = at + 16;
    while (marks !== 0) {
      const place = ctz(marks);
      const byte = byteAt(at + place);
      if (byte === QUOTE) return at + place;
      if (byte !== BACKSLASH) return 0;
      isEscaped = true;
      const escaped = byteAt(at + place + 1);
      if (escaped === LETTER_U) {
        next = unit(at + place + 2);
        if (next === 0) return 0;
        marks = 0;
      } else {
        if (!isEscape(escaped)) return 0;
        if (place === 15) next++;
        // What is escaped is no mark.
        marks &= ~(3 << place);
      }
    }
    at = next;
  }
  return -at;
}

function equal(bytes: v128, byte: i32): v128 {
  return i8x16.eq(bytes, i8x16.splat(byte as i8));
}

/** It may not stand in a string. */
function isControl(bytes: v128): v128 {
  return i8x16.lt_u(bytes, i8x16.splat(FIRST_PLAIN as i8));
}

function markOf(bytes: v128): v128 {
  return v128.or(v128.or(equal(bytes, QUOTE), equal(bytes, BACKSLASH)), isControl(bytes));
}

/** What is written as `JSON.stringify` would write it when it follows a backslash: `"`, `\\`, b, f, n, r and t. Told from both halves of a byte. */
function isUsual(bytes: v128): v128 {
  const low = i8x16.swizzle(LOW_HALVES(), v128.and(bytes, i8x16.splat(15)));
  const high = i8x16.swizzle(HIGH_HALVES(), i8x16.shr_u(bytes, 4));
  return i8x16.ne(v128.and(low, high), i8x16.splat(0));
}

/** Bits of the high halves 2, 5, 6 and 7, with which a low half is a usual one. */
function LOW_HALVES(): v128 {
  return i8x16(0, 0, 13, 0, 8, 0, 4, 0, 0, 0, 0, 0, 2, 0, 4, 0);
}

function HIGH_HALVES(): v128 {
  return i8x16(0, 0, 1, 0, 0, 2, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0);
}

/** A bit for each of 64 bytes. */
function bits(a: v128, b: v128, c: v128, d: v128): u64 {
  const low = (i8x16.bitmask(a) | (i8x16.bitmask(b) << 16)) as u32;
  const high = (i8x16.bitmask(c) | (i8x16.bitmask(d) << 16)) as u32;
  return (low as u64) | ((high as u64) << 32);
}

/** A bit for each of sixteen bytes that is a quote, a backslash or may not stand in a string. */
function marksIn(at: i32): i32 {
  return i8x16.bitmask(markOf(v128.load(at)));
}

/** The usual ones first. */
function isEscape(byte: i32): bool {
  if (byte === LETTER_N || byte === QUOTE || byte === BACKSLASH || byte === LETTER_T) return true;
  if (byte === SLASH) isPlain = false;
  return byte === LETTER_R || byte === LETTER_F || byte === LETTER_B || byte === SLASH;
}

/** Four hexadecimal digits. */
function unit(at: i32): i32 {
  for (let i = 0; i < 4; i++) {
    const byte = byteAt(at + i);
    const letter = byte | 32;
    if (!isDigit(byte) && (letter < LETTER_A || letter > LETTER_F)) return 0;
  }
  hasUnits = true;
  if (!isPlainUnit(at)) isPlain = false;
  if ((load<u16>(at) as i32) !== TWO_ZEROS || byteAt(at + 2) > SEVEN) escapesBeyondAscii = true;
  return at + 4;
}

/** Of a control character that has no letter, in small letters. */
function isPlainUnit(at: i32): bool {
  if ((load<u16>(at) as i32) !== TWO_ZEROS) return false;
  const last = byteAt(at + 3);
  if (byteAt(at + 2) === ZERO + 1) return isDigit(last) || last >= LETTER_A;
  return byteAt(at + 2) === ZERO && (last <= SEVEN || last === LETTER_B || last === LETTER_E || last === LETTER_F);
}

function number(from: i32): i32 {
  let at = byteAt(from) === MINUS ? from + 1 : from;
  const whole = digits(at);
  if (whole === at || (byteAt(at) === ZERO && whole > at + 1)) return 0;
  // A fraction, an exponent or -0 may be written otherwise.
  if (whole - at > MOST_DIGITS || at > from) isPlain = false;
  at = whole;
  if (byteAt(at) === POINT) {
    isPlain = false;
    const end = digits(at + 1);
    if (end === at + 1) return 0;
    at = end;
  }
  if ((byteAt(at) | 32) !== LETTER_E) return at;
  isPlain = false;
  const sign = byteAt(at + 1);
  at += sign === MINUS || sign === PLUS ? 2 : 1;
  const end = digits(at);
  return end === at ? 0 : end;
}

function digits(from: i32): i32 {
  let at = from;
  while (isDigit(byteAt(at))) at++;
  return at;
}

function isDigit(byte: i32): bool {
  return byte >= ZERO && byte <= NINE;
}

function space(from: i32): i32 {
  let at = from;
  // Nearly always there is none.
  while (byteAt(at) <= SPACE) {
    const byte = byteAt(at);
    if (byte !== SPACE && byte !== NEWLINE && byte !== RETURN && byte !== TAB) return at;
    isPlain = false;
    at++;
  }
  return at;
}

/** The entry of a key; 0: it is not wanted. */
function find(key: i32, length: i32, context: i32): i32 {
  const first = firstOf(key, length);
  const last = lastOf(key, length);
  let place = placeOf(first, last, length, context);
  while (true) {
    const entry = entryAt(place);
    const found = load<i32>(entry);
    if (found === 0) return 0;
    const isIt =
      found === context &&
      load<i32>(entry + 4) === length &&
      load<u64>(entry + 8) === first &&
      load<u64>(entry + 16) === last &&
      (length <= 16 || isEqual(key, load<i32>(entry + 24), length));
    if (isIt) return entry;
    place = (place + 1) & (ENTRIES - 1);
  }
}

function entryAt(place: i32): i32 {
  return TABLE + place * ENTRY;
}

function firstOf(key: i32, length: i32): u64 {
  const eight = load<u64>(key);
  return length >= 8 ? eight : eight & (((1 as u64) << ((length as u64) << 3)) - 1);
}

function lastOf(key: i32, length: i32): u64 {
  return length > 8 ? load<u64>(key + length - 8) : 0;
}

function placeOf(first: u64, last: u64, length: i32, context: i32): i32 {
  const mixed = (first ^ rotl<u64>(last, 23) ^ ((length * 31 + context * 7) as u64)) * 0x9e3779b97f4a7c15;
  return (mixed >> 56) as i32;
}

/** What `hash-bytes.ts` gives for the same bytes. */
export function hash(from: i32, to: i32, seed: i32): i32 {
  let lanes = i32x4.add(i32x4.splat(seed), FIRST_LANES());
  let at = from;
  if (from + 64 <= to) {
    // Four at a time: none of them waits for another one.
    let b = i32x4.add(lanes, i32x4.splat(1));
    let c = i32x4.add(lanes, i32x4.splat(2));
    let d = i32x4.add(lanes, i32x4.splat(3));
    for (; at + 64 <= to; at += 64) {
      lanes = mixed(lanes, v128.load(at));
      b = mixed(b, v128.load(at, 16));
      c = mixed(c, v128.load(at, 32));
      d = mixed(d, v128.load(at, 48));
    }
    lanes = mixed(mixed(mixed(lanes, b), c), d);
  }
  for (; at + 16 <= to; at += 16) lanes = mixed(lanes, v128.load(at));
  if (at < to) {
    const isIn = i8x16.lt_u(i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), i8x16.splat((to - at) as i8));
    lanes = mixed(lanes, v128.and(v128.load(at), isIn));
  }
  let sum = to - from;
  sum += rotl<i32>(i32x4.extract_lane(lanes, 0), 1) + rotl<i32>(i32x4.extract_lane(lanes, 1), 7);
  sum += rotl<i32>(i32x4.extract_lane(lanes, 2), 12) + rotl<i32>(i32x4.extract_lane(lanes, 3), 18);
  sum = (sum ^ (sum >>> 15)) * PRIME_2;
  sum = (sum ^ (sum >>> 13)) * PRIME_3;
  return sum ^ (sum >>> 16);
}

function FIRST_LANES(): v128 {
  return i32x4(0x24234428, 0x85ebca77, 0, 0x61c8864f);
}

function mixed(lanes: v128, bytes: v128): v128 {
  const sum = i32x4.add(lanes, i32x4.mul(bytes, i32x4.splat(PRIME_2)));
  const turned = v128.or(i32x4.shl(sum, 13), i32x4.shr_u(sum, 19));
  return i32x4.mul(turned, i32x4.splat(PRIME_1));
}

const PRIME_1: i32 = -1640531535;
const PRIME_2: i32 = -2048144777;
const PRIME_3: i32 = -1028477379;

/** Whether bytes are those that are known under a number. */
export function isKnown(from: i32, to: i32, number: i32): bool {
  const known = KNOWN + number * KNOWN_SIZE;
  const length = to - from;
  return load<i32>(known) === length && isEqual(known + 4, from, length);
}

/** From now on these bytes are known under a number; false: there are too many, and none are. */
export function know(from: i32, to: i32, number: i32): bool {
  const known = KNOWN + number * KNOWN_SIZE;
  const length = to - from;
  const isShort = length <= LONGEST_KNOWN;
  store<i32>(known, isShort ? length : -1);
  if (isShort) for (let at = 0; at < length; at += 16) v128.store(known + 4 + at, v128.load(from + at));
  return isShort;
}

/** The last eight of them are looked at twice where they are no multiple of eight. */
function isEqual(a: i32, b: i32, length: i32): bool {
  if (length < 8) return firstOf(a, length) === firstOf(b, length);
  const last = length - 8;
  for (let at = 0; at < last; at += 8) if (load<u64>(a + at) !== load<u64>(b + at)) return false;
  return load<u64>(a + last) === load<u64>(b + last);
}

/** Sixteen bytes at a time. */
function clear(from: i32, size: i32): void {
  for (let at = from; at < from + size; at += 16) v128.store(at, i8x16.splat(0));
}

/** A whole number that is written with digits alone; -1: it has to be parsed. */
export function wholeNumber(from: i32, to: i32): f64 {
  if (to - from > MOST_DIGITS) return -1;
  let sum: f64 = 0;
  for (let at = from; at < to; at++) {
    const byte = byteAt(at);
    if (!isDigit(byte)) return -1;
    sum = sum * 10 + ((byte - ZERO) as f64);
  }
  return sum;
}

const QUOTE: i32 = 34;
const BACKSLASH: i32 = 92;
const SLASH: i32 = 47;
const COMMA: i32 = 44;
const COLON: i32 = 58;
const MINUS: i32 = 45;
const PLUS: i32 = 43;
const POINT: i32 = 46;
const ZERO: i32 = 48;
const SEVEN: i32 = 55;
const NINE: i32 = 57;
const OPEN_OBJECT: i32 = 123;
const CLOSE_OBJECT: i32 = 125;
const OPEN_LIST: i32 = 91;
const CLOSE_LIST: i32 = 93;
const SPACE: i32 = 32;
const NEWLINE: i32 = 10;
const RETURN: i32 = 13;
const TAB: i32 = 9;
/** What is less may not stand in a string. */
const FIRST_PLAIN: i32 = 32;
const LETTER_A: i32 = 97;
const LETTER_B: i32 = 98;
const LETTER_E: i32 = 101;
const LETTER_F: i32 = 102;
const LETTER_N: i32 = 110;
const LETTER_R: i32 = 114;
const LETTER_T: i32 = 116;
const LETTER_U: i32 = 117;
const TWO_ZEROS: i32 = 0x3030;
/** `true`, `alse` and `null`, as numbers. */
const TRUE: u32 = 0x65757274;
const ALSE: u32 = 0x65736c61;
const NULL: u32 = 0x6c6c756e;
/** Of a number that is surely exact. */
const MOST_DIGITS: i32 = 15;
/** Bits of where a value ends: it is a string with escapes; it is written as `JSON.stringify` would. */
const ESCAPED: i32 = -2147483648;
const PLAIN: i32 = 1073741824;
