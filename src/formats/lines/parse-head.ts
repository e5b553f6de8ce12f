import type { JsonObject } from './read-object.ts';
import { objectOf } from './values.ts';

const ASKED = 20;

/**
 * The objects at the beginning of a file, of which there may be more than was read: its first lines, or, where it is one document, that
 * document or the first elements of its list. What is cut off in the middle has what was there before.
 */
export function parseHead(text: string): readonly JsonObject[] {
  const head = text.replace(/^\ufeff/, '');
  const lines = head.split('\n', ASKED).filter((line) => line.trim() !== '');
  const found = lines.flatMap((line) => objectsIn(parse(line)));
  if (found.length > 0) return found;
  const first = head.trimStart()[0];
  return first === '{' || first === '[' ? objectsIn(parseCut(head)) : [];
}

function objectsIn(value: unknown): JsonObject[] {
  const all: readonly unknown[] = Array.isArray(value) ? value.slice(0, ASKED) : [value];
  return all.flatMap((each): JsonObject[] => {
    const object = objectOf(each);
    return object ? [object] : [];
  });
}

/** Only a line that was begun is taken for one that was cut off: a document may begin and end in other lines. */
const parse = (line: string): unknown =>
  jsonIn(line.replace(/^\0+|\0+$/g, '')) ?? (line.startsWith('{"') ? parseCut(line) : null);

/** As if it ended there, a text in the middle of which it was cut included; else up to the last member that is whole. */
function parseCut(text: string): unknown {
  const open: string[] = [];
  let whole = -1;
  let closing = '';
  let inText = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"') {
      const end = endOfString(text, at);
      inText = end < 0;
      if (inText) break;
      at = end;
    } else if (char === '{' || char === '[') open.push(char === '{' ? '}' : ']');
    else if (char === '}' || char === ']') {
      if (open.pop() !== char) return null;
    } else if (char === ',') {
      whole = at;
      closing = [...open].reverse().join('');
    }
  }
  const rest = open.reverse().join('');
  const asItIs = jsonIn(inText ? `${text.replace(/\\u?[\da-fA-F]{0,3}$/, '')}"${rest}` : text + rest);
  return asItIs ?? (whole < 0 ? null : jsonIn(text.slice(0, whole) + closing));
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
  }
  return -1;
}
