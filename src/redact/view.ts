import { escapeSequences } from '../model/index.ts';

/** A text the way it is meant: without what only a screen or a program needs. `at`: where each of its characters begins in the text; null: it is the text. */
export interface View {
  readonly text: string;
  readonly at: Int32Array | null;
}

/** Control characters, those without a width, and marks that turn the writing direction. Lines and columns stay. */
const INVISIBLE = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu;
const MAY_BE_INVISIBLE = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Variation_Selector}]/u;
/** `\"`, `\n`, `\u0040`, a line that goes on in the next one, `%2F`, `&quot;`: one layer of it. */
const ESCAPED =
  /\\(?:u[0-9a-fA-F]{4}|\r?\n[ \t]*|[nrt]|[^A-Za-z0-9\s])|%[0-9A-Fa-f]{2}|&(?:quot|apos|amp|lt|gt|#\d{1,6}|#x[0-9a-fA-F]{1,5});/g;
const MAY_BE_ESCAPED = /[\\%&]/;

/** Before each line: its number, as tools show files; the signs of a diff; those of a quotation. */
const MARGIN = /^(?:[ \t]{0,10}\d{1,7}(?:→|\t|:[ \t]?|[ \t]?\|[ \t]?)|(?:>[ \t]?){1,5}|[+-](?![+-]{2}))/gm;
const MAY_HAVE_MARGIN = /^(?:[ \t]{0,10}\d|[>+-])/m;

/** JSON in a string of JSON in a string of JSON. */
const LAYERS = 5;

/** The text as it is seen, without the margin of its lines, and what it says when its escapes are read: secrets are looked for in all. */
export function viewsOf(text: string): View[] {
  const seen = visible({ text, at: null });
  const bare = withoutMargin(seen);
  const read = layersOf(seen).flatMap((view) => [view, withoutMargin(view)]);
  return [...new Set([seen, bare, ...read, ...(bare === seen ? [] : layersOf(bare))])];
}

const withoutMargin = (view: View): View => without(view, MARGIN, MAY_HAVE_MARGIN, NOTHING);

/** Its escapes read once, twice, and so on. */
function layersOf(view: View): View[] {
  const layers: View[] = [];
  for (let last = view; layers.length < LAYERS; ) {
    const read = without(last, ESCAPED, MAY_BE_ESCAPED, meantBy);
    if (read === last) break;
    last = visible(read);
    layers.push(last);
  }
  return layers;
}

const visible = (view: View): View => {
  if (!MAY_BE_INVISIBLE.test(view.text)) return view;
  return without(without(view, escapeSequences, MAY_BE_INVISIBLE, NOTHING), INVISIBLE, MAY_BE_INVISIBLE, NOTHING);
};
const NOTHING = (): string => '';

/** Each match is replaced, and the places of what stays are kept. */
function without(view: View, regex: RegExp, sign: RegExp, replace: (match: string) => string): View {
  if (!sign.test(view.text)) return view;
  const pieces: string[] = [];
  const at = new Int32Array(view.text.length + 1);
  let length = 0;
  let done = 0;
  const keep = (from: number, to: number): void => {
    pieces.push(view.text.slice(from, to));
    for (let i = from; i < to; i++) at[length++] = placeIn(view, i);
  };
  for (const { 0: match, index } of view.text.matchAll(regex)) {
    keep(done, index);
    const other = replace(match);
    pieces.push(other);
    for (let i = 0; i < other.length; i++) at[length++] = placeIn(view, index);
    done = index + match.length;
  }
  if (done === 0) return view;
  keep(done, view.text.length);
  at[length] = placeIn(view, view.text.length);
  return { text: pieces.join(''), at: at.subarray(0, length + 1) };
}

/** Where a character of a view begins in the text it was made of. */
export const placeIn = ({ at }: View, index: number): number => (at ? (at[index] as number) : index);

const NAMED: Readonly<Record<string, string>> = { quot: '"', apos: "'", amp: '&', lt: '<', gt: '>' };
const SPACES: Readonly<Record<string, string>> = { n: '\n', r: '\n', t: '\t' };

function meantBy(match: string): string {
  if (match.startsWith('%')) return String.fromCharCode(Number.parseInt(match.slice(1), 16));
  if (match.startsWith('&')) {
    const name = match.slice(1, -1);
    if (!name.startsWith('#')) return NAMED[name] ?? match;
    return charOf(Number.parseInt(name.replace(/^#x?/, ''), name[1] === 'x' ? 16 : 10));
  }
  const last = match.slice(1);
  if (/^u[0-9a-fA-F]{4}$/.test(last)) return charOf(Number.parseInt(last.slice(1), 16));
  return /^\r?\n/.test(last) ? '' : (SPACES[last] ?? last);
}

const charOf = (code: number): string => (code > 0 && code <= 0xffff ? String.fromCharCode(code) : ' ');
