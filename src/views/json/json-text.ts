/** JSON that somebody may look at on a terminal: what acts there or turns the writing direction is escaped, which means the same. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value).replace(ACTS, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

const ACTS = /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
