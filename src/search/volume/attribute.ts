/** An attribute of a document as a term: no text has one like it. */
export const attribute = (name: string, value: string): string => `${attributeName(name)}${attributeValue(value)}`;

/** What the terms of all its values begin with. */
export const attributeName = (name: string): string => `\u0001${name}\u0001`;

/** As it is kept: a log may name anything, and terms are kept as lines of text. */
export const attributeValue = (value: string): string =>
  value
    .slice(0, LONGEST)
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ');

/** As long as a path. */
const LONGEST = 4096;
