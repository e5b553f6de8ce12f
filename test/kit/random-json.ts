import fc from 'fast-check';

/** JSON as it may be written: with space anywhere, escapes that need not be, names that stand there twice, numbers in all spellings. */

const space = fc.constantFrom('', '', '', ' ', '\t', '\r', '\n', ' \n\r\t  ');
const digits = fc.nat({ max: 40 }).map((length) => '0123456789'.repeat(4).slice(0, length));
const ESCAPES =
  '\\n \\" \\\\ \\/ \\b \\f \\r \\t \\u001b \\u007F \\u0080 \\u00e9 \\u2713 \\ud83d\\ude00 \\uD800 \\\\u00e9';
const CHARACTERS = [...'a {],:/\x7fé✓😀\u2028\ufeff\ufffd'];

/** A string, with its quotes. */
export const jsonText: fc.Arbitrary<string> = fc
  .array(fc.oneof(digits, fc.constantFrom(...CHARACTERS), fc.constantFrom(...ESCAPES.split(' '))), { maxLength: 6 })
  .map((parts) => `"${parts.join('')}"`);

const WORDS = 'true false null 0 -0 7 -1 10 1.5 0.10 -0.0e0 1e5 1E+5 1e-7 0e0 1e400 123456789012345 1234567890123456';
export const jsonWord: fc.Arbitrary<string> = fc.constantFrom(
  ...WORDS.split(' '),
  '9007199254740993',
  '12345678901234567890',
);

type Member = readonly [key: string, written: string];

interface Keys {
  /** With their quotes. */
  readonly keys: fc.Arbitrary<string>;
  /** No object has two members of one name. */
  readonly areUnique: boolean;
  /** Of members that are mostly a list, or an object. */
  readonly list: string;
  readonly object: string;
}

export function jsonObject({ keys, areUnique, ...often }: Keys): fc.Arbitrary<string> {
  const write = (ends: string, parts: readonly string[], before: string, after: string): string =>
    `${ends[0]}${before}${parts.join(`${after},${before}`)}${after}${ends[1]}`;
  const { object } = fc.letrec<{ value: string; list: string; member: Member; object: string }>((tie) => ({
    value: fc.oneof({ maxDepth: 3 }, jsonText, jsonWord, tie('object'), tie('list')),
    list: fc
      .tuple(fc.array(tie('value'), { maxLength: 4 }), space, space)
      .map(([values, ...gaps]) => write('[]', values, ...gaps)),
    member: fc
      .oneof(
        { weight: 3, arbitrary: fc.tuple(keys, tie('value')) },
        fc.tuple(fc.constant(often.object), tie('object')),
        fc.tuple(fc.constant(often.list), tie('list')),
      )
      .chain(([key, value]) => space.map((gap): Member => [key, `${key}${gap}:${gap}${value}`])),
    object: fc
      .tuple(
        areUnique
          ? fc.uniqueArray(tie('member'), { maxLength: 6, selector: ([key]) => key })
          : fc.array(tie('member'), { maxLength: 6 }),
        space,
        space,
      )
      .map(([members, ...gaps]) =>
        write(
          '{}',
          members.map(([, written]) => written),
          ...gaps,
        ),
      ),
  }));
  return fc.tuple(space, object, space).map((parts) => parts.join(''));
}
