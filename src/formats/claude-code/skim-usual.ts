import { findBytes, findLastBytes, isAt, type Ties } from '../../model/index.ts';
import { endOfNested, endOfString, endOfWord, plainText } from '../lines/index.ts';

/**
 *     {"parentUuid":"u1","isSidechain":false,"type":"user","message":{"role":"user","content":…},"uuid":"u2","timestamp":"…"}
 *     {"parentUuid":"u2","isSidechain":false,"message":{"model":"…","id":"msg_1","content":…},"type":"assistant","uuid":"a1",…}
 *
 * The members before the content and those after the id are gone through; what lies between is not looked at. Null where the line is
 * not written like this, or names something in another way than plain text: then it has to be parsed.
 */
export function skimUsual(bytes: Uint8Array): Ties | null {
  if (!isAt(bytes, BEGIN, 0)) return null;
  const found: Found = { parent: null, side: null, type: null, key: null, message: null };
  const head = walkMembers(bytes, 1, HEAD, found, false);
  if (head < 0) return null;
  if (head !== DONE) {
    const at = findLastBytes(bytes, UUID);
    // From here to the end of the line there must be nothing left open: else it is torn, or this is an id inside of something.
    if (at < 0 || bytes[at - 1] !== COMMA || walkMembers(bytes, at, TAIL, found, true) !== DONE) return null;
    found.type ??= typeBefore(bytes, at);
  }
  const { parent, side, type, key, message } = found;
  if (!parent || !key || side === null || type === null || !TYPES.has(type)) return null;
  // A message that names itself after its content has to be looked for there.
  if (type === 'assistant' && !message) return null;
  if (isJoined(bytes)) return null;
  const results = type === 'user' ? namedResults(bytes) : NONE;
  return results && { key, parent, aside: side, part: type === 'assistant' ? message : null, results, leaf: null };
}

interface Found {
  parent: string | null;
  side: boolean | null;
  type: string | null;
  key: string | null;
  message: string | null;
}

/** These hang on `parentUuid` and nothing else. */
const TYPES: ReadonlySet<string> = new Set(['user', 'assistant', 'attachment', 'progress']);
const NONE: readonly string[] = [];

const encoder = new TextEncoder();
const BEGIN = encoder.encode('{"parentUuid":"');
const FIRST = encoder.encode('{"parentUuid":');
const UUID = encoder.encode('"uuid":"');
const NAMES = {
  id: encoder.encode('id'),
  uuid: encoder.encode('uuid'),
  type: encoder.encode('type'),
  parentUuid: encoder.encode('parentUuid'),
  isSidechain: encoder.encode('isSidechain'),
  message: encoder.encode('message"'),
  content: encoder.encode('content"'),
};
const ASSISTANT = encoder.encode(',"type":"assistant",');
const ATTACHMENT = encoder.encode(',"type":"attachment",');
const RESULT = encoder.encode('"tool_use_id"');
/** What is shorter than eight bytes is searched for by its first, and fast when that is a rare one. */
const ID = encoder.encode('Uuid":');
const USE_ID = encoder.encode('_use_id');

/** Beyond these the parser is faster. */
const HEAD = 4096;
const TAIL = 32_768;
const DONE = Number.MAX_SAFE_INTEGER;

/**
 * The members of an object from one place on. `whole`: to the end of the line, through everything; else up to the first value that is
 * no plain one, of which a message is still entered. Where it ended, `DONE` for the end of the line, -1 when it is not as expected.
 */
function walkMembers(bytes: Uint8Array, from: number, most: number, found: Found, whole: boolean): number {
  const limit = Math.min(bytes.length, from + most);
  let inMessage = false;
  for (let at = from; at < limit; at++) {
    if (bytes[at] !== QUOTE) return -1;
    const name = at + 1;
    const colon = endOfString(bytes, name, limit) + 1;
    if (colon === 0 || bytes[colon] !== COLON) return -1;
    const value = colon + 1;
    const first = bytes[value];
    let end: number;
    if (first === QUOTE) {
      // A long text: the head ends here.
      if (!whole && inMessage && isAt(bytes, NAMES.content, name)) return value;
      end = endOfString(bytes, value + 1, limit) + 1;
    } else if (first !== OPEN_OBJECT && first !== OPEN_LIST) end = endOfWord(bytes, value, limit);
    else if (whole) end = endOfNested(bytes, value, limit);
    else if (inMessage || first !== OPEN_OBJECT || !isAt(bytes, NAMES.message, name)) return value;
    else {
      inMessage = true;
      at = value;
      continue;
    }
    if (end <= 0) return whole ? -1 : value;
    if (!note(bytes, name, colon, value, end, found, inMessage)) return -1;
    at = end;
    if (bytes[at] === COMMA) continue;
    if (bytes[at] !== CLOSE_OBJECT) return -1;
    return inMessage ? at : isBlankFrom(bytes, at + 1) ? DONE : -1;
  }
  return whole ? -1 : limit;
}

/** The member before another one belongs to the same object. */
function typeBefore(bytes: Uint8Array, at: number): string | null {
  if (isAt(bytes, ASSISTANT, at - ASSISTANT.length)) return 'assistant';
  return isAt(bytes, ATTACHMENT, at - ATTACHMENT.length) ? 'attachment' : null;
}

/** False: a message whose id is not plain text. */
function note(
  bytes: Uint8Array,
  name: number,
  colon: number,
  value: number,
  end: number,
  found: Found,
  inMessage: boolean,
): boolean {
  const length = colon - 1 - name;
  if (inMessage) {
    if (length !== 2 || !isAt(bytes, NAMES.id, name)) return true;
    found.message = plainText(bytes, value, end);
    return found.message !== null;
  }
  if (length === 4) {
    if (isAt(bytes, NAMES.uuid, name)) found.key = plainText(bytes, value, end);
    else if (isAt(bytes, NAMES.type, name)) found.type = plainText(bytes, value, end);
  } else if (length === 10 && isAt(bytes, NAMES.parentUuid, name)) found.parent = plainText(bytes, value, end);
  else if (length === 11 && isAt(bytes, NAMES.isSidechain, name)) found.side = bytes[value] === LETTER_T;
  return true;
}

/** After a crash the first line of the next process may stand behind the rest of a torn one. */
function isJoined(bytes: Uint8Array): boolean {
  for (let at = findBytes(bytes, ID, BEGIN.length); at >= 0; at = findBytes(bytes, ID, at + 1))
    if (isAt(bytes, FIRST, at + ID.length - FIRST.length)) return true;
  return false;
}

/** Every id that the line may bring a result of; null when one is not plain text. */
function namedResults(bytes: Uint8Array): readonly string[] | null {
  let results: string[] | null = null;
  for (let at = findBytes(bytes, USE_ID); at >= 0; at = findBytes(bytes, USE_ID, at + 1)) {
    const colon = at + USE_ID.length + 1;
    if (!isAt(bytes, RESULT, colon - RESULT.length)) continue;
    const end = bytes[colon] === COLON && bytes[colon + 1] === QUOTE ? endOfString(bytes, colon + 2, bytes.length) : -1;
    const id = end < 0 ? null : plainText(bytes, colon + 1, end + 1);
    if (id === null) return null;
    results ??= [];
    results.push(id);
  }
  return results ?? NONE;
}

function isBlankFrom(bytes: Uint8Array, from: number): boolean {
  for (let at = from; at < bytes.length; at++) if (bytes[at] !== 13 && bytes[at] !== 32) return false;
  return true;
}

const QUOTE = 34;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
const OPEN_LIST = 91;
const COLON = 58;
const COMMA = 44;
const LETTER_T = 116;
