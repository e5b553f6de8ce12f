import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { claudeCode } from '../../src/formats/claude-code/index.ts';
import { LineSplitter } from '../../src/formats/index.ts';
import { pi } from '../../src/formats/pi/index.ts';
import type { Block, Format, Parsed } from '../../src/model/index.ts';
import { Tree } from '../../src/tree/index.ts';
import { projects } from '../kit/random-project.ts';
import {
  assistant,
  bytesOf,
  digestOf,
  factsOf,
  type Json,
  piHeader,
  piUser,
  toolResult,
  toolUse,
  user,
} from '../kit/transcript.ts';

const numRuns = Number(process.env.FC_RUNS ?? 400);
const FORMATS: readonly Format[] = [claudeCode, pi];
const encoder = new TextEncoder();

interface Read {
  readonly tree: Tree;
  readonly parsed: readonly Parsed[];
  readonly blocks: readonly Block[];
}

/** Reads bytes as the file `s.jsonl` and asks for everything there is to ask. */
function readAll(format: Format, bytes: Uint8Array, path = 's.jsonl'): Read {
  const facts = factsOf(format, path);
  const reader = format.open(facts);
  const parsed: Parsed[] = [];
  const splitter = new LineSplitter(facts.id, (line, ref, cut, torn) => parsed.push(reader.next(line, ref, cut, torn)));
  splitter.push(bytes);
  splitter.end();
  const tree = new Tree();
  tree.add(
    facts,
    parsed.map(({ line }) => line),
  );
  digestOf(tree);
  return { tree, parsed, blocks: parsed.flatMap((each) => [...each.blocks()]) };
}

/** Nothing thrown, nothing lost: every line that is not blank is in one bucket. */
function holds(format: Format, bytes: Uint8Array): Read {
  const read = readAll(format, bytes);
  const sum = Object.values(read.tree.accounting()).reduce((a, b) => a + b, 0);
  expect(read.parsed).toHaveLength(linesIn(bytes));
  expect(sum).toBe(read.parsed.length);
  return read;
}

/** Counted another way than the splitter does. */
function linesIn(bytes: Uint8Array): number {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  return text.split('\n').filter((line) => /[^ \t\r\v\f]/.test(line)).length;
}

const typesOf = ({ tree }: Read): string[] => tree.findings().map((finding) => finding.type);
const lines = (...values: readonly (object | string)[]): Uint8Array =>
  encoder.encode(values.map((value) => `${typeof value === 'string' ? value : JSON.stringify(value)}\n`).join(''));
const join = (...parts: readonly (Uint8Array | string)[]): Uint8Array =>
  new Uint8Array(Buffer.concat(parts.map((part) => (typeof part === 'string' ? encoder.encode(part) : part))));

const odd = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc
    .array(
      fc.constantFrom(
        '\n',
        '\r\n',
        '{',
        '}',
        '"',
        '\\',
        '\0',
        '\ufeff',
        '\ud800',
        '{}',
        '[]',
        'null',
        '"a"',
        ' ',
        '{"type":"user"}',
        ',',
        ':',
      ),
      { maxLength: 60 },
    )
    .map((parts) => encoder.encode(parts.join(''))),
);

describe('H19: any bytes are read', () => {
  test('random bytes', () => {
    fc.assert(
      fc.property(odd, (bytes) => void FORMATS.map((format) => holds(format, bytes))),
      { numRuns },
    );
  });

  test('transcripts with bytes replaced, cut out and put in', () => {
    const edits = fc.array(fc.record({ at: fc.nat(), cut: fc.nat(12), put: odd }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(projects, edits, ({ format, files }, edits) => {
        for (const [path, content] of Object.entries(files)) {
          if (!path.endsWith('.jsonl')) continue;
          let bytes = bytesOf(content);
          for (const { at, cut, put } of edits) {
            const place = at % (bytes.length + 1);
            bytes = join(bytes.subarray(0, place), put, bytes.subarray(place + cut));
          }
          holds(format === 'pi' ? pi : claudeCode, bytes);
        }
      }),
      { numRuns },
    );
  });

  test('transcripts in which any value may be anything', () => {
    fc.assert(
      fc.property(
        projects,
        fc.array(fc.tuple(fc.nat(), anything), { minLength: 1, maxLength: 5 }),
        ({ format, files }, changes) => {
          for (const [path, content] of Object.entries(files)) {
            if (!path.endsWith('.jsonl') || typeof content === 'string') continue;
            const list = structuredClone(content) as unknown[];
            for (const [at, value] of changes) setAt(list, at, structuredClone(value));
            holds(
              format === 'pi' ? pi : claudeCode,
              encoder.encode(list.map((line) => `${JSON.stringify(line)}\n`).join('')),
            );
          }
        },
      ),
      { numRuns },
    );
  });
});

const NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'prototype',
  '',
  '*',
  '@',
  'a@s:1',
  's:1',
  '\0',
  'null',
];
const anything: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1e300,
    [],
    {},
    [[]],
    [null],
    { type: 'text' },
    { type: 'tool_use' },
    { id: 7 },
  ),
  fc.constantFrom(...NAMES),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Puts a value in the n-th place of a JSON value, counted through all levels. */
