import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldWithPlaces } from '../../src/search/fold.ts';
import { fold, matcherOf, parseQuery, termsOf, wordsIn } from '../../src/search/index.ts';
import { searched } from '../kit/searched.ts';

const terms = (text: string): string[] => wordsIn(text).map(({ term }) => term);

const finds = (query: string, text: string): boolean =>
  matcherOf({ clause: parseQuery(query) }).matches(searched(text));

describe('M13 words', () => {
  test.each([
    ['Fix the clock.', ['fix', 'the', 'clock']],
    ['parse_zebra-quux', ['parse', 'zebra', 'quux']],
    ['parseZebra', ['parsezebra', 'parse', 'zebra']],
    ['HTTPServer2Go', ['httpserver2go', 'http', 'server2', 'go']],
    ['utf8Decoder SHA256', ['utf8decoder', 'utf8', 'decoder', 'sha256']],
    ['src/a/b.test.ts', ['src', 'a', 'b', 'test', 'ts']],
    ['c++ and C# and i++;', ['c', 'c++', 'and', 'c', 'c#', 'and', 'i', 'i++']],
    ['Café ÉCOLE naïve', ['cafe', 'ecole', 'naive']],
    ['cafe\u0301', ['cafe']],
    ['ΟΔΟΣ οδός', ['οδοσ', 'οδοσ']],
    ['İstanbul', ['istanbul']],
    ['日本語', ['日本', '本語', '語']],
    ['日', ['日']],
    ['日本語abc', ['日本', '本語', '語', 'abc']],
    ['ガガ', ['ガガ', 'ガ']],
    ['한국어', ['한국', '국어', '어']],
    ['한국'.normalize('NFD'), ['한국', '국']],
    ['…→ 👩‍👧', []],
  ])('of %j are %j', (text, expected) => {
    expect(terms(text)).toEqual(expected);
  });

  test('are no longer than 64 units, and never half a character', () => {
    expect(terms('x'.repeat(200))).toEqual(['x'.repeat(64)]);
    expect(terms(`${'x'.repeat(63)}𝒳y`)[0]).toBe('x'.repeat(63));
  });

  test('lie inside the text, and say what stands there', () => {
    fc.assert(
      fc.property(text, (given) => {
        for (const { term, start, end } of wordsIn(given)) {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(given.length);
          expect(wordsIn(given.slice(start, end)).map((word) => word.term)).toContain(term);
        }
      }),
    );
  });
});

