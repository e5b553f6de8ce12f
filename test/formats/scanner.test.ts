import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Scanner } from '../../src/formats/lines/index.ts';
import { isAscii } from '../../src/model/index.ts';
import { jsonObject, jsonText, jsonWord } from '../kit/random-json.ts';

/** `FC_RUNS=50000 npx vitest run test/formats/scanner.test.ts` looks further. */
const numRuns = Number(process.env.FC_RUNS ?? 2000);

const PATHS = {
  a: 'a',
  b: 'b',
  inner: 'b.b',
  deep: 'b.b.b',
  eight: 'b.12345678',
  sixteen: '1234567890123456',
  longer: '1234567890abcdefghij',
  proto: '__proto__',
  beyond: 'é✓',
  list: 'list',
  element: 'list[]',
  name: 'list[].a',
  of: 'list[].b',
  ofOf: 'list[].b.b',
} as const;
const scanner = new Scanner(PATHS);
const { slots } = scanner;

const take = (text: string): boolean => {
  const bytes = Buffer.from(text);
  return scanner.scan(bytes, isAscii(bytes));
};

const member = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
const valueAt = (value: unknown, path: string): unknown => path.split('.').filter(Boolean).reduce(member, value);

/** What a text says, as `JSON.parse` has it. */
function parsed(text: string): readonly unknown[] {
  const value = JSON.parse(text);
  const list = member(value, 'list');
  const elements: readonly unknown[] = Array.isArray(list) ? list : [];
  const units = [...text.matchAll(/\\(?:u([0-9a-fA-F]{4})|.)/g)].flatMap(([, unit]) => unit ?? []);
  const values = Object.values(PATHS).map((path) => {
    const [before, inside] = path.split('[]') as [string, string?];
    return inside === undefined ? valueAt(value, before) : elements.map((element) => valueAt(element, inside));
  });
  return [elements.length, units.length > 0, units.some((unit) => Number.parseInt(unit, 16) > 0x7f), ...values];
}

/** The same of the line that was scanned last. */
function scanned(): readonly unknown[] {
  const { elements, hasUnits, escapesBeyondAscii } = scanner;
  const values = Object.entries(PATHS).map(([name, path]) => {
    const slot = slots[name as keyof typeof PATHS];
    return path.includes('[]')
      ? Array.from({ length: elements }, (_, i) => scanner.value(slot, i))
      : scanner.value(slot);
  });
  return [elements, hasUnits, escapesBeyondAscii, ...values];
}

/** Whether it was taken; it may be left to the parser, but not be taken for something else. */
function isTaken(text: string): boolean {
  const isScanned = take(text);
  if (isScanned) expect(scanned()).toStrictEqual(parsed(text));
  return isScanned;
}

const KEYS = [...new Set(Object.values(PATHS).flatMap((path) => path.split(/\.|\[\]/)))].map((key) => `"${key}"`);
const ODD_KEYS = '"\\u0061" "\\u0062" "li\\u0073t" "A" "1234567890abcdefghiJ" "1234567" "é" "a\\/"'.split(' ');
const often = { list: '"list"', object: '"b"' };
const usual = jsonObject({ ...often, keys: fc.constantFrom(...KEYS), areUnique: true });
const keys = fc.oneof(fc.constantFrom(...KEYS), fc.constantFrom(...ODD_KEYS), jsonText);
const any = jsonObject({ ...often, keys, areUnique: false });

describe('a line that was scanned says what it says parsed', () => {
  test('a usual line is taken', () => {
    fc.assert(
      fc.property(usual, (line) => {
        expect(isTaken(line)).toBe(true);
      }),
      { numRuns },
    );
  });

  test('any line is, or is left to the parser', () => {
    let taken = 0;
    fc.assert(
      fc.property(any, (line) => {
        if (isTaken(line)) taken++;
      }),
      { numRuns },
    );
    expect(taken).toBeGreaterThan(numRuns / 4);
  });

  test.each([
    ['nothing', '{}', true],
    ['two members of one name', '{"a":1,"a":2}', false],
    ['two of one name that nobody asks for', '{"x":1,"x":2,"a":{"b":1,"b":2}}', true],
    ['a name with an escape', '{"\\u0061":1}', false],
    ['one where nobody asks for names', '{"a":{"\\u0061":1}}', true],
    ['an empty name', '{"":1,"a":2,"b":{"":3}}', true],
    ['names inside of another type', '{"b":[{"b":1}],"list":{"a":1}}', true],
    ['lists in the list', '{"list":[[{"a":1}],{"a":[{"a":2}]},3]}', true],
    ['texts with escapes in the list', '{"list":["\\n","plain",{"a":"\\u00e9"}]}', true],
    ['64 elements', `{"list":[${'{"a":1},'.repeat(63)}{"a":2}]}`, true],
    ['65 elements', `{"list":[${'{"a":1},'.repeat(64)}{"a":2}]}`, false],
    ['very many elements of another list', `{"a":[${'1,'.repeat(999)}1]}`, true],
    ['deep', `{"a":${'[{"a":'.repeat(40)}1${'}]'.repeat(40)}}`, true],
    ['too deep', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, false],
    ['a byte order mark', '\ufeff{"a":1}', false],
    ['no object', '[{"a":1}]', false],
    ['1 MiB', `{"a":"${'x'.repeat(2 ** 20 - 8)}"}`, true],
    ['more than 1 MiB', `{"a":"${'x'.repeat(2 ** 20 - 7)}"}`, false],
  ])('%s', (_, line, isUsual) => {
    expect(isTaken(line)).toBe(isUsual);
  });

  test('texts of any length, with a sign at any place', () => {
    const wrong: string[] = [];
    for (const length of [...Array(52).keys(), 63, 64, 65, 111, 112, 113, 127, 128, 129, 175, 176, 177])
      for (let at = 0; at <= length; at++)
        for (const sign of SIGNS) {
          const line = `{"a":"${'x'.repeat(at)}${sign}${'y'.repeat(length - at)}"}`;
          const value = take(line) ? scanner.value(slots.a) : null;
          if (value !== (tryParse(line)?.a ?? null)) wrong.push(line);
        }
    expect(wrong).toEqual([]);
  });
});