function setAt(root: unknown, index: number, value: unknown): void {
  const places: (() => void)[] = [];
  const walk = (at: unknown): void => {
    if (typeof at !== 'object' || at === null) return;
    for (const key of Object.keys(at)) {
      const holder = at as Record<string, unknown>;
      places.push(() =>
        Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true }),
      );
      walk(holder[key]);
    }
  };
  walk(root);
  places[index % Math.max(1, places.length)]?.();
}

describe('H19: the odd things that happen to files', () => {
  test.each(FORMATS)('$name: an empty file, blank lines only', (format) => {
    expect(holds(format, lines()).tree.sessionIds()).toEqual([]);
    expect(holds(format, encoder.encode('\n \r\n\t\n\n')).parsed).toEqual([]);
  });

  test('a byte order mark and CRLF change nothing', () => {
    const plain = lines(user('u1', null, 'hi', { timestamp: 1 }), user('u2', 'u1', 'ho', { timestamp: 2 }));
    const windows = encoder.encode(`\ufeff${Buffer.from(plain).toString().replaceAll('\n', '\r\n')}`);
    const { tree } = holds(claudeCode, windows);
    expect(tree.findings()).toEqual([]);
    expect([...tree.allRecords()].map(({ id, parent }) => [id, parent])).toEqual([
      ['u1', null],
      ['u2', 'u1'],
    ]);
  });

  test('NUL bytes around a line are passed over and reported; between lines they are a line of their own', () => {
    const bytes = join('\0\0\0', lines(user('u1', null)), '\0\0\n', lines(user('u2', 'u1')));
    const read = holds(claudeCode, bytes);
    expect([...read.tree.allRecords()].map(({ id }) => id)).toEqual(['u1', 'u2']);
    expect(read.tree.accounting()).toMatchObject({ records: 2, reported: 1 });
    expect(typesOf(read)).toEqual(['bad_encoding', 'unparsable_line']);
  });

  test('bytes that are not UTF-8 become U+FFFD and are reported', () => {
    const bytes = join(
      '{"type":"user","uuid":"u1","parentUuid":null,"message":{"role":"user","content":"a',
      new Uint8Array([0xff, 0xc3]),
      'b"}}\n',
    );
    const read = holds(claudeCode, bytes);
    expect(read.blocks).toMatchObject([{ type: 'text', text: 'a\ufffd\ufffdb' }]);
    expect(typesOf(read)).toEqual(['bad_encoding']);
  });

  test.each([
    [
      'claude-code',
      claudeCode,
      lines('{"type":"user","uuid":"u1","parentUuid":null,"message":{"role":"user","content":"a\\ud800b"}}'),
    ],
    [
      'pi',
      pi,
      lines(piHeader(), '{"type":"message","id":"u1","parentId":null,"message":{"role":"user","content":"a\\ud800b"}}'),
    ],
  ] as const)('%s: a lone surrogate becomes U+FFFD', (_name, format, bytes) => {
    const text = holds(format, bytes).blocks.find((block) => block.type === 'text');
    expect(text).toMatchObject({ text: 'a\ufffdb' });
  });

  test('lone surrogates in calls, results and blocks nobody knows become U+FFFD too', () => {
    const bad = '\\ud800';
    const bytes = lines(
      `{"type":"assistant","uuid":"a1","message":{"id":"m","content":[{"type":"tool_use","id":"t","name":"Read","input":{"p":"${bad}"}}]}}`,
      `{"type":"user","uuid":"r1","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"${bad}"}]},"toolUseResult":"${bad}"}`,
      `{"type":"user","uuid":"u1","message":{"content":[{"type":"news","text":"${bad}"}]}}`,
      `{"type":"news","uuid":"u2","text":"${bad}"}`,
    );
    expect(JSON.stringify(holds(claudeCode, bytes).blocks)).not.toContain('\\ud800');
  });

  test('a last line without newline is read when it is whole and reported as torn when not', () => {
    const whole = JSON.stringify(user('u2', 'u1'));
    expect([...holds(claudeCode, join(lines(user('u1', null)), whole)).tree.allRecords()]).toHaveLength(2);
    const torn = holds(claudeCode, join(lines(user('u1', null)), whole.slice(0, -3)));
    expect(torn.tree.accounting()).toMatchObject({ records: 1, reported: 1 });
    expect(typesOf(torn)).toEqual(['torn_last_line']);
  });

  test.each(['null', '7', '"x"', '[]', '[{"type":"user"}]', 'true', '{', 'text'])(
    'a line that is no object is reported: %s',
    (text) => {
      const read = holds(claudeCode, lines(user('u1', null), text, user('u2', 'u1')));
      expect(read.tree.accounting()).toMatchObject({ records: 2, reported: 1 });
      expect(typesOf(read)).toEqual(['unparsable_line']);
    },
  );
});

