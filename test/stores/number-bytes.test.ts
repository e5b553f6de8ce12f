import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NumberReader, NumberWriter } from '../../src/stores/sqlite/number-bytes.ts';

const numRuns = Number(process.env.FC_RUNS ?? 100);

/** Of all sizes, not only large ones. */
const size = fc.integer({ min: 0, max: 53 }).chain((bits) => fc.maxSafeNat().map((value) => value % 2 ** bits));

const writer = new NumberWriter();
const written = (numbers: readonly number[]): Uint8Array => {
  writer.begin(numbers.length);
  for (const number of numbers) writer.number(number);
  return writer.end();
};

test('M8: numbers come back from their bytes, which sort as they do', () => {
  fc.assert(
    fc.property(size, size, size, (a, b, c) => {
      const values = [written([a, b, c]), written([c, b, a])] as const;
      for (const [bytes, numbers] of [[values[0], [a, b, c]] as const, [values[1], [c, b, a]] as const]) {
        const reader = new NumberReader(bytes);
        expect(numbers.map(() => reader.number())).toEqual(numbers);
        expect(reader.isAtEnd).toBe(true);
      }
      expect(Math.sign(Buffer.compare(...values))).toBe(Math.sign(a - c));
    }),
    { numRuns: numRuns * 5 },
  );
});

test('M8: small numbers take one byte, also below zero; what was written before stays', () => {
  const first = written([1, 127, 128]);
  expect([...first]).toEqual([1, 127, 0x80, 128]);
  writer.begin(3, 2);
  for (const number of [-1, 0, 63]) writer.signed(number);
  writer.bytes(new Uint8Array([7, 8]));
  const reader = new NumberReader(writer.end());
  expect([reader.signed(), reader.signed(), reader.signed(), [...reader.bytes(2)]]).toEqual([-1, 0, 63, [7, 8]]);
  expect([...first]).toEqual([1, 127, 0x80, 128]);
});
