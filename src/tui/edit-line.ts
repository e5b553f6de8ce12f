import { widthOf } from '../views/text/width.ts';

/** Without its last character, however many codes that is. */
export const eraseCharacter = (text: string): string => partsOf(text).slice(0, -1).join('');

/** Without its last word and the spaces after it, as a shell does. */
export const eraseWord = (text: string): string => text.replace(/\S*\s*$/, '');

/** The end of a text too long for its place, where typing goes on. */
export function keepEnd(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  const parts = partsOf(text);
  while (parts.length > 0 && widthOf(parts.join('')) > columns - 1) parts.shift();
  return `…${parts.join('')}`;
}

const partsOf = (text: string): string[] => [...graphemes.segment(text)].map(({ segment }) => segment);

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
