const SPECIAL = /[&<>"'`]/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g;

/** Text for the body of an element or a quoted attribute. Nothing in it can be markup; characters no page may hold are replaced. */
export const escapeHtml = (text: string): string =>
  text
    .toWellFormed()
    .replace(CONTROL, '\ufffd')
    .replace(SPECIAL, (char) => ENTITIES[char] ?? char);
