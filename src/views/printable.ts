import { stripEscapes } from '../model/index.ts';

/**
 * Transcript text on its way to a terminal: it may hold escape sequences, bells, cursor movements, halves of characters and marks that
 * turn the writing direction. They are made visible or dropped, never sent.
 */
export const printable = (text: string): string =>
  ACTING.test(text) ? visible(stripEscapes(text)) : text.toWellFormed();

/** On one line: breaks and tabs become spaces. */
export const printableLine = (text: string): string => printable(text).replace(/\s+/g, ' ').trim();

/**
 * The same without taking out what looks like a whole sequence: nothing beside it can go with it. What joins letters (U+200B to
 * U+200D) stays: Persian and families of emoji are written with it, and no terminal does anything else.
 */
export const visible = (text: string): string =>
  (ACTING.test(text) ? text.replace(/\r\n?/g, '\n').replace(EACH_ACTING, show) : text).toWellFormed();

/**
 * Controls but line breaks and tabs, marks of the writing direction, separators, and letters nobody sees (U+E0000 to U+E007F), in which
 * a text for a model can hide.
 */
const SOURCE =
  '[\\0-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u206f\\ufeff\\ufff9-\\ufffb]|\\udb40[\\udc00-\\udc7f]';
export const ACTING: RegExp = new RegExp(SOURCE);
/** The flags of England, Scotland and Wales are spelt with such letters. */
const FLAG =
  '\\ud83c\\udff4\\udb40\\udc67\\udb40\\udc62\\udb40(?:\\udc65\\udb40\\udc6e\\udb40\\udc67|\\udc73\\udb40\\udc63\\udb40\\udc74|\\udc77\\udb40\\udc6c\\udb40\\udc73)\\udb40\\udc7f';
const EACH_ACTING = new RegExp(`${FLAG}|${SOURCE}`, 'g');

/** Line separators are line breaks; marks without a width vanish; other controls show as their picture. */
function show(found: string): string {
  const code = found.charCodeAt(0);
  if (code === FIRST_OF_FLAG) return found;
  if (code === 0x2028 || code === 0x2029) return '\n';
  if (code === 0x7f) return '\u2421';
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code <= 0x9f || code === FIRST_OF_TAG ? '\ufffd' : '';
}

const FIRST_OF_FLAG = 0xd83c;
const FIRST_OF_TAG = 0xdb40;
