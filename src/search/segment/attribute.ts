/** An attribute of a document as a term: no text has one like it. */
export const attribute = (name: string, value: string): string =>
  `${attributeName(name)}${value.replaceAll('\n', ' ')}`;

/** What the terms of all its values begin with. */
export const attributeName = (name: string): string => `\u0001${name}\u0001`;
