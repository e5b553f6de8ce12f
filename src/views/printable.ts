import { stripEscapes } from '../model/index.ts';

/**
 * Transcript text on its way to a terminal: it may hold escape sequences, bells, cursor movements and marks that turn the writing
 * direction. They are made visible or dropped, never sent.
 */
export function printable(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return stripEscapes(text).replace(/\r\n?/g, '\n').replace(CONTROL, replaceControl);
}

/** On one line: breaks and tabs become spaces. */
export const printableLine = (text: string): string => printable(text).replace(/\s+/g, ' ').trim();

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const SUSPECT = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]|\ud800/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]/g;

/** Line separators are line breaks; marks without a width vanish; other controls show as their picture. */
function replaceControl(char: string): string {
  const code = char.charCodeAt(0);
  if (code === 0x2028 || code === 0x2029) return '\n';
  if (code > 0x9f) return '';
  if (code === 0x7f) return '\u2421';
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\ufffd';
}
