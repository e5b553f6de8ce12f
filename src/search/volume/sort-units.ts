/** What a unit of text is for words; the order matters. First letters and digits of ASCII. */
const LOWER = 0;
export const UPPER = 1;
/** Between words. */
export const SPACE = 2;
export const APART = 3;
/** So too, and `+` and `#` may belong to the word before. */
export const SIGN = 4;
/** Letters beyond ASCII, and halves of characters. */
export const OTHER = 5;
/** Not told by one byte, or not yet. */
export const UNKNOWN = 6;

/** Of each unit; those beyond ASCII are told when they come. */
export const SORTS = new Uint8Array(0x10000).fill(UNKNOWN);
for (let code = 0; code < 128; code++) {
  const char = String.fromCharCode(code);
  SORTS[code] = /[a-z0-9]/.test(char) ? LOWER : /[A-Z]/.test(char) ? UPPER : /\s/.test(char) ? SPACE : APART;
}
for (const char of '+#') SORTS[char.charCodeAt(0)] = SIGN;

/** Of each byte of UTF-8: beyond ASCII one alone does not tell. */
export const BYTE_SORTS = SORTS.slice(0, 0x100);

export function sortOf(code: number): number {
  const known = SORTS[code] as number;
  if (known !== UNKNOWN) return known;
  const char = String.fromCharCode(code);
  const isApart = !/[\p{L}\p{N}\p{M}\p{Cs}]/u.test(char);
  const sort = !isApart ? OTHER : /\s/.test(char) ? SPACE : APART;
  SORTS[code] = sort;
  return sort;
}

/** Whether a unit of a sort is part of words. */
export const isWordly = (sort: number): boolean => sort <= UPPER || sort === OTHER;
