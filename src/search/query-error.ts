import { SkeinError } from '../model/index.ts';

/** A query that cannot be understood, with the place that is to blame. */
export class QueryError extends SkeinError {
  /** Units of the query's text. */
  readonly start: number;
  readonly end: number;

  constructor(query: string, start: number, end: number, message: string) {
    super('bad_input', `${message}\n${pointAt(query, start, end)}`);
    this.start = start;
    this.end = end;
  }
}

const SHOWN = 60;

/** The query, and below it marks under the place. */
function pointAt(query: string, start: number, end: number): string {
  const from = start > SHOWN ? start - SHOWN / 2 : 0;
  const shown = query.slice(from, Math.max(end, from + SHOWN) + SHOWN / 2);
  const before = from > 0 ? '…' : '';
  const visible = (text: string): string => text.replace(/[\p{C}\s]/gu, ' ');
  const space = columns(before + visible(query.slice(from, start)));
  const marks = Math.max(1, columns(visible(query.slice(start, Math.min(end, from + shown.length)))));
  return `  ${before}${visible(shown)}\n  ${' '.repeat(space)}${'^'.repeat(marks)}`;
}

/** CJK characters take two on a terminal, marks none. */
const columns = (text: string): number =>
  [...text].reduce((sum, char) => sum + (/\p{M}/u.test(char) ? 0 : WIDE.test(char) ? 2 : 1), 0);
const WIDE = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\u3000-\u303f\uff01-\uff60]|\p{Emoji_Presentation}/u;
