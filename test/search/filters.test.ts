import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compilePattern, matcherOf, parseQuery, type Searched, snippetOf } from '../../src/search/index.ts';
import { searched } from '../kit/searched.ts';

const passes = (query: string, more: Partial<Searched>): boolean =>
  matcherOf({ clause: parseQuery(query) }).matches(searched('some text', more));

describe('M13 filters', () => {
  test.each([
    ['project:clock', {}, true],
    ['project:CLOCK', {}, true],
    ['project:/home/ada', {}, true],
    ['project:tower', {}, false],
    ['session:5e55', {}, true],
    ['session:1011', {}, false],
    ['agent:claude', {}, true],
    ['agent:claude-code', {}, true],
    ['agent:pi', {}, false],
    ['type:user', {}, true],
    ['type:tool', { type: 'tool_result' }, true],
    ['type:tool_use', { type: 'tool_result' }, false],
    ['tool:bash', { tool: 'Bash' }, true],
    ['tool:bash', { tool: 'BashOutput' }, true],
    ['tool:bash', {}, false],
    ['tool:Bash,Read', { tool: 'Read' }, true],
    ['-tool:Bash', { tool: 'Bash' }, false],
    ['model:sonnet', { model: 'claude-sonnet-4-6' }, true],
    ['model:opus', { model: 'claude-sonnet-4-6' }, false],
    ['branch:MAIN', {}, true],
    ['branch:mai', {}, false],
    ['file:a.ts', { files: ['/r/src/a.ts'] }, true],
    ['file:src/a.ts', { files: ['/r/src/a.ts'] }, true],
    ['file:/r/src/a.ts', { files: ['/r/src/a.ts'] }, true],
    ['file:/src/a.ts', { files: ['/r/src/a.ts'] }, false],
    ['file:src', { files: ['/r/src/a.ts'] }, true],
    ['file:c/a.ts', { files: ['/r/src/a.ts'] }, false],
    ['file:a', { files: ['/r/src/a.ts'] }, false],
    ['file:src/*.ts', { files: ['/r/src/a.ts'] }, true],
    ['file:r/*.ts', { files: ['/r/src/a.ts'] }, false],
    ['file:./src/a.ts', { files: ['/r/src/a.ts'] }, true],
    ['file:s*c/*.t*', { files: ['/r/src/a.ts'] }, true],
    ['file:*c*b*', { files: ['/r/src/a.ts'] }, false],
    [`file:${'*a'.repeat(1000)}b`, { files: ['a'.repeat(4000)] }, false],
    ['file:/', { files: ['/r/src/a.ts'] }, true],
    ['file:"a (1).ts"', { files: ['C:\\r\\a (1).ts'] }, true],
    ['is:error', { isError: true }, true],
    ['is:error', {}, false],
    ['is:sidechain', { isSidechain: true }, true],
    ['is:subagent', { isSubagent: true }, true],
    ['is:subagent', { isSidechain: true }, false],
    ['has:image', { hasImage: true }, true],
    ['after:2026-11-02', {}, true],
    ['after:2026-11-03', {}, false],
    ['before:2026-11-03', {}, true],
    ['before:2026-11-02', {}, false],
    ['after:2026-11-02', { time: null }, false],
    ['tool:Bash OR is:error', { isError: true }, true],
  ] as const)('%s of %j: %s', (query, more, expected) => {
    expect(passes(query, more)).toBe(expected);
  });
});

const spansOf = (query: string, text: string): string[] =>
  matcherOf({ clause: parseQuery(query) })
    .spans(text)
    .map(({ start, end }) => text.slice(start, end));

