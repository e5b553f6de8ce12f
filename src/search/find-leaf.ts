import { CJK, fold, placeOf } from './fold.ts';
import { termsOf } from './leaf-terms.ts';
import type { Leaf } from './query.ts';
import type { SearchedText } from './searched-text.ts';
import { whenNeeded } from './when-needed.ts';
import { suffixAt, wordsOfRun } from './words.ts';

/** A stretch of a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Everywhere a text has it, one after the other. */
export type Find = (text: SearchedText) => Iterable<Span>;

export function findLeaf(leaf: Leaf): Find {
  const isPrefix = leaf.as === 'word' && leaf.prefix;
  const { terms, isLiteral } = termsOf(leaf);
  return isLiteral ? literal(leaf.text, isPrefix) : wholeWord(terms[0]?.term ?? '', isPrefix);
}

/** A word, or a part of an identifier: in every run that holds the term it is looked at more closely. */
function wholeWord(term: string, isPrefix: boolean): Find {
  return function* (text) {
    const { folded } = text;
    for (let at = folded.text.indexOf(term); at >= 0; ) {
      const [from, to] = runAround(folded.text, at, at + term.length);
      const [start, end] = placeOf(folded, from, to);
      // Of what begins so, an identifier and its parts all count, as an index counts them.
      for (const word of wordsOfRun(text.raw.slice(start, end)))
        if (isPrefix ? word.term.startsWith(term) : word.term === term)
          yield { start: start + word.start, end: start + word.end };
      const suffix = isPrefix && folded.text.startsWith(term, from) ? suffixAt(text.raw, end) : '';
      if (suffix !== '') yield { start, end: end + suffix.length };
      at = folded.text.indexOf(term, to);
    }
  };
}

const runUnit = whenNeeded(() => new RegExp(String.raw`[[\p{L}\p{N}\p{M}]--${CJK}]`, 'v'));

/** Letters and digits on both sides belong to the same run. */
function runAround(text: string, start: number, end: number): [number, number] {
  let [from, to] = [start, end];
  for (let size = sizeBefore(text, from); size > 0 && isIn(text, from - size); size = sizeBefore(text, from))
    from -= size;
  while (to < text.length && isIn(text, to)) to += sizeAt(text, to);
  return [from, to];
}

const sizeAt = (text: string, at: number): number => ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
const sizeBefore = (text: string, at: number): number => (at >= 2 && sizeAt(text, at - 2) === 2 ? 2 : Math.min(1, at));

function isIn(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
  return runUnit().test(String.fromCodePoint(text.codePointAt(at) ?? 0));
}

const closed = whenNeeded(() => new RegExp(String.raw`[[\p{L}\p{N}_]--${CJK}]`, 'v'));

/** The text itself. Where it begins or ends with a letter, a digit or `_`, no other may stand beside. */
function literal(text: string, isPrefix: boolean): Find {
  const hasSpace = /\s/.test(text);
  const needle = fold(text.trim().replace(/\s+/g, ' '));
  const closesStart = closed().test(firstOf(needle));
  const closesEnd = !isPrefix && closed().test(lastOf(needle));
  return function* (searched) {
    const folded = hasSpace ? searched.even : searched.folded;
    for (let at = folded.text.indexOf(needle); at >= 0; at = folded.text.indexOf(needle, at + 1)) {
      const end = at + needle.length;
      if (closesStart && closed().test(lastOf(folded.text.slice(Math.max(0, at - 2), at)))) continue;
      if (closesEnd && closed().test(firstOf(folded.text.slice(end, end + 2)))) continue;
      const [from, to] = placeOf(folded, at, end);
      yield { start: from, end: to };
    }
  };
}

const firstOf = (text: string): string => String.fromCodePoint(text.codePointAt(0) ?? 0);
const lastOf = (text: string): string =>
  /[\ud800-\udbff][\udc00-\udfff]$/.test(text) ? text.slice(-2) : text.slice(-1);
