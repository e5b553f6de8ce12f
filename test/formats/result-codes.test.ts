import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { claudeCode } from '../../src/formats/claude-code/index.ts';
import { readResult } from '../../src/formats/claude-code/read-result.ts';
import { LineSplitter } from '../../src/formats/index.ts';
import { type LineText, lineTexts, resultText } from '../../src/messages/index.ts';
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
): { lines: Line[]; blocks: Block[]; texts: LineText[]; coded: number } {
  const facts = factsOf(claudeCode, 's.jsonl');
  const reader = claudeCode.open(facts, undefined, { survey, ...options });
  const lines: Line[] = [];
  const blocks: Block[] = [];
  const texts: LineText[] = [];
  let coded = 0;
  const splitter = new LineSplitter(facts.id, (piece, ref, cut, torn) => {
    const parsed = reader.next(piece, ref, cut, torn);
    lines.push({ ...parsed.line, warnings: parsed.line.warnings.filter(({ type }) => !SURVEYED.has(type)) });
    const said = parsed.blocks();
    blocks.push(...said);
    texts.push(...(parsed.coded ? [decoded(resultText(parsed.coded))] : lineTexts(said)));
    if (!parsed.coded) return;
    coded++;
    expect(said).not.toContainEqual(expect.objectContaining({ offloaded: expect.anything() }));
  });
  splitter.push(bytes);
  splitter.end();
  return { lines, blocks, texts, coded };
}

const decoded = (said: LineText): LineText => ({ ...said, texts: said.texts.map(decodeCodes) });

