import { decodeAscii, decodeUtf8, isAscii, isUtf8, type Warning, writeJson } from '../../model/index.ts';

export type JsonObject = { readonly [key: string]: unknown };

export interface ReadObject {
  /** null: not a JSON object; `warnings` says why. */
  readonly object: JsonObject | null;
  readonly warnings: readonly Warning[];
}

const NONE: readonly Warning[] = [];
const ENCODING: Warning = {
  type: 'bad_encoding',
  detail: 'utf-8',
  message: 'Line holds bytes that are not UTF-8; they are shown as U+FFFD',
};
const NULS: Warning = { type: 'bad_encoding', detail: 'nul', message: 'Line holds NUL bytes; they were passed over' };

/** One line of bytes → one JSON object. Never throws; `torn`: the file ends without a newline after this line. */
export function readObject(bytes: Uint8Array, torn: boolean, ascii = isAscii(bytes)): ReadObject {
  let text = ascii ? decodeAscii(bytes) : decodeUtf8(bytes);
  let warnings = NONE;
  if (!ascii) {
    if (text.charCodeAt(0) === 0xfeff) text = text.slice(1);
    if (text.includes('\uFFFD') && !isUtf8(bytes)) warnings = [ENCODING];
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const trimmed = text.includes('\0') ? trimNuls(text) : text;
    if (trimmed !== text) {
      try {
        value = JSON.parse(trimmed);
        warnings = [...warnings, NULS];
      } catch {
        value = undefined;
      }
    }
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return { object: value as JsonObject, warnings };
  return { object: null, warnings: [...warnings, describe(value, text, torn)] };
}

/** A crash can leave a run of NUL bytes in front of or behind a whole line. */
function trimNuls(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) === 0) start++;
  while (end > start && text.charCodeAt(end - 1) === 0) end--;
  return text.slice(start, end);
}

function describe(value: unknown, text: string, torn: boolean): Warning {
  if (value !== undefined) {
    const what = value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
    return { type: 'unparsable_line', detail: what, message: `Line is JSON but ${what}, not an object` };
  }
  if (torn)
    return {
      type: 'torn_last_line',
      detail: 'torn',
      message: 'Last line is not complete: the agent may still be writing it',
    };
  const start = [...text.slice(0, 40)].map((c) => (c < ' ' || c === '\x7f' ? '·' : c)).join('');
  return {
    type: 'unparsable_line',
    detail: 'json',
    message: `Line is not JSON: ${start}${text.length > 40 ? '…' : ''}`,
  };
}

/** Warning for keys and values nobody has seen yet; the line is kept whole. */
export const unexpectedKey = (path: string): Warning => ({
  type: 'unexpected_attributes',
  detail: path,
  message: `Unexpected attribute: ${path}`,
});

export const unexpectedValue = (path: string, value: unknown): Warning => {
  const shown = typeof value === 'string' ? value.slice(0, 60) : writeJson(value).slice(0, 60);
  return {
    type: 'unexpected_attributes',
    detail: `${path}=${shown}`,
    message: `Unexpected value of ${path}: ${shown}`,
  };
};