describe('H19: of a line that is too long', () => {
  const SMALL: readonly unknown[] = ['u1', null, 7, -1.5e-7, true, '\\"\n\u0000', 'é😀', {}, []];
  const UNITS = ['x', 'é', '😀', '"', '\\', '\n', '\u0007', '\ud800', 'abc"]}', '{"a":['];
  const fields = fc.array(
    fc.record({
      sort: fc.constantFrom('small', 'text', 'list', 'object'),
      value: fc.constantFrom(...SMALL),
      unit: fc.array(fc.constantFrom(...UNITS), { minLength: 1, maxLength: 6 }).map((units) => units.join('')),
      times: fc.integer({ min: 1, max: 60_000 }),
    }),
    { minLength: 1, maxLength: 9 },
  );

  test('every short field is kept, wherever it stands, and long texts keep their beginning', () => {
    fc.assert(
      fc.property(fields, fc.integer({ min: 1000, max: 100_000 }), (list, size) => {
        const values = list.map(({ sort, value, unit, times }) => {
          const text = unit.repeat(times);
          const items = Array.from({ length: times }, () => value);
          return sort === 'small'
            ? value
            : sort === 'text'
              ? text
              : sort === 'list'
                ? items
                : { role: 'user', content: [{ type: 'text', text }, value] };
        });
        const object = Object.fromEntries(values.map((value, i) => [`key ${i} "`, value]));
        const bytes = encoder.encode(`${JSON.stringify({ ...object, uuid: 'last' })}\n`);
        const kept = JSON.parse(shorten(bytes, size)) as Record<string, unknown>;
        expect(Object.keys(kept)).toEqual([...Object.keys(object), 'uuid']);
        expect(kept.uuid).toBe('last');
        for (const [i, { sort }] of list.entries()) {
          const [before, after] = [values[i], kept[`key ${i} "`]];
          if (sort === 'small') expect(after).toEqual(before);
          else if (sort === 'text') expect(isBeginning(after, before as string)).toBe(true);
        }
      }),
      { numRuns: Math.max(10, numRuns / 4) },
    );
  });

  /** A character may have been cut in two. */
  const isBeginning = (after: unknown, before: string): boolean =>
    typeof after === 'string' && (after === before || before.startsWith(after.slice(0, -1)));

  function shorten(bytes: Uint8Array, size: number): string {
    const found: string[] = [];
    const onLine = (line: Uint8Array, ref: { readonly bytes: number }, cut: boolean): void => {
      expect([cut, ref.bytes]).toEqual([true, bytes.length - 1]);
      expect(line.length).toBeLessThan(4_500_000);
      found.push(new TextDecoder().decode(line));
    };
    const splitter = new LineSplitter('f', onLine, undefined, 10);
    for (let at = 0; at < bytes.length; at += size) splitter.push(bytes.subarray(at, at + size));
    expect(found).toHaveLength(1);
    return found[0] ?? '';
  }
});