/** Raw pieces of the inside of a JSON string: escapes, characters of every length, halves of them, and what may not stand there. */
const written = (units: readonly string[], raw: number): fc.Arbitrary<Uint8Array> =>
  fc
    .array(
      fc.oneof(
        { weight: 12, arbitrary: fc.constantFrom(...units).map((unit) => Buffer.from(unit)) },
        { weight: raw, arbitrary: fc.uint8Array({ maxLength: 3 }) },
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
  '\\nagentId: y',
  'é'.repeat(300),
  '\\u001b[1m',
];
const ESCAPED = ['\\u0000', '\\u007F', '\\u0080', '\\u00e9', '\\u00c3\\u00a9', '\\ud83d\\ude00', '\\ud800', '\\u2713'];
const plain = written(PLAIN, 0);
const any = written([...PLAIN, ...ESCAPED], 1);

const MEMBERS = ['uuid', 'parentUuid', 'cwd', 'gitBranch', 'slug', 'sessionId', 'timestamp', 'é'];
const START = [
  '',
  '<persisted-output>\\nFull output saved to: /x/é.txt\\n',
  "The user doesn't want to take this action right now",
];
const begun = fc.constantFrom(...START, ...START.map((start) => `\u00a0 ${start}`)).map((start) => Buffer.from(start));
/** Of what may be left out, or is parsed sooner. */
const filler = fc.constantFrom(0, 2000).map((size) => Buffer.from('y'.repeat(size)));
const resultLine = (any: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> =>
  fc
    .record({
      call: fc.oneof({ weight: 5, arbitrary: fc.constant(Buffer.from('t1')) }, any),
      content: fc.tuple(begun, any),
      isList: fc.boolean(),
      members: fc.array(fc.tuple(fc.constantFrom(...MEMBERS), any), { maxLength: 3 }),
      beside: fc.oneof(
        fc.constant(null),
        fc.tuple(begun, any).map((values) => quote(...values)),
        fc
          .tuple(fc.constantFrom('agentId', 'agent_id', 'runId', 'persistedOutputPath', 'stdout'), any, filler)
          .map(([key, ...value]) => Buffer.concat([Buffer.from(`{"${key}":`), quote(...value), Buffer.from('}')])),
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
        quote(...content),
        Buffer.from(`${isList ? '}]' : ''}}]}`),
        ...members.flatMap(([key, value]) => [Buffer.from(`,"${key}":`), quote(value)]),
        ...(beside ? [Buffer.from(',"toolUseResult":'), beside] : []),
        ...(fork ? [Buffer.from(',"forkedFrom":{"messageUuid":'), quote(fork), Buffer.from('}')] : []),
        Buffer.from(`}${after}`),
      ]),
    );
const quote = (...inside: readonly Uint8Array[]): Buffer =>
  Buffer.concat([Buffer.from('"'), ...inside, Buffer.from('"')]);

/** Where the texts of results lie that are not here. */
const offloaded = (block: Block): unknown => block.type === 'result' && block.offloaded;

describe('H19: a result that is left as codes reads as its text does', () => {
  test('lines, digests, blocks and texts, whatever bytes', () => {
    let coded = 0;
    fc.assert(
      fc.property(fc.array(fc.oneof(resultLine(plain), resultLine(any)), { minLength: 1, maxLength: 3 }), (lines) => {
        const bytes = new Uint8Array(Buffer.concat(lines));
        const text = read(bytes, true);
        const codes = read(bytes, false);
        expect({ ...codes, coded: 0 }).toEqual(text);
        const indexed = read(bytes, false, { details: false });
        expect([indexed.lines, indexed.texts]).toEqual([text.lines, text.texts]);
        expect(indexed.blocks.map(offloaded)).toEqual(text.blocks.map(offloaded));
        coded += indexed.coded;
      }),
      { numRuns },
    );
    expect(coded).toBeGreaterThan(0);
  });

  test('it is done for usual lines, and only for results', () => {
    const line = (content: unknown, more: object = {}): Uint8Array =>
      Buffer.from(JSON.stringify({ type: 'user', message: { content }, uuid: 'r1', cwd: '/é', ...more }));
    const result = [{ tool_use_id: 't1', type: 'tool_result', content: '✓' }];
    const readCodes = (bytes: Uint8Array) => readResult(bytes, false, true);
    expect(readCodes(line(result))?.object).toMatchObject({
      cwd: '/é',
      message: { content: [{ content: 'â\x9c\x93' }] },
    });
    expect(readCodes(line(result, { type: 'news' }))).toBeNull();
    expect(readCodes(line('tool_use_id ✓'))).toBeNull();
    expect(readCodes(line([...result, { type: 'text', text: '✓' }]))).toBeNull();
  });

  test('also where it writes escapes, but for those of characters beyond ASCII', () => {
    const read = (content: string): unknown =>
      readResult(
        Buffer.from(
          `{"type":"user","message":{"content":[{"tool_use_id":"t","type":"tool_result","content":"✓${content}"}]}}`,
        ),
        false,
        true,
      )?.result.output;
    expect(read('\\u001b\\\\u00e9\\u007f')).toBe('â\x9c\x93\x1b\\u00e9\x7f');
    expect([read('\\\\\\u00e9'), read('\\u0080'), read('\\ud800'), read('\\u0100')]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
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
        expect([without?.lines, without?.texts]).toEqual([whole?.lines, whole?.texts]);
        expect(lineTexts(without?.blocks ?? [])).toEqual(whole?.texts);
      }),
      { numRuns },
    );
  });

  test('it is left out of usual lines', () => {
    const result = { tool_use_id: 't1', type: 'tool_result', content: 'done' };
    const usual = { type: 'user', message: { content: [result] }, toolUseResult: { stdout: 'y'.repeat(2000) } };
    const bytes = Buffer.from(JSON.stringify(usual));
    const readWithout = (line: Uint8Array) => readResult(line, false, false);
    expect(readWithout(bytes)?.object).toEqual({ ...usual, toolUseResult: {} });
    expect(readWithout(Buffer.from(JSON.stringify({ inner: usual })))).toBeNull();
    const broken = Buffer.from(bytes);
    broken[bytes.lastIndexOf('y')] = 0xff;
    expect(readWithout(broken)).toBeNull();
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
