/** What a unit of text is for words; the order matters. First letters and digits of ASCII. */
export const LOWER = 0;
export const UPPER = 1;
/** Between words. */
export const SPACE = 2;
export const APART = 3;
/** So too, and more has to be looked at: `+` and `#` may belong to the word before, an escape character is told to who asks. */
export const SIGN = 4;
export const ESCAPE = 5;
/** Letters beyond ASCII, and halves of characters. */
export const OTHER = 6;
const UNKNOWN = 7;

export const ESCAPE_UNIT = 0x1b;

/** Of each unit; those beyond ASCII are told when they come. */
export const SORTS = new Uint8Array(0x10000).fill(UNKNOWN);
for (let code = 0; code < 128; code++) {
  const char = String.fromCharCode(code);
  SORTS[code] = /[a-z0-9]/.test(char) ? LOWER : /[A-Z]/.test(char) ? UPPER : /\s/.test(char) ? SPACE : APART;
}
for (const char of '+#') SORTS[char.charCodeAt(0)] = SIGN;
SORTS[ESCAPE_UNIT] = ESCAPE;

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