describe('H19: deep nesting', () => {
  const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  const deepObject = (depth: number): string => '{"content":['.repeat(depth) + ']}'.repeat(depth);
  const deepBlock = (depth: number): string =>
    `[${'{"type":"tool_result","tool_use_id":"t","content":['.repeat(depth)}${']}'.repeat(depth)}]`;
  const places: readonly (readonly [string, (value: string) => string])[] = [
    ['the line itself', (value) => value],
    ['a field', (value) => `{"type":"user","uuid":"u1","message":{"content":"x"},"more":${value}}`],
    ['the content', (value) => `{"type":"user","uuid":"u1","message":{"content":${value}}}`],
    ['an answer', (value) => `{"type":"assistant","uuid":"u1","message":{"id":"m","content":${value}}}`],
    [
      'an input',
      (value) =>
        `{"type":"assistant","uuid":"u1","message":{"id":"m","content":[{"type":"tool_use","id":"t","name":"X","input":${value}}]}}`,
    ],
    [
      'a result',
      (value) =>
        `{"type":"user","uuid":"u1","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":${value}}]},"toolUseResult":${value}}`,
    ],
    ['an attachment', (value) => `{"type":"attachment","uuid":"u1","attachment":{"type":"file","content":${value}}}`],
    ['a queued prompt', (value) => `{"type":"queue-operation","operation":"enqueue","content":${value}}`],
    ['usage', (value) => `{"type":"assistant","uuid":"u1","message":{"id":"m","content":[],"usage":${value}}}`],
    ['a fact', (value) => `{"type":"mode","mode":${value}}`],
    ['a map of backups', (value) => `{"type":"file-history-snapshot","snapshot":{"trackedFileBackups":${value}}}`],
    ['a type nobody knows', (value) => `{"type":"news","uuid":"u1","data":${value}}`],
    [
      'a Pi message',
      (value) => `{"type":"message","id":"u1","parentId":null,"message":{"role":"user","content":${value}}}`,
    ],
    [
      'a Pi result',
      (value) =>
        `{"type":"message","id":"u1","parentId":null,"message":{"role":"toolResult","toolCallId":"t","content":${value},"details":${value}}}`,
    ],
    ['a Pi entry', (value) => `{"type":"custom","id":"u1","parentId":null,"customType":"x","data":${value}}`],
  ];
  test.each(places)('10,000 levels in %s', (_name, line) => {
    for (const format of FORMATS)
      for (const value of [deep(10_000), deepObject(10_000), deepBlock(10_000)])
        holds(format, lines(line(value), line(value)));
  });
});

describe('Names of JavaScript are only names', () => {
  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'])(
    '%s as type, id, subtype, tool, role',
    (name) => {
      const session: readonly Json[] = [
        user(name, null),
        assistant('a1', name, [toolUse(name, name, { [name]: 1 })], { id: name }),
        user('r1', 'a1', [toolResult(name)]),
        { type: name, uuid: 'x1', parentUuid: 'r1', sessionId: name },
        { type: name },
        { type: 'system', subtype: name, uuid: 'x2', parentUuid: 'x1' },
        { type: 'attachment', attachment: { type: name }, uuid: 'x3', parentUuid: 'x2' },
        { type: 'progress', data: { type: name }, uuid: 'x4', parentUuid: 'x3' },
        { type: 'queue-operation', operation: name },
        { type: 'summary', leafUuid: name, summary: name },
        { type: 'last-prompt', leafUuid: name },
        user('u2', 'x4', [{ type: name, [name]: name }], { isSidechain: true, agentId: name }),
        user('u3', 'x4', `<${name}>x</${name}>`),
        user('u4', 'u3', `<command-name>/${name}</command-name>`),
      ];
      const text = session.map((line) => `${JSON.stringify(line)}\n`).join('');
      const { tree } = holds(claudeCode, encoder.encode(text.replaceAll('"KEY"', `"${name}"`)));
      expect(tree.record(name)).toMatchObject({ id: name, kind: 'user' });
      expect(tree.record('a1')?.calls).toMatchObject([{ id: name, name, result: { line: 3 } }]);
      expect(tree.record('u3')?.parent).toBe('a1');
      expect(
        tree
          .findings()
          .filter(({ type }) => type === 'unknown_record_type')
          .map(({ message }) => message),
      ).toHaveLength(4);
      const branch: readonly Json[] = [
        piHeader(name),
        piUser(name, null),
        { type: name, id: 'x', parentId: name },
        { type: 'message', id: 'y', parentId: 'x', message: { role: name, content: name } },
      ];
      expect(holds(pi, bytesOf(branch)).tree.record(`${name}/${name}`)?.kind).toBe('user');
    },
  );

  test('__proto__ as a key of a line is a key nobody knows', () => {
    const read = holds(
      claudeCode,
      lines(
        '{"type":"user","uuid":"u1","parentUuid":null,"message":{"role":"user","content":"x"},"__proto__":{"isMeta":true}}',
      ),
    );
    expect(read.tree.record('u1')?.kind).toBe('user');
    expect(read.tree.findings().map(({ message }) => message)).toEqual(['Unexpected attribute: user.__proto__']);
  });
});
