/** Without its last character, however many codes that is. */
export const eraseCharacter = (text: string): string => partsOf(text).slice(0, -1).join('');

/** Without its last word and the spaces after it, as a shell does. */
export const eraseWord = (text: string): string => text.replace(/\S*\s*$/, '');

const partsOf = (text: string): string[] => [...graphemes.segment(text)].map(({ segment }) => segment);

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
