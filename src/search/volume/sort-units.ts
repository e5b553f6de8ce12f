/** What a unit of text is for words. The order matters: letters and digits of ASCII first, then what else is part of words. */
export const LOWER = 0;
export const UPPER = 1;
/** Letters beyond ASCII, and halves of characters. */
export const OTHER = 2;
export const SPACE = 3;
export const APART = 4;
/** It separates like any control character, where it stays. */
export const ESCAPE = 5;
export const UNKNOWN = 6;

/** Of each unit; those beyond ASCII are told when they come. */
export const SORTS = new Uint8Array(0x10000).fill(UNKNOWN);
for (let code = 0; code < 128; code++) {
  const char = String.fromCharCode(code);
  SORTS[code] = /[a-z0-9]/.test(char) ? LOWER : /[A-Z]/.test(char) ? UPPER : /\s/.test(char) ? SPACE : APART;
}
SORTS[0x1b] = ESCAPE;

export function sortOf(code: number): number {
  const known = SORTS[code] as number;
  if (known !== UNKNOWN) return known;
  const char = String.fromCharCode(code);
  const isApart = !/[\p{L}\p{N}\p{M}\p{Cs}]/u.test(char);
  const sort = !isApart ? OTHER : /\s/.test(char) ? SPACE : APART;
  SORTS[code] = sort;
  return sort;
}