describe('M14 highlighting', () => {
  test.each([
    ['zebra', 'The ZEBRA and parseZebra', ['ZEBRA', 'Zebra']],
    ['zeb*', 'zebras', ['zebras']],
    ['"red fox"', 'a Red\n  fox', ['Red\n  fox']],
    ['cafe', 'un Cafe\u0301 noir', ['Cafe\u0301']],
    ['red -fox', 'red dog', ['red']],
    ['red OR fox', 'fox red', ['fox', 'red']],
    ['parse_zebra zebra', 'parse_zebra', ['parse_zebra']],
    ['日本', 'これは日本語', ['日本']],
    ['tool:Bash', 'Bash', []],
  ])('%s in %j marks %j', (query, text, expected) => {
    expect(spansOf(query, text)).toEqual(expected);
  });

  const part = fc.constantFrom(
    'red',
    'Fox',
    'parseRed',
    '_',
    ' ',
    '\n',
    'é',
    'e\u0301',
    '日本',
    '語',
    '++',
    '-',
    '\u0301',
    '𝒳',
  );
  const text = fc.array(part, { maxLength: 15 }).map((parts) => parts.join(''));
  const query = fc.constantFrom(
    'red',
    'fox*',
    '"red fox"',
    'parse_red',
    'é',
    '日本',
    'red++',
    'redfox',
    '"日本 語"',
    '𝒳',
  );

  test('spans lie inside, in order, and are there exactly when the text matches', () => {
    fc.assert(
      fc.property(query, text, (asked, given) => {
        const matcher = matcherOf({ clause: parseQuery(asked) });
        const spans = matcher.spans(given);
        expect(spans.length > 0).toBe(matcher.matches(searched(given)));
        expect((matcher.counts(given)[0] ?? 0) > 0).toBe(spans.length > 0);
        let last = 0;
        for (const { start, end } of spans) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(given.length);
          last = end;
        }
      }),
      { numRuns: 3000 },
    );
  });
});

describe('M14 snippets', () => {
  const snippet = (query: string, text: string, width?: number): string =>
    snippetOf(text, matcherOf({ clause: parseQuery(query) }).spans(text), width)
      .map(({ text: piece, marked }) => (marked ? `[${piece}]` : piece))
      .join('');

  test('a short text is shown whole, on one line', () => {
    expect(snippet('fox', 'A red\n\n\tfox\r\nran.')).toBe('A red [fox] ran.');
  });

  test('of a long one the part with the most marks, cut between words', () => {
    const text = `fox ${'dull words '.repeat(60)}the red fox met a red fox${' and more'.repeat(60)}`;
    expect(snippet('red fox', text, 60)).toBe(
      '… words the [red] [fox] met a [red] [fox] and more and more and more and …',
    );
  });

  test('without marks its beginning', () => {
    expect(snippet('tool:x', `begin ${'more '.repeat(60)}`, 20)).toBe('begin more more more …');
  });

  test('is cut between characters as people see them', () => {
    const family = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466}';
    for (const character of [family, 'e\u0301'])
      for (let width = 20; width < 50; width++) {
        const line = snippet('fox', `${character.repeat(30)} fox ${character.repeat(30)}`, width);
        expect(line.replace(/^… | …$|\[fox\]| /g, '').replaceAll(character, '')).toBe('');
      }
  });

  test('nothing reaches a terminal that it would obey, and no half of a character', () => {
    expect(snippet('fox', 'a\u001b[31m red\u0007 \u202efox\u0000 \ud800')).toBe('a red [fox] \ufffd');
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.integer({ min: 10, max: 80 }), (text, width) => {
        const line = snippet('a', text, width);
        expect(line).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
        expect(line.isWellFormed()).toBe(true);
      }),
    );
  });
});

describe('M13 substring and regex', () => {
  const spans = (as: 'substring' | 'regex', pattern: string, text: string): string[] =>
    matcherOf({ clause: null, pattern: { as, text: pattern } })
      .spans(text)
      .map(({ start, end }) => text.slice(start, end));

  test('a substring is found as it stands, ignoring case', () => {
    expect(spans('substring', '=> {', 'x => { y => {')).toEqual(['=> {', '=> {']);
    expect(spans('substring', 'EBR', 'zebra')).toEqual(['ebr']);
    expect(spans('substring', 'é', 'É e')).toEqual(['É']);
    expect(spans('substring', 'a.b', 'axb')).toEqual([]);
  });

  test('in a regular expression case counts, ^ and $ mean lines', () => {
    expect(spans('regex', '^TS\\d+$', 'x\nTS12\nts13')).toEqual(['TS12']);
    expect(spans('regex', '(?i)ts\\d', 'TS1 ts2')).toEqual(['TS1', 'ts2']);
    expect(spans('regex', 'x*', 'ab')).toEqual([]);
    expect(spans('regex', 'a\\-b{', 'a-b{')).toEqual(['a-b{']);
  });

  test.each([
    ['(', /^Bad regular expression: Unterminated group: \($/],
    ['[z-a]', /^Bad regular expression: /],
    ['', /^There is nothing to look for$/],
    ['x'.repeat(1001), /^What is looked for has 1001 characters; at most 1000 go$/],
  ])('%j is refused with one line', (text, expected) => {
    expect(() => compilePattern({ as: 'regex', text })).toThrow(expected);
  });
});