/** Long ones, mostly of backslashes and quotes: whether a sign is escaped depends on all that stands before it. */
test('runs of escapes, across any place', () => {
  const plain = fc.nat({ max: 70 }).map((length) => 'abcdefghij'.repeat(7).slice(0, length));
  const escapes = fc.constantFrom(...'\\n \\" \\\\ \\/ \\b \\f \\r \\t \\u001b \\u00e9 é \x7f'.split(' '));
  const run = fc.array(escapes, { maxLength: 40 }).map((parts) => parts.join(''));
  const backslashes = fc.nat({ max: 70 }).map((count) => '\\\\'.repeat(count));
  const odd = fc.constantFrom(...'\\ \\x \\u12 " \0 \x1f \n'.split(' '), '');
  const pieces = fc.array(fc.oneof(plain, run, backslashes), { maxLength: 8 });
  let taken = 0;
  fc.assert(
    fc.property(pieces, fc.oneof({ weight: 3, arbitrary: fc.constant('') }, odd), pieces, (before, sign, after) => {
      const line = `{"b":"${[...before, sign, ...after].join('')}","a":"${before.join('')}"}`;
      const value = tryParse(line);
      if (!value) expect(take(line)).toBe(false);
      // A quote may have made names of the rest.
      else if (isTaken(line)) taken++;
      else expect(sign).not.toBe('');
    }),
    { numRuns },
  );
  expect(taken).toBeGreaterThan(numRuns / 4);
});

const SIGNS = ['', ...'" \\ \\" \\\\ \\\\" \\n \\x \\u001b \\u00e9 \\u12 \t \0 \x1f é'.split(' ')];

function tryParse(line: string): { readonly a?: unknown } | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

describe('what cannot be parsed is not taken', () => {
  const SOUP =
    '{ } [ ] , : " "a" "b" \\ \\u00g9 \\x \t \u0001 \0 \u00a0 \ufeff 01 - +1 -. 1. .5 1e 1e+ 0x1 tru nul NaN é /**/';
  const part = fc.oneof(fc.constantFrom(...SOUP.split(' ')), jsonText, jsonWord);

  test('nor what is made of pieces, nor a line with a wrong one, nor a part of one', () => {
    let taken = 0;
    const spoilt = fc.tuple(fc.oneof(usual, any), fc.nat(), fc.nat({ max: 3 }), fc.oneof(fc.constant(''), part));
    const line = fc.oneof(
      fc.array(part, { maxLength: 20 }).map((parts) => `{${parts.join('')}`),
      spoilt.map(([said, at, length, piece]) => {
        const place = at % (said.length + 1);
        return (said.slice(0, place) + piece + said.slice(place + length)).toWellFormed();
      }),
      spoilt.map(([said, at]) => said.slice(0, at % said.length).toWellFormed()),
    );
    fc.assert(
      // Where it cannot be parsed, `isTaken` fails.
      fc.property(line, (said) => {
        if (isTaken(said)) taken++;
      }),
      { numRuns: 2 * numRuns },
    );
    expect(taken).toBeGreaterThan(0);
  });

  test('numbers and words in every spelling', () => {
    let spellings = ['', 'true', 'false', 'null'].flatMap((word) => [
      word,
      ...Array.from(word, (_, at) => `${word.slice(0, at)}x${word.slice(at + 1)}`),
    ]);
    spellings.push(...spellings.map((word) => word.slice(1)), ...spellings.map((word) => word.slice(0, -1)));
    for (let length = 1, all = ['']; length <= 5; length++) {
      all = all.flatMap((begun) => [...'01-+.e'].map((sign) => begun + sign));
      spellings = spellings.concat(all);
    }
    const wrong = spellings.filter((word) => take(`{"a":${word}}`) !== (tryParse(`{"a":${word}}`) !== undefined));
    expect(wrong).toEqual([]);
  });

  test('whatever is left of the line before', () => {
    for (const line of ['{"a":true}', '{"a":"b\\u0041\\""}', '{"a":-12.5e+3}', '{"list":[null,false]}'])
      for (let end = 0; end < line.length; end++) expect([take(line), take(line.slice(0, end))]).toEqual([true, false]);
  });
});
