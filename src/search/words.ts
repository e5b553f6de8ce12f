import { CJK, cjk, fold, foldWithPlaces, placeOf } from './fold.ts';
import { whenNeeded } from './when-needed.ts';

/** Something that can be found by itself: a word, a part of an identifier, two neighbours of CJK text. */
export interface Word {
  readonly term: string;
  readonly start: number;
  readonly end: number;
}

/** Terms are no longer than this: nobody types more, and logs hold runs of megabytes. */
export const LONGEST = 64;

/**
 * The words of a text, in the order they begin. A run of letters and digits is a word; `_`, `-`, `/`, `.` and everything else separate.
 *
 *     parse_zebraQuux   parse, zebraquux, zebra, quux
 *     c++ c# HTTPServer c, c++, c, c#, httpserver, http, server
 *     日本語             日本, 本語, 語
 */
export function wordsIn(text: string): Word[] {
  const words: Word[] = [];
  for (const { 0: run, index } of text.matchAll(runs())) {
    const found = cjk().test(run) ? wordsOfStretch(run) : wordsOfRun(run);
    for (const { term, start, end } of found)
      words.push({ term: cutTerm(term), start: index + start, end: index + end });
    const after = index + run.length;
    const suffix = cjk().test(run) ? '' : suffixAt(text, after);
    if (suffix !== '') words.push({ term: cutTerm(fold(run)) + suffix, start: index, end: after + suffix.length });
  }
  return words;
}

const LETTER = String.raw`[\p{L}\p{N}\p{M}]`;
const runs = whenNeeded(() => new RegExp(`${CJK}+|[${LETTER}--${CJK}]+`, 'gv'));

/** Runs and stretches of CJK text, as they stand. */
export const runsIn = (text: string): { readonly run: string; readonly start: number; readonly isCjk: boolean }[] =>
  [...text.matchAll(runs())].map(({ 0: run, index }) => ({ run, start: index, isCjk: cjk().test(run) }));

/** What makes `c++` and `c#` of a `c`. */
export function suffixAt(text: string, at: number): '' | '++' | '#' {
  if (text.startsWith('++', at)) return '++';
  return text[at] === '#' ? '#' : '';
}

/** Never through the middle of a character. */
export const cutTerm = (term: string): string =>
  term.length <= LONGEST
    ? term
    : term.slice(0, /[\ud800-\udbff]/.test(term[LONGEST - 1] ?? '') ? LONGEST - 1 : LONGEST);

/** Between aB and ABc, also after digits: parse|Zebra, HTTP|Server, utf8|Decoder. */
const BOUNDARY = /(?<=\p{Ll}\p{M}*)(?=\p{Lu})|(?<=[\p{Lu}\p{N}]\p{M}*)(?=\p{Lu}\p{M}*\p{Ll})/gu;

/** A run and, where it is an identifier in camelCase, its parts. Terms are whole here. */
export function wordsOfRun(run: string): Word[] {
  const whole = fold(run);
  const words: Word[] = whole === '' ? [] : [{ term: whole, start: 0, end: run.length }];
  // Nobody named anything so: encoded bytes would give a part for every few letters.
  if (run.length > LONGEST) return words;
  let start = 0;
  const add = (end: number): void => {
    const term = fold(run.slice(start, end));
    if (term !== '') words.push({ term, start, end });
    start = end;
  };
  for (const { index } of run.matchAll(BOUNDARY)) add(index);
  if (start > 0) add(run.length);
  return words;
}

/** Neighbours, and the last character: so every character begins a term. */
function wordsOfStretch(stretch: string): Word[] {
  const folded = foldWithPlaces(stretch);
  const words: Word[] = [];
  const places: number[] = [];
  for (let at = 0; at < folded.text.length; at += String.fromCodePoint(folded.text.codePointAt(at) ?? 0).length)
    places.push(at);
  for (const [i, at] of places.entries()) {
    const end = places[i + 2] ?? folded.text.length;
    const [from, to] = placeOf(folded, at, end);
    words.push({ term: folded.text.slice(at, end), start: from, end: to });
  }
  return words;
}
