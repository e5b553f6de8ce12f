import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stripEscapes } from '../../src/model/index.ts';
import { TermScanner } from '../../src/search/volume/scan-terms.ts';
import { TERM_MASK, TermTable } from '../../src/search/volume/term-table.ts';
import { PIECE } from '../../src/search/volume/text-bytes.ts';
import { wordsIn } from '../../src/search/words.ts';

function termsOf(text: string, strip?: (text: string) => string): string[] {
  const table = new TermTable();
  const scanner = new TermScanner(table);
  scanner.scan(text, strip);
  return [...scanner.codes.subarray(0, scanner.length)].map((code) => table.text(code & 0xffffff));
}

const pieces = fc.constantFrom(
  ...[
    'parse',
    'Zebra',
    'HTTP',
    'Server',
    'utf8',
    'X',
    'x',
    '1',
    '_',
    '-',
    '/',
    '.',
    ' ',
    '\n',
    '++',
    '#',
    '+',
    'é',
    'É',
    'e\u0301',
  ],
  ...[
    'ß',
    'İ',
    'Σ',
    'ς',
    '漢',
    '字',
    'か',
    'が',
    'か\u3099',
    'カ',
    'ー',
    '한',
    '글',
    '\u1112\u1161\u11ab',
    '𠮷',
    '𝒜',
    '\ud800',
    'ñ',
    '\u0301',
    '٣',
  ],
  ...['ﬁ', 'Ǆ', 'ǅ', '½', '²', '😀', 'a'.repeat(70)],
);

test('M13: the terms of the index are the words of the search', () => {
  fc.assert(
    fc.property(
      fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
      (text) => {
        expect(termsOf(text)).toEqual(wordsIn(text).map(({ term }) => term));
      },
    ),
    { numRuns: 3000 },
  );
});

test('M13: any text gives the same terms both ways', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
      expect(termsOf(text)).toEqual(wordsIn(text).map(({ term }) => term));
    }),
    { numRuns: 2000 },
  );
});

const texts = fc.array(pieces, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''));

test('M13: where a long text is cut into pieces cannot be told from its terms and what stands between them', () => {
  const table = new TermTable();
  const codesOf = (text: string): number[] => {
    const scanner = new TermScanner(table);
    scanner.scan(text);
    return [...scanner.codes.subarray(0, scanner.length)];
  };
  fc.assert(
    fc.property(texts, fc.nat({ max: 40 }), (text, before) => {
      expect(codesOf(' '.repeat(PIECE - before) + text)).toEqual(codesOf(text));
    }),
    { numRuns: 300 },
  );
});

test('M13: a word may be longer than a piece', () => {
  fc.assert(
    fc.property(texts, texts, fc.integer({ min: PIECE - 20, max: 3 * PIECE }), (before, after, length) => {
      const text = `${before}${'0af'.repeat(length / 3)}${after}`;
      expect(termsOf(text)).toEqual(wordsIn(text).map(({ term }) => term));
    }),
    { numRuns: 100 },
  );
});

test('M13: escape sequences are no words, wherever they stand', () => {
  const escapes = fc.constantFrom('\u001b[31m', '\u001b[0', '\u001b', '\u009b1m', '\u001b]0;title\u0007', '\u001bM');
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, escapes), { maxLength: 12 }), fc.constantFrom(0, PIECE), (parts, before) => {
      const text = ' '.repeat(before) + parts.join('');
      const clean = text.includes('\u001b') ? stripEscapes(text) : text;
      expect(termsOf(text, stripEscapes)).toEqual(wordsIn(clean).map(({ term }) => term));
      expect(termsOf(text)).toEqual(wordsIn(text).map(({ term }) => term));
    }),
    { numRuns: 1000 },
  );
});

test('M13: what stands between words is told the same when it was seen before, and white space makes no difference', () => {
  const between = fc
    .array(
      fc.constantFrom(' ', '    ', '\n', '\t', '.', ',', '(', '"', '+', '#', '\0', '→', '—', '\u00a0', 'é', '漢'),
      { maxLength: 14 },
    )
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom('a', 'bC', 'word', 'largerThanEight'), between)), (words) => {
      const text = words.flat().join('');
      const scans = () => {
        const table = new TermTable();
        const scanner = new TermScanner(table);
        return (said: string): string[] => {
          scanner.forget(0);
          scanner.scan(said);
          return [...scanner.codes.subarray(0, scanner.length)].map(
            (code) => `${code >>> 24} ${table.text(code & TERM_MASK)}`,
          );
        };
      };
      const scan = scans();
      const first = scan(text);
      expect(scan(text)).toEqual(first);
      expect(scan(text.replaceAll(' ', '     '))).toEqual(first);
      // What stood at the beginning of a text may come again behind a word.
      const other = scans();
      for (const [, said] of words) other(`${said}word`);
      expect(other(text)).toEqual(first);
    }),
    { numRuns: 1000 },
  );
});
