import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { claudeCode } from '../../src/formats/claude-code/index.ts';
import { pi } from '../../src/formats/pi/index.ts';
import { RawPhrase } from '../../src/ingest/raw-phrase.ts';
import { StoredText } from '../../src/ingest/stored-text.ts';
import { joinTexts, lineTexts } from '../../src/messages/index.ts';
import { type Format, stripEscapes } from '../../src/model/index.ts';
import { fold, matcherOf, NO_ATTRIBUTES, parseQuery } from '../../src/search/index.ts';
import { backends, find, findSlowly, idsOf, writeRoot } from '../kit/search-backends.ts';
import {
  assistant,
  factsOf,
  type Json,
  piAssistant,
  piEntry,
  piMessage,
  toolResult,
  toolUse,
  user,
} from '../kit/transcript.ts';

const phraseOf = (text: string): RawPhrase => {
  const phrase = RawPhrase.of(parseQuery(`"${text}"`));
  if (!phrase) throw new Error(`not told from bytes: ${text}`);
  return phrase;
};

/** What the messages of one line say, beside prompts. */
function textsOf(bytes: Uint8Array, format: Format = claudeCode): string[] {
  const reader = format.open(factsOf(format, 's.jsonl'), undefined, { survey: false });
  const read = reader.next(bytes, { file: 's.jsonl', line: 1, offset: 0, bytes: bytes.length });
  return lineTexts(read.blocks()).map(({ texts }) => stripEscapes(joinTexts(texts)));
}

const finds = (phrase: string, text: string): boolean =>
  matcherOf({ clause: parseQuery(`"${phrase}"`) }).matches({ ...NO_ATTRIBUTES, text });

const WORDS = [
  'in',
  'is',
  'it',
  'In',
  'within',
  'isn',
  'ín',
  'i\u0301n',
  'ｉs',
  '1in',
  'in_',
  'K',
  'it\ufe0f',
  'true',
  '日本',
];
const GAPS = [
  ' ',
  '\n',
  '\t',
  '  ',
  '\r\n',
  '\u00a0',
  '\u3000',
  '—',
  '✓',
  '"',
  ',',
  '\\',
  '\\n',
  '\u001b[31m',
  '_',
  '',
  '😀',
  '\u0301',
  '\f',
  '\b',
  '\v',
];
const text = fc
  .array(fc.tuple(fc.constantFrom(...GAPS), fc.constantFrom(...WORDS)), { maxLength: 8 })
  .map((parts) => parts.flat().join(''));

const line = fc.oneof(
  fc.array(text, { maxLength: 3 }).map((texts) =>
    assistant(
      'a',
      null,
      texts.map((each) => ({ type: 'text', text: each })),
    ),
  ),
  fc
    .array(text, { maxLength: 3 })
    .map((texts) => assistant('a', null, [toolUse('T', 'X', { b: texts, c: { d: 1, e: true } })])),
  text.map((output) => user('r', 'a', [toolResult('T', output)], { toolUseResult: { stdout: output } })),
  fc.array(text, { maxLength: 3 }).map((texts) =>
    user('r', 'a', [
      toolResult(
        'T',
        texts.map((each) => ({ type: 'text', text: each })),
      ),
    ]),
  ),
);

test('M14 a line that is passed over by its bytes does not hold the phrase', () => {
  fc.assert(
    fc.property(line, fc.constantFrom('in is', 'in is it', 'it it', 'is  in', 'k in'), (given: Json, phrase) => {
      const bytes = Buffer.from(JSON.stringify(given));
      if (!phraseOf(phrase).mayBeIn(bytes, true))
        expect(textsOf(bytes).filter((each) => finds(phrase, each))).toEqual([]);
    }),
    { numRuns: 2000 },
  );
});

const texts = fc.array(text, { maxLength: 3 });
const piBlocks = texts.map((each) => each.map((one) => ({ type: 'text', text: one })));
const piLine = fc.oneof(
  fc.oneof(text, piBlocks).map((content) => piMessage('u', null, { role: 'user', content })),
  fc
    .tuple(piBlocks, texts)
    .map(([blocks, b]) =>
      piAssistant('a', null, [...blocks, { type: 'toolCall', id: 'T', name: 'X', arguments: { b, c: 1, d: true } }]),
    ),
  piBlocks.map((content) => piMessage('r', 'a', { role: 'toolResult', toolCallId: 'T', toolName: 'X', content })),
  fc
    .tuple(text, text)
    .map(([command, output]) => piMessage('b', null, { role: 'bashExecution', command, output, exitCode: 1 })),
  text.map((summary) => piEntry('compaction', 'c', 'a', { summary, firstKeptEntryId: 'a', tokensBefore: 9 })),
  text.map((summary) => piEntry('branch_summary', 's', 'a', { summary, fromId: 'b' })),
  fc
    .oneof(text, piBlocks)
    .map((content) => piEntry('custom_message', 'm', 'a', { customType: 'x', content, display: true })),
);

test('M14 the same of lines of Pi', () => {
  let found = 0;
  fc.assert(
    fc.property(piLine, fc.constantFrom('in is', 'in is it', 'it it', 'is  in', 'k in'), (given: Json, phrase) => {
      const bytes = Buffer.from(JSON.stringify(given));
      const holding = textsOf(bytes, pi).filter((each) => finds(phrase, each));
      if (!phraseOf(phrase).mayBeIn(bytes, true)) expect(holding).toEqual([]);
      found += holding.length;
    }),
    { numRuns: Number(process.env.FC_RUNS ?? 2000), seed: 7 },
  );
  expect(found).toBeGreaterThan(20);
});

