import { stripEscapes } from '../model/index.ts';
import type { Span } from './find-leaf.ts';

/** A piece of a snippet; what was looked for is marked. It is plain text: who shows it escapes it. */
export interface SnippetPart {
  readonly text: string;
  readonly marked: boolean;
}

export const WIDTH = 160;
/** So much of a window stands before its first mark. */
const leadOf = (width: number): number => Math.floor(width / 4);

/** One line of a text around the marks that stand closest together, with ellipses where it was cut. */
export function snippetOf(text: string, spans: readonly Span[], width: number = WIDTH): SnippetPart[] {
  const start = windowStart(text, spans, width);
  const end = Math.min(text.length, wordEnd(text, start + width));
  const parts: SnippetPart[] = [];
  const add = (from: number, to: number, marked: boolean): void => {
    const line = oneLine(text.slice(from, to));
    const last = parts.at(-1);
    // A break between two pieces is one space, not two.
    const clean = last?.text.endsWith(' ') || !last ? line.replace(/^ /, '') : line;
    if (clean !== '') parts.push({ text: clean, marked });
  };
  let done = start;
  for (const span of spans) {
    if (span.end <= start || span.start >= end) continue;
    const [from, to] = [Math.max(start, span.start), Math.min(end, span.end)];
    add(done, from, false);
    add(from, to, true);
    done = to;
  }
  add(done, end, false);
  if (start > 0) parts.unshift({ text: '… ', marked: false });
  if (end < text.length) parts.push({ text: ' …', marked: false });
  return parts;
}

/** The window with the most marks; the first of them where several have as many. */
function windowStart(text: string, spans: readonly Span[], width: number): number {
  let best = spans[0];
  let most = 0;
  let end = 0;
  for (const [i, span] of spans.slice(0, MOST_LOOKED_AT).entries()) {
    end = Math.max(end, i);
    while (end < spans.length && (spans[end]?.end ?? 0) <= span.start + width - leadOf(width)) end++;
    if (end - i > most) [most, best] = [end - i, span];
  }
  if (!best) return 0;
  const wanted = Math.max(0, Math.min(best.start - leadOf(width), text.length - width));
  return wanted === 0 ? 0 : wordStart(text, wanted, best.start);
}

const MOST_LOOKED_AT = 1000;

/** Cut between words, where there is a space nearby; never inside a character. */
function wordStart(text: string, at: number, before: number): number {
  const space = text.slice(at, Math.min(before, at + 20)).search(/\s/);
  return space < 0 ? characterAround(text, at).start : at + space + 1;
}

function wordEnd(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const space = text.slice(at, at + 20).search(/\s/);
  return space < 0 ? characterAround(text, at).end : at + space;
}

/** Hardly a character is longer. */
const NEAR = 32;
let segmenter: Intl.Segmenter | null = null;

/** The character that a place lies inside of, with what joins it; nothing between two of them. */
function characterAround(text: string, at: number): Span {
  if (at === 0 || text.charCodeAt(at) < 0x80) return { start: at, end: at };
  const from = Math.max(0, at - NEAR);
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  const found = segmenter.segment(text.slice(from, at + NEAR)).containing(at - from);
  if (!found || found.index === at - from) return { start: at, end: at };
  return { start: from + found.index, end: from + found.index + found.segment.length };
}

/** Neither breaks nor what a terminal would obey, nor marks that turn the writing direction. */
const oneLine = (text: string): string =>
  stripEscapes(text)
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]/g, '')
    .replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ')
    .toWellFormed();