const piece = fc.constantFrom(
  ...[
    'parse',
    'Zebra',
    'QUUX',
    '_',
    '-',
    '/',
    '.',
    ' ',
    '\n',
    '++',
    '#',
    '8',
    'é',
    'e\u0301',
    'İ',
    'ß',
    'ς',
    '日',
    '本',
    '語',
    'ガ',
    '한',
    '👩‍👧',
    '𝒳',
    '\u0301',
  ],
);
const text = fc.oneof(
  fc.array(piece, { maxLength: 12 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary' }),
);

test('M13 of folded text every unit comes from somewhere, and its white space is one space where that is asked for', () => {
  fc.assert(
    fc.property(text, fc.constantFrom('kept' as const, 'one' as const), (given, spaces) => {
      const folded = foldWithPlaces(given, spaces);
      const places = folded.from ?? Int32Array.from({ length: given.length + 1 }, (_, i) => i);
      expect(places.length).toBe(folded.text.length + 1);
      expect([...places]).toEqual([...places].sort((a, b) => a - b));
      if (spaces === 'kept') expect(folded.text).toBe(fold(given));
      else expect(folded.text).toBe(fold(given.replace(/\s+/g, ' ')));
    }),
    { numRuns: 2000 },
  );
});

describe('M13 what a word finds', () => {
  test.each([
    ['zebra', 'the ZEBRA ran', true],
    ['zebra', 'parseZebra', true],
    ['zebra', 'parse_zebra_quux', true],
    ['zebra', 'zebras', false],
    ['zebra*', 'zebras', true],
    ['zebra*', 'parseZebraQuux', true],
    ['ebra*', 'zebra', false],
    ['parseZebra', 'call PARSEZEBRA()', true],
    ['parseZebra', 'parsezebra', true],
    ['parseZebra', 'parse zebra', false],
    ['parseZebra', 'parse_zebra', false],
    ['parse_zebra_quux', 'x.PARSE_ZEBRA_QUUX()', true],
    ['parse_zebra_quux', 'parse zebra quux', false],
    ['parse_zebra', 'parse_zebra_quux', false],
    ['parse_zebra*', 'parse_zebra_quux', true],
    ['src/a/b.ts', '/home/ada/src/a/b.ts:12', true],
    ['src/a/b.ts', '/home/ada/src/a/b.tsx', false],
    ['foo.bar', 'foo.bar()', true],
    ['foo.bar', 'foo bar', false],
    ['--flag', 'run it with --flag on', true],
    ['--flag', 'raise the flag', false],
    ['c++', 'written in C++17', true],
    ['c++', 'abc++', false],
    ['c#', 'C# and F#', true],
    ['c', 'C# and F#', true],
    ['cafe', 'Café', true],
    ['CAFÉ', 'cafe', true],
    ['日本', 'これは日本語です', true],
    ['本日', '日本', false],
    ['語', '日本語です', true],
    ['日', '日本', true],
    ['foo日本', 'xfoo日本語', false],
    ['foo日本', 'foo日本語', true],
  ])('%s in %j: %s', (query, given, expected) => {
    expect(finds(query, given)).toBe(expected);
  });

  test('a word is found exactly where it is one of the words of the text', () => {
    fc.assert(
      fc.property(
        text,
        fc.constantFrom('parse', 'Zebra', 'parseZebra', 'zebraquux', '8', 'e', 'İ', 'ς', '𝒳'),
        (given, word) => {
          const { terms: needed, isLiteral } = termsOf({ as: 'word', text: word, prefix: false });
          expect(isLiteral).toBe(false);
          expect(finds(word, given)).toBe(wordsIn(given).some(({ term }) => term === needed[0]?.term));
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('what is found has the terms that an index looks for', () => {
    const leaf = fc.oneof(
      fc.record({ as: fc.constant('word' as const), text, prefix: fc.boolean() }),
      fc.record({ as: fc.constant('phrase' as const), text }),
    );
    fc.assert(
      fc.property(leaf, text, text, (given, before, after) => {
        const { terms: needed } = termsOf(given);
        fc.pre(needed.length > 0);
        const whole = `${before}${given.text}${after}`;
        if (!matcherOf({ clause: given }).matches(searched(whole))) return;
        const has = new Set(terms(whole));
        for (const { term, prefix } of needed)
          expect(prefix ? [...has].some((each) => each.startsWith(term)) : has.has(term)).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  test('megabytes without a space are gone through once', () => {
    const run = 'ab'.repeat(500_000);
    expect(finds('ab', run)).toBe(false);
    expect(finds('ab', `${run} ab`)).toBe(true);
  });
});

describe('M13 phrases', () => {
  test.each([
    ['"red fox"', 'The Red\n  Fox ran', true],
    ['"red fox"', 'bored fox', false],
    ['"red fox"', 'red foxes', false],
    ['"red fox"', 'fox red', false],
    ['"fix: the parser"', 'fix: the parser.', true],
    ['"fix: the parser"', 'fix the parser', false],
    ['"say \\"hi\\""', 'please say "hi" now', true],
    ['"日本 語"', '日本 語です', true],
    ['"zebra"', 'parseZebra', false],
  ])('%s in %j: %s', (query, given, expected) => {
    expect(finds(query, given)).toBe(expected);
  });
});

describe('M13 what must be there and what must not', () => {
  test.each([
    ['red fox', 'a fox, red', true],
    ['red fox', 'a fox', false],
    ['red OR fox', 'a fox', true],
    ['red -fox', 'red', true],
    ['red -fox', 'red fox', false],
    ['red -"big fox"', 'red fox', true],
    ['(red OR blue) fox', 'blue fox', true],
    ['red AND fox', 'a fox, red', true],
    ['-(red OR blue)', 'green', true],
    ['-(red OR blue)', 'blue', false],
  ])('%s in %j: %s', (query, given, expected) => {
    expect(finds(query, given)).toBe(expected);
  });
});
