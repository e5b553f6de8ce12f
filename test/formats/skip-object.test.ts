import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { skipObject } from '../../src/formats/lines/index.ts';

const numRuns = Number(process.env.FC_RUNS ?? 2000);

/** Where `JSON.parse` would end an object at the beginning of a text. */
function endOf(text: string): number {
  for (let end = text.indexOf('}') + 1; end > 0; end = text.indexOf('}', end) + 1)
    try {
      JSON.parse(text.slice(0, end));
      return Buffer.byteLength(text.slice(0, end));
    } catch {
      // It goes on.
    }
  return -1;
}

const skip = (text: string): number => skipObject(Buffer.from(text), 0, () => true);

const tokens = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  ' ',
  '"',
  '"a"',
  '"b\\n"',
  '"\\u00e9"',
  '"\\u00g9"',
  '"\\x"',
  '\\',
  '\t',
  '\u0001',
];
const words = [
  '1',
  '0',
  '01',
  '-',
  '-0',
  '1.',
  '.5',
  '1.5',
  '1e',
  '1e5',
  '1E+5',
  '1e-',
  'true',
  'tru',
  'null',
  'false',
  'é',
  '😀',
];
const long = '"long text that needs more than one look: 0123456789 abcdefghijklmnopqrstuvwxyz"';
const soup = fc
  .array(fc.constantFrom(...tokens, ...words, long), { maxLength: 30 })
  .map((parts) => `{${parts.join('')}`);
const object = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ stringUnit: 'binary' }), { maxKeys: 6 });

describe('H19: an object is passed over where it would be parsed', () => {
  test('whatever it holds', () => {
    fc.assert(
      fc.property(object, fc.constantFrom(undefined, 1), fc.string(), (value, space, behind) => {
        const text = JSON.stringify(value, null, space).toWellFormed();
        expect(skip(text + behind)).toBe(Buffer.byteLength(text));
      }),
      { numRuns },
    );
  });

  test('and not where it would not be', () => {
    fc.assert(
      fc.property(soup, (text) => {
        expect(skip(text)).toBe(endOf(text));
      }),
      { numRuns },
    );
  });

  test('with one wrong character', () => {
    fc.assert(
      fc.property(object, fc.nat(), fc.constantFrom(...tokens, ...words, ''), (value, at, wrong) => {
        const text = JSON.stringify(value).toWellFormed();
        const place = at % text.length;
        const spoilt = (text.slice(0, place) + wrong + text.slice(place + 1)).toWellFormed();
        expect(skip(spoilt)).toBe(spoilt.startsWith('{') ? endOf(spoilt) : -1);
      }),
      { numRuns },
    );
  });

  test('keys that may not be passed over are those of the object itself', () => {
    const keys: string[] = [];
    const bytes = Buffer.from('x{"a":{"b":1},"c":[{"d":2}],"e":"f"}');
    const end = skipObject(bytes, 1, (of, from, to) => {
      keys.push(Buffer.from(of).toString('utf8', from, to));
      return true;
    });
    expect([end, keys]).toEqual([bytes.length, ['a', 'c', 'e']]);
    expect(skipObject(bytes, 1, (_, from) => from < 10)).toBe(-1);
  });

  test('a very deep one is left to the parser', () => {
    expect(skip(`{"a":${'['.repeat(50)}${']'.repeat(50)}}`)).toBe(106);
    expect(skip(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)).toBe(-1);
  });
});
