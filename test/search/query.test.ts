import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SkeinError } from '../../src/model/index.ts';
import { asTyped, type Clause, parseQuery, printQuery, QueryError } from '../../src/search/index.ts';

const now = new Date(2026, 10, 15, 12);
const parse = (query: string): Clause | null => parseQuery(query, now);
const word = (text: string, prefix = false): Clause => ({ as: 'word', text, prefix });
const phrase = (text: string): Clause => ({ as: 'phrase', text });
const filter = (name: string, value: string): Clause => ({ as: 'filter', filter: { name, value } as never });
const not = (of: Clause): Clause => ({ as: 'not', of });
const and = (...of: Clause[]): Clause => ({ as: 'and', of });
const or = (...of: Clause[]): Clause => ({ as: 'or', of });

describe('M13 the query language', () => {
  test.each([
    ['', null],
    ['  ', null],
    ['red fox', and(word('red'), word('fox'))],
    ['red OR fox OR hen', or(word('red'), word('fox'), word('hen'))],
    ['a b OR c', or(and(word('a'), word('b')), word('c'))],
    ['a (b OR c)', and(word('a'), or(word('b'), word('c')))],
    ['a AND b', and(word('a'), word('b'))],
    ['zeb*', word('zeb', true)],
    ['-red', not(word('red'))],
    ['-"red fox"', not(phrase('red fox'))],
    ['-(a b)', not(and(word('a'), word('b')))],
    ['--flag', word('--flag')],
    ['"a  \\"b\\" \\\\ c"', phrase('a "b" \\ c')],
    ['"C:\\foo"', phrase('C:\\foo')],
    ['foo"bar baz"', and(word('foo'), phrase('bar baz'))],
    ['std::vector', word('std::vector')],
    ['http://x.org/a?b=c', word('http://x.org/a?b=c')],
    ['TODO:', word('TODO:')],
    ['12:30', word('12:30')],
    ['main(args)', word('main(args)')],
    ['(main(args) OR x)', or(word('main(args)'), word('x'))],
    ['tool:Bash', filter('tool', 'Bash')],
    ['Tool:Bash,Read', or(filter('tool', 'Bash'), filter('tool', 'Read'))],
    ['-tool:Bash,Read', not(or(filter('tool', 'Bash'), filter('tool', 'Read')))],
    ['project:"my app"', filter('project', 'my app')],
    ['file:src/*.ts', filter('file', 'src/*.ts')],
    ['type:answer', filter('type', 'assistant')],
    ['type:tool', or(filter('type', 'tool_use'), filter('type', 'tool_result'))],
    ['is:ERROR', filter('is', 'error')],
    ['has:image', filter('has', 'image')],
    ['after:2026-11-02', { as: 'filter', filter: { name: 'after', time: new Date(2026, 10, 2).getTime() } }],
    ['after:3d', { as: 'filter', filter: { name: 'after', time: new Date(2026, 10, 12).getTime() } }],
    ['before:"3 days ago"', { as: 'filter', filter: { name: 'before', time: new Date(2026, 10, 12).getTime() } }],
  ] as const)('%j', (query, expected) => {
    expect(parse(query)).toEqual(expected);
  });

  test.each([
    ['"red fox', /^This quote is not closed\n {2}"red fox\n {2}\^$/],
    ['red (fox', /^This "\(" is not closed.*\n {2}red \(fox\n {6}\^$/],
    ['red fox)', /^No "\(" is open here.*\n {2}red fox\)\n {9}\^$/],
    ['red ()', /^There is nothing in the brackets\n.*\n {6}\^\^$/],
    ['OR', /^OR stands between two things/],
    ['red OR', /^OR stands between two things.*\n {2}red OR\n {6}\^\^$/],
    ['red OR OR fox', /^OR stands between/],
    ['(OR red)', /^OR stands between/],
    ['red AND', /^AND stands between/],
    ['red -', /^Nothing follows the "-".*\n {2}red -\n {6}\^$/],
    ['- red', /^Nothing follows the "-"/],
    ['=> red', /^There is no letter or digit in this; --substring finds signs alone\n {2}=> red\n {2}\^\^$/],
    ['""', /^There is no letter or digit/],
    ['*', /^There is no letter or digit/],
    ['proj:x', /^There is no filter proj: – did you mean project:\?.*\n {2}proj:x\n {2}\^\^\^\^\^$/],
    ['modl:x', /did you mean model:/],
    [
      'projct:x',
      /^There is no filter projct: – did you mean project:\? In quotes it is text\n {2}projct:x\n {2}\^{7}$/,
    ],
    ['red -projct:"my app"', /did you mean project:\?.*\n.*\n {7}\^{7}$/],
    ['tools:Bash', /did you mean tool:/],
    ['branches:main', /did you mean branch:/],
    ['fiel:a.ts', /did you mean file:/],
    ['typ:user', /did you mean type:/],
    ['sess:1234', /did you mean session:/],
    ['agnet:pi', /did you mean agent:/],
    ['since:monday', /did you mean after:/],
    ['path:src', /did you mean file:/],
    ['tool: x', /^tool: needs a value; in quotes it is text/],
    ['tool:a,', /^tool: needs a value/],
    ['is:odd', /^is: takes error, sidechain or subagent; in quotes it is text\n {2}is:odd\n {5}\^\^\^$/],
    ['has:text', /^has: takes image/],
    ['type:x', /^type: takes user, prompt/],
    ['type:constructor', /^type: takes user, prompt/],
    ['type:__proto__', /^type: takes user, prompt/],
    ['after:someday', /^Not a date: someday\. Write .*\n {2}after:someday\n {8}\^+$/],
    ['日本 "x', /\n {2}日本 "x\n {7}\^$/],
    ['red \u001b[31m -', /^Nothing follows the "-".*\n {2}red {2}\[31m -\n {12}\^$/],
    ['('.repeat(60), /^Groups go at most 50 deep/],
    ['x'.repeat(5000), /^A query has at most 4000 characters/],
  ])('M13 %j is refused with one line and the place', (query, expected) => {
    expect(() => parse(query)).toThrow(expected);
    expect(() => parse(query)).toThrow(QueryError);
  });

  test.each([
    ...[
      'node:fs',
      'std::vector',
      'http://localhost:3000/a?b=c:d',
      'localhost:3000',
      'a:b',
      'x:y,z',
      'C:\\Users',
      'c:x',
    ],
    ...[
      'file::open',
      'session::new',
      'type::T',
      'on:click',
      'since:v2',
      'constructor:2026-01-01',
      'pool:5',
      'fire:x',
      'typescript:5.4',
      'hash:ab',
    ],
    ...['issue:12', 'age:30', 'TODO:', 'git@host:me/app.git', 'urn:isbn:0451', 'npm:left-pad@1', 'foo(a:b)'],
  ])('M13 %s is the text it is, not a filter', (query) => {
    expect(parse(query)).toEqual(word(query));
    expect(parse(`-${query} red`)).toEqual(and(not(word(query)), word('red')));
    expect(parse(`(${query} OR ${query}*)`)).toEqual(or(word(query), word(query, true)));
    expect(printQuery(word(query))).toBe(query);
  });

  test('M13 a value that begins with a colon is printed so that it stays one', () => {
    const clause = parse('branch:":x" "file:a.ts"');
    expect(clause).toEqual(and(filter('branch', ':x'), phrase('file:a.ts')));
    expect(parse(printQuery(clause as Clause))).toEqual(clause);
  });

  const token = fc.constantFrom(
    ...[
      'red',
      'fox*',
      '"',
      '"a b"',
      '-',
      '--',
      '(',
      ')',
      'OR',
      'AND',
      ' ',
      ' ',
      'tool:',
      'is:error',
      'Bash',
      ',',
      'x:y',
      'a:',
      ':',
      'projct:',
      'since:2026',
      '\\',
      '日本',
      'é',
      'after:2026',
      '=>',
    ],
  );
  const query = fc.oneof(
    fc.array(token, { maxLength: 14 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary' }),
  );

  test('M13 a word that looks like an operator is printed so that it stays a word', () => {
    const clause = parse('red (AND)');
    expect(parse(printQuery(clause as Clause))).toEqual(clause);
  });

  test('nothing but a SkeinError is ever thrown, and what is printed is read as the same', () => {
    fc.assert(
      fc.property(query, (text) => {
        let clause: Clause | null = null;
        try {
          clause = parse(text);
        } catch (error) {
          expect(error).toBeInstanceOf(SkeinError);
          return;
        }
        if (clause) expect(parse(printQuery(clause))).toEqual(clause);
      }),
      { numRuns: 5000 },
    );
  });
});

test.each([
  ['zeb', word('zeb', true)],
  ['red zeb', and(word('red'), word('zeb', true))],
  ['red OR zeb', or(word('red'), word('zeb', true))],
  ['red zeb ', and(word('red'), word('zeb'))],
  ['z', word('z')],
  ['red -zeb', and(word('red'), not(word('zeb')))],
  ['"red zeb"', phrase('red zeb')],
  ['zeb type:user', and(word('zeb'), filter('type', 'user'))],
  ['(red zeb)', and(word('red'), word('zeb'))],
])('M14 while somebody types, the last word of %j is a prefix until a space follows', (query, clause) => {
  expect(asTyped(parse(query), query)).toEqual(clause);
});
