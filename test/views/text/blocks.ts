import fc from 'fast-check';
import type { CallBlock, ResultBlock } from '../../../src/model/index.ts';

const at = { file: 'f', line: 1, offset: 0, bytes: 1 };

export const call = (name: string, input: unknown): CallBlock => ({
  at,
  type: 'call',
  id: 'c',
  name,
  input,
});

export const result = (parts: { output?: unknown; detail?: unknown; isError?: boolean }): ResultBlock => ({
  at,
  type: 'result',
  of: 'c',
  output: parts.output,
  isError: parts.isError ?? false,
  ...('detail' in parts ? { detail: parts.detail } : {}),
});

const PARTS = [
  '\u001b[31m',
  '\u001b]0;x\u0007',
  '\u009b2J',
  '\r\n',
  '\n',
  '\t',
  '\u202e',
  '\u2028',
  '\ud83d\ude00',
  'Error: ',
  'a',
  ' ',
];
const nasty = fc.oneof(
  fc.string(),
  fc.array(fc.constantFrom(...PARTS), { maxLength: 8 }).map((parts) => parts.join('')),
);

/** Any JSON at all, often with the given keys, so that it looks like something known and is not. */
export const anyJson = (keys: readonly string[]): fc.Arbitrary<unknown> =>
  fc.letrec((tie) => ({
    json: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      nasty,
      fc.constantFrom(null, true, false, 0, -1, 1.5, 3),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.array(tie('json'), { maxLength: 3 }),
      fc.dictionary(fc.oneof(fc.constantFrom(...keys), nasty), tie('json'), { maxKeys: 5 }),
    ),
  })).json;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
export const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/;