test.each([
  ['a color', user('r', 'a', [toolResult('T', 'in\u001b[31m is')])],
  ['white space', assistant('a', null, [toolUse('T', 'X', { a: ['it', 'in \t\n is'] })])],
  ['an escape before', user('r', 'a', [toolResult('T', 'it\nin\r\n is')])],
])('M14 a phrase with %s is seen in the bytes', (_, given) => {
  const bytes = Buffer.from(JSON.stringify(given));
  expect(textsOf(bytes).some((each) => finds('in is', each))).toBe(true);
  expect(phraseOf('in is').mayBeIn(bytes, true)).toBe(true);
});

test('M14 no character that folding makes a letter, a space or nothing is taken for another', () => {
  const lost: string[] = [];
  const look = (phrase: string, said: string): void => {
    if (!phraseOf(phrase).mayBeIn(Buffer.from(JSON.stringify({ text: said })), false) && finds(phrase, said))
      lost.push(said);
  };
  for (let code = 0x80; code < 0x1ffff; code++) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const sign = String.fromCodePoint(code);
    const letter = fold(sign);
    if (/^[a-z]+$/.test(letter)) look(`${letter} is`, `${sign} is`);
    const isOdd = letter === '' || fold(`n${sign}`) !== `n${letter}` || /\s/.test(sign);
    if (isOdd) for (const said of [`in${sign} is`, `in${sign}is`, `in is${sign}`]) look('in is', said);
  }
  expect(lost).toEqual([]);
});

test.each([
  ['words apart', 'in a is', false],
  ['words in another order', 'is in.', false],
  ['a part of a word', 'within is', false],
  ['other signs', '✓ in — is 日本', false],
  ['the phrase', 'It is In\nIS.', true],
  ['an accent', 'ín is', true],
])('M14 told from its bytes: %s', (_, said, expected) => {
  const bytes = Buffer.from(
    JSON.stringify({ type: 'assistant', message: { content: [{ type: 'text', text: said }] } }),
  );
  expect(phraseOf('in is').mayBeIn(bytes, true)).toBe(expected);
});

test('M14 of a long phrase the first words are looked for, however often a line repeats them', () => {
  const phrase = phraseOf(Array.from({ length: 1900 }, () => 'a').join(' '));
  const line = (words: number): Buffer =>
    Buffer.from(JSON.stringify({ text: `${'a '.repeat(words)}b `.repeat(20_000) }));
  expect([phrase.mayBeIn(line(7), false), phrase.mayBeIn(line(8), false)]).toEqual([false, true]);
});

test.each(['clock', 'in*', '-"in is"', '"in is" OR clock', '"c++ is"', '"日本 語"', '"true is"', '"in"'])(
  'M14 %s is not told from bytes',
  (query) => {
    expect(RawPhrase.of(parseQuery(query))).toBeNull();
  },
);

test.each(backends.filter(([name]) => name === 'the index'))(
  'M14 with %s lines whose words stand apart are not parsed',
  async (_, withSearch) => {
    const apart = Array.from({ length: 50 }, (_, i) =>
      user(`r${i}`, 'a', [toolResult(`T${i}`, 'red green x green blue')]),
    );
    const calls = apart.map((_, i) => toolUse(`T${i}`, 'Bash', { command: i === 7 ? 'red green blue' : 'ls' }));
    const root = writeRoot({ '-r/s.jsonl': [user('u', null, 'go'), assistant('a', 'u', calls), ...apart] });
    const textOf = vi.spyOn(StoredText.prototype, 'textOf');
    const lacks = vi.spyOn(StoredText.prototype, 'lacks');
    const found = await withSearch([root], (search) => find(search, '"red green blue"'));
    expect(idsOf(found)).toEqual(['a_tool_7']);
    expect(lacks.mock.results.filter(({ value }) => value === true)).toHaveLength(50);
    expect(textOf.mock.calls.length).toBeLessThan(5);
    vi.restoreAllMocks();
  },
);

const TAGGED = [
  '<command-name>/in</command-name>\n<command-args>is it</command-args>',
  '<bash-input>in is</bash-input>',
];
const session = fc
  .array(
    fc.tuple(fc.constantFrom('prompt', 'answer', 'more', 'call', 'result'), fc.oneof(text, fc.constantFrom(...TAGGED))),
    {
      minLength: 1,
      maxLength: 8,
    },
  )
  .map((said) =>
    said.map(([kind, each], i): Json => {
      const parent = i === 0 ? null : `m${i - 1}`;
      if (kind === 'prompt') return user(`m${i}`, parent, each);
      if (kind === 'result') return user(`m${i}`, parent, [toolResult(`T${i - 1}`, each)]);
      const content = kind === 'call' ? [toolUse(`T${i}`, 'X', { a: each })] : [{ type: 'text', text: each }];
      // Several lines of one answer share its id.
      return assistant(`m${i}`, parent, content, { id: kind === 'more' ? 'same' : `id${i}` });
    }),
  );

test('M14 whatever is passed over, an index finds the phrases that are there', async () => {
  const [, withIndex] = backends.find(([name]) => name === 'the index') ?? backends[0] ?? [];
  if (!withIndex) throw new Error('no index');
  await fc.assert(
    fc.asyncProperty(session, async (lines) => {
      const root = writeRoot({ '-r/s.jsonl': lines });
      for (const query of ['"in is"', '"is it"', '"it in is"'])
        expect(await withIndex([root], async (search) => idsOf(await find(search, query)))).toEqual(
          findSlowly(root, query),
        );
    }),
    { numRuns: 60 },
  );
});
