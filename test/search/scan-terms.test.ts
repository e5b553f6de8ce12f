import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TermScanner } from '../../src/search/volume/scan-terms.ts';
import { TermTable } from '../../src/search/volume/term-table.ts';
import { wordsIn } from '../../src/search/words.ts';

function termsOf(text: string): string[] {
  const table = new TermTable();
  const scanner = new TermScanner(table);
  scanner.scan(text);
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
