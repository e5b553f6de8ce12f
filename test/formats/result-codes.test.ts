import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { claudeCode } from '../../src/formats/claude-code/index.ts';
import { readWithoutDetail } from '../../src/formats/claude-code/leave-out-detail.ts';
import { readResult } from '../../src/formats/claude-code/read-result.ts';
import { LineSplitter } from '../../src/formats/index.ts';
import { lineTexts } from '../../src/messages/index.ts';
import type { Block, Line, ReadOptions } from '../../src/model/index.ts';
import { codesOf, decodeCodes, encodeCodes, fingerprint } from '../../src/model/index.ts';
import { factsOf } from '../kit/transcript.ts';

const numRuns = Number(process.env.FC_RUNS ?? 400);
const SURVEYED = new Set(['unexpected_attributes', 'unexpected_content_shape', 'unknown_record_type']);

/** `survey` reads every line as text. What it says beside is left out. */
function read(
  bytes: Uint8Array,
  survey: boolean,
  options: ReadOptions = { blocks: survey },
): { lines: Line[]; blocks: Block[] } {
  const facts = factsOf(claudeCode, 's.jsonl');
  const reader = claudeCode.open(facts, undefined, { survey, ...options });
  const lines: Line[] = [];
  const blocks: Block[] = [];
  const splitter = new LineSplitter(facts.id, (piece, ref, cut, torn) => {
    const parsed = reader.next(piece, ref, cut, torn);
    lines.push({ ...parsed.line, warnings: parsed.line.warnings.filter(({ type }) => !SURVEYED.has(type)) });
    blocks.push(...parsed.blocks());
  });
  splitter.push(bytes);
  splitter.end();
  return { lines, blocks };
}

/** Raw pieces of the inside of a JSON string: escapes, characters of every length, halves of them, and what may not stand there. */
const written = (units: readonly string[]): fc.Arbitrary<Uint8Array> =>
  fc
    .array(
      fc.oneof(
        { weight: 12, arbitrary: fc.constantFrom(...units).map((unit) => Buffer.from(unit)) },
        { weight: 1, arbitrary: fc.uint8Array({ maxLength: 3 }) },
      ),
      { maxLength: 12 },
    )
    .map((parts) => new Uint8Array(Buffer.concat(parts)));
const PLAIN = [
  'a',
  ' ',
  'agentId: x',
  '\\n',
  '\\"',
  '\\\\',
  'é',
  '✓',
  '😀',
  'Ã©',
  '\u00a0',
  '\ufeff',
  '\ufffd',
  '\u0085',
];
const ESCAPED = ['\\u001b', '\\u00e9', '\\u00c3\\u00a9', '\\ud83d\\ude00', '\\ud800', '\\u2713'];
const text = written(PLAIN);
const any = written([...PLAIN, ...ESCAPED]);

