import type { Needle } from './find-needle.ts';

/** Whether a line, as characters of Latin-1, may hold a piece behind escapes, colours or accents. */
export function lookCloser({ pieces, besides }: Needle): (line: string) => boolean {
  const matcher = new RegExp(pieces.map((piece) => loosePattern(piece, besides)).join('|'), 'i');
  return (line) => matcher.test(ESCAPED.test(line) ? line.replace(SEQUENCE, '') : line);
}

/** First bytes of letters that are an ASCII letter in another case, or lose an accent when they are folded. */
export const SUSPECTS: Readonly<Record<Needle['besides'], RegExp | null>> = {
  none: null,
  case: /\xc5\xbf|\xe2\x84\xaa/g,
  accents: /[\xc3-\xc9\xcc\xcd]|\xe1[\xb8-\xbb]|\xe2\x84[\xaa\xab]/g,
};

/** Whether an escaped character may be a part of what is looked for, or of a colour in the middle of it. */
export const isSuspect = (code: number, besides: Needle['besides']): boolean =>
  code === 0x1b ||
  (code >= 0x20 && code < 0x7f) ||
  (code >= 0x80 && code < 0xa0) ||
  code >= 0x1100 ||
  (besides !== 'none' && ((code >= 0xc0 && code < 0x250) || (code >= 0x300 && code < 0x370)));

/** Sequences of terminals as JSON has them. */
const ESCAPED = /\\u00(?:1b|9)/i;
const SEQUENCE =
  /(?:\\u001b\[|\\u009b)[0-?]*[ -/]*[@-~]|(?:\\u001b[\]PX^_]|\\u009[0d8ef])(?:(?!\\u00(?:07|1b|9c)|\\n)[\s\S]){0,4096}(?:\\u0007|\\u001b\\\\|\\u009c)?|\\u001b(?:\\\\|[ -/]*[0-~])/gi;

const ESCAPE = String.raw`\\u[0-9a-f]{4}`;
const ACCENTED = String.raw`[\xc3-\xc9][\x80-\xbf]|\xe1[\xb8-\xbb][\x80-\xbf]|\xe2\x84[\xaa\xab]`;
const MARKS = String.raw`(?:[\xcc\xcd][\x80-\xbf]|\\u03[0-6][0-9a-f])*`;

/** Each character as it stands or escaped; a letter also with an accent. */
function loosePattern(piece: string, besides: Needle['besides']): string {
  const quoted = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  const isPlain = besides === 'none';
  return [...piece]
    .map((char) => {
      const forms = [...new Set([char, char.normalize('NFD')])];
      const raw = forms.map((form) => quoted(Buffer.from(form).toString('latin1')));
      // Apart from each other they are several escapes.
      const escapes = forms.map((form) => ESCAPE.repeat(form.length));
      return `(?:${[...raw, ...escapes, ...(isPlain ? [] : [ACCENTED])].join('|')})${isPlain ? '' : MARKS}`;
    })
    .join('');
}
