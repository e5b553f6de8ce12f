import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashBytes, Scanner } from '../../src/formats/lines/index.ts';
import { isAscii } from '../../src/model/index.ts';
import { jsonObject, jsonText, jsonWord } from '../kit/random-json.ts';

const numRuns = Number(process.env.FC_RUNS ?? 1000);

const scanner = new Scanner({ a: 'a', b: 'b', name: 'list[].a' });
const { slots } = scanner;

const take = (text: string): boolean => {
  const bytes = Buffer.from(text);
  return scanner.scan(bytes, isAscii(bytes));
};

test('a text that was said before is the same text, and no other is', () => {
  const length = fc.oneof(fc.nat({ max: 20 }), fc.integer({ min: 100, max: 132 }));
  const value = fc
    .tuple(length, fc.nat({ max: 140 }), fc.constantFrom('x', 'y', 'é', '\\n', '\\"'))
    .map(([size, at, sign]) => `"${'x'.repeat(Math.min(at, size))}${sign}${'x'.repeat(Math.max(0, size - at - 1))}"`);
  const line = fc.record({ a: fc.nat(), b: fc.nat(), asked: fc.nat({ max: 7 }) });
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 4 }), fc.array(line, { maxLength: 12 }), (values, lines) => {
      for (const { a, b, asked } of lines) {
        const [first, second] = [a, b].map((n) => values[n % values.length] as string) as [string, string];
        expect(take(`{"list":[{"a":${second}}],"a":${first},"b":${second}}`)).toBe(true);
        const like = asked & 1 ? scanner.valueLike(slots.a, slots.b) : scanner.value(slots.b);
        expect([like, scanner.value(slots.name)]).toEqual([JSON.parse(second), JSON.parse(second)]);
        if (asked & 2) expect(scanner.value(slots.a)).toBe(JSON.parse(first));
        if (asked & 4) expect(scanner.valueLike(slots.b, slots.a)).toBe(JSON.parse(first));
      }
    }),
    { numRuns },
  );
});

test('H9 a hash is equal for equal values, however they are written and wherever they stand, and for no others', () => {
  const keys = fc.constantFrom('"a"', '"b"', '"é✓"', '"x y"', '"7"', '"10x"');
  const written = jsonObject({ list: '"list"', object: '"b"', keys, areUnique: true });
  const hashOf = (line: string, seed = 1): number => {
    expect(take(line)).toBe(true);
    return scanner.hash(slots.b, seed) ?? hashBytes(Buffer.from(JSON.stringify(scanner.value(slots.b))), seed);
  };
  fc.assert(
    fc.property(fc.oneof(written, jsonText, jsonWord), fc.nat(), (value, at) => {
      const hash = hashOf(`{"b":${value}}`);
      const usual = JSON.stringify(JSON.parse(value));
      expect(hashOf(`{"a":"é","b" :  ${usual} ,"x":1}`)).toBe(hash);
      expect(hashBytes(Buffer.from(usual), 1)).toBe(hash);
      expect(hashOf(`{"b":${value}}`, 2)).not.toBe(hash);
      const place = at % value.length;
      const changed = `${value.slice(0, place)}${value[place] === '7' ? '8' : '7'}${value.slice(place + 1)}`;
      const other = take(`{"b":${changed}}`) ? JSON.stringify(JSON.parse(changed)) : usual;
      if (other !== usual) expect(hashOf(`{"b":${changed}}`)).not.toBe(hash);
    }),
    { numRuns },
  );
});

test('a hash of bytes is the same in WebAssembly and in JavaScript', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.nat({ max: 9 }), (text, seed) => {
      const value = JSON.stringify(text);
      expect(take(`{"a":1,"b":${value}}`)).toBe(true);
      const hash = scanner.hash(slots.b, seed);
      // Lone surrogates are written as escapes.
      expect(hash ?? hashBytes(Buffer.from(value), seed)).toBe(hashBytes(Buffer.from(value), seed));
      if (text.isWellFormed()) expect(hash).not.toBeNull();
    }),
    { numRuns },
  );
});