const MEMBERS = ['uuid', 'parentUuid', 'cwd', 'gitBranch', 'slug', 'sessionId', 'timestamp', 'é'];
const resultLine = (said: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> =>
  fc
    .record({
      call: fc.oneof({ weight: 5, arbitrary: fc.constant(Buffer.from('t1')) }, any),
      content: said,
      isList: fc.boolean(),
      members: fc.array(fc.tuple(fc.constantFrom(...MEMBERS), any), { maxLength: 3 }),
      beside: fc.oneof(
        fc.constant(null),
        said.map((value) => Buffer.concat([quote(value)])),
        fc
          .tuple(fc.constantFrom('agentId', 'agent_id', 'runId', 'stdout'), any)
          .map(([key, value]) => Buffer.concat([Buffer.from(`{"${key}":`), quote(value), Buffer.from('}')])),
      ),
      fork: fc.option(any),
      before: fc.constantFrom('', '\ufeff', '\0', ' '),
      after: fc.constantFrom('\n', '\r\n', ''),
    })
    .map(({ call, content, isList, members, beside, fork, before, after }) =>
      Buffer.concat([
        Buffer.from(`${before}{"type":"user","message":{"role":"user","content":[{"tool_use_id":`),
        quote(call),
        Buffer.from(`,"type":"tool_result","content":${isList ? '[{"type":"text","text":' : ''}`),
        quote(content),
        Buffer.from(`${isList ? '}]' : ''}}]}`),
        ...members.flatMap(([key, value]) => [Buffer.from(`,"${key}":`), quote(value)]),
        ...(beside ? [Buffer.from(',"toolUseResult":'), beside] : []),
        ...(fork ? [Buffer.from(',"forkedFrom":{"messageUuid":'), quote(fork), Buffer.from('}')] : []),
        Buffer.from(`}${after}`),
      ]),
    );
const quote = (inside: Uint8Array): Buffer => Buffer.concat([Buffer.from('"'), inside, Buffer.from('"')]);

describe('H19: a result that is left as codes reads as its text does', () => {
  test('lines, digests and blocks, whatever bytes', () => {
    fc.assert(
      fc.property(fc.array(resultLine(text), { minLength: 1, maxLength: 3 }), (lines) => {
        const bytes = new Uint8Array(Buffer.concat(lines));
        expect(read(bytes, false)).toEqual(read(bytes, true));
      }),
      { numRuns },
    );
  });

  test('with escapes the digest may be another, and nothing else', () => {
    const withoutDigest = (bytes: Uint8Array, survey: boolean): unknown => {
      const { lines, blocks } = read(bytes, survey);
      return { blocks, lines: lines.map((line) => ({ ...line, digest: 0 })) };
    };
    fc.assert(
      fc.property(resultLine(any), (bytes) => {
        expect(withoutDigest(bytes, false)).toEqual(withoutDigest(bytes, true));
      }),
      { numRuns },
    );
  });

  test('it is done for usual lines, and only for results', () => {
    const line = (content: unknown, more: object = {}): Uint8Array =>
      Buffer.from(JSON.stringify({ type: 'user', message: { content }, uuid: 'r1', cwd: '/é', ...more }));
    const result = [{ tool_use_id: 't1', type: 'tool_result', content: '✓' }];
    expect(readResult(line(result))?.object).toMatchObject({
      cwd: '/é',
      message: { content: [{ content: 'â\x9c\x93' }] },
    });
    expect(readResult(line(result, { type: 'news' }))).toBeNull();
    expect(readResult(line('tool_use_id ✓'))).toBeNull();
    expect(readResult(line([...result, { type: 'text', text: '✓' }]))).toBeNull();
  });
});

/** Values are JSON already. */
const inJson = (members: Readonly<Record<string, string>>): string =>
  `{${Object.entries(members)
    .map(([key, value]) => `"${key}":${value}`)
    .join(',')}}`;

describe('H19: a result without what the tool said beside it reads as the whole line does', () => {
  const detail = fc.oneof(
    { weight: 4, arbitrary: fc.json({ maxDepth: 3 }) },
    fc
      .dictionary(fc.constantFrom('stdout', 'agentId', 'runId', 'persistedOutputPath', 'a\\\\n'), fc.json())
      .map(inJson),
    fc.constantFrom(
      '{"a":01}',
      '{"a":1,}',
      '{"a":"\\x"}',
      '{"a":"\\u12g4"}',
      '{"a":"\t"}',
      '{"a" 1}',
      '{"a":[1 2]}',
      '{a:1}',
      '{"a":1',
    ),
  );
  const line = fc
    .record({
      content: fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant('agentId: x'), fc.constant('\u00e9')),
      more: fc.constantFrom(
        '',
        ',{"type":"text","text":"said"}',
        ',{"type":"tool_result","tool_use_id":"t2","content":"2"}',
      ),
      inside: fc.constantFrom('', '"toolUseResult":{"b":1},'),
      type: fc.constantFrom('user', 'user', 'user', 'progress'),
      detail,
      behind: fc.constantFrom('', ',"toolUseResult":{"c":1}', ',"cwd":"/é"', ',"uuid":'),
      filler: fc.constantFrom('x', '✓ ', '\\u00e9'),
    })
    .map(({ content, more, inside, type, detail, behind, filler }) => {
      const result = `{"tool_use_id":"t1",${inside}"type":"tool_result","content":${JSON.stringify(content)}}`;
      const long = filler.repeat(600);
      return `{"type":"${type}","message":{"content":[${result}${more}]},"uuid":"r1","slug":"${long}","toolUseResult":${detail}${behind}}\n`;
    });

  test('lines and texts, whatever stands there', () => {
    fc.assert(
      fc.property(line, (text) => {
        const bytes = Buffer.from(text);
        const [without, whole] = [false, true].map((details) => read(bytes, false, { details }));
        expect(without?.lines).toEqual(whole?.lines);
        expect(lineTexts(without?.blocks ?? [])).toEqual(lineTexts(whole?.blocks ?? []));
      }),
      { numRuns },
    );
  });

  test('it is left out of usual lines', () => {
    const result = { tool_use_id: 't1', type: 'tool_result', content: 'done' };
    const usual = { type: 'user', message: { content: [result] }, toolUseResult: { stdout: 'y'.repeat(2000) } };
    const bytes = Buffer.from(JSON.stringify(usual));
    expect(readWithoutDetail(bytes)?.object).toEqual({ ...usual, toolUseResult: {} });
    expect(readWithoutDetail(Buffer.from(JSON.stringify({ inner: usual })))).toBeNull();
    const broken = Buffer.from(bytes);
    broken[bytes.lastIndexOf('y')] = 0xff;
    expect(readWithoutDetail(broken)).toBeNull();
  });
});

test('codes are text and back; a digest is that of the codes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const codes = codesOf(new TextEncoder().encode(text)) ?? '';
      expect([encodeCodes(text), decodeCodes(codes)]).toEqual([codes, text]);
      expect(fingerprint({ [text]: [text] }, 1, true)).toBe(fingerprint({ [codes]: [codes] }, 1));
    }),
    { numRuns },
  );
});
