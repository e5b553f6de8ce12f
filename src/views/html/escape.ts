import { ACTING } from '../printable.ts';

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
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const UNCLEAN = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]/;

/** Without what no page may hold: halves of characters, control characters. Most texts have none. */
const clean = (text: string): string => (UNCLEAN.test(text) ? text.toWellFormed().replace(CONTROL, '\ufffd') : text);

/** As a browser reads them; the page is a text that a terminal may show, and a person looks through, too. */
const named = (html: string): string =>
  ACTING.test(html)
    ? html.replace(EACH_ACTING, (char) => (char.startsWith('\r') ? '\n' : `&#x${char.codePointAt(0)?.toString(16)};`))
    : html;
const EACH_ACTING = new RegExp(`\\r\\n?|${ACTING.source}`, 'g');

/** Markup that somebody else wrote of a text, without what no page may hold. */
export const cleanMarkup = (html: string): string => named(clean(html));

/** Text for the body of an element or a quoted attribute. Nothing in it can be markup. */
export const escapeHtml = (text: string): string =>
  named(clean(text).replace(SPECIAL, (char) => ENTITIES[char] ?? char));

/** Text for the body of an element only, where quotes mean nothing: most of a page is such text, and half of it is escaped twice. */
export const escapeText = (text: string): string => named(clean(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;'));

/** The id of a node as an address writes it: it holds neither spaces nor anything that is special in an attribute. */
export const encodeId = (id: string): string => encodeURIComponent(clean(id)).replaceAll("'", '%27');
