import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { claudeCode } from '../../src/formats/claude-code/index.ts';
import { LineSplitter } from '../../src/formats/index.ts';
import { type LineText, lineTexts, resultText } from '../../src/messages/index.ts';
import type { Block, Line, Parsed, ReadOptions } from '../../src/model/index.ts';
import { codesOf, decodeCodes, encodeCodes } from '../../src/model/index.ts';
import { factsOf } from '../kit/transcript.ts';

const numRuns = Number(process.env.FC_RUNS ?? 400);
const SURVEYED = new Set(['unexpected_attributes', 'unexpected_content_shape', 'unknown_record_type']);

/** `survey` reads every line as text. What it says beside is left out. */
function read(
  bytes: Uint8Array,
  survey: boolean,
  options: ReadOptions = {},
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

function codedIn(line: string | Uint8Array, options: ReadOptions = { details: false }): Parsed['coded'] {
  const bytes = Buffer.from(line as string);
  const ref = { file: 'p/s.jsonl', line: 1, offset: 0, bytes: bytes.length };
  return claudeCode.open(factsOf(claudeCode, 's.jsonl'), undefined, { survey: false, ...options }).next(bytes, ref)
    .coded;
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
  ...['a', ' ', 'é', '✓', '😀', 'Ã©', '\u00a0', '\ufeff', '\ufffd', '\u0085', 'é'.repeat(300)],
  ...['\\n', '\\"', '\\\\', '\\u001b[1m', 'agentId: x', '\\nagentId: y'],
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
const begun = fc
  .constantFrom('', '', '', '', ...START, ...START.map((start) => `\u00a0 ${start}`))
  .map((start) => Buffer.from(start));
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
          .tuple(fc.constantFrom('agentId', 'agent_id', 'runId', 'persistedOutputPath', 'stdout'), any)
          .map(([key, value]) => Buffer.concat([Buffer.from(`{"${key}":`), quote(value), Buffer.from('}')])),
      ),
      fork: fc.option(any),
      before: fc.constantFrom('', '', '', '', ' ', '\ufeff', '\0'),
      after: fc.constantFrom('\n', '\n', '\n', '\r\n', ''),
    })
    .map(({ call, content, isList, members, beside, fork, before, after }) =>
      Buffer.concat([
        Buffer.from(`${before}{"type":"user","message":{"role":"user","content":[{"tool_use_id":`),
        quote(call),
        Buffer.from(`,"type":"tool_result","content":${isList ? '[{"type":"text","text":' : ''}`),
        quote(...content),
        Buffer.from(`${isList ? '}]' : ''}}]}`),
        ...(members.some(([key]) => key === 'uuid') ? [] : [Buffer.from(',"uuid":"r1"')]),
        ...members.flatMap(([key, value]) => [Buffer.from(`,"${key}":`), quote(value)]),
        ...(beside ? [Buffer.from(',"toolUseResult":'), beside] : []),
        ...(fork ? [Buffer.from(',"forkedFrom":{"messageUuid":'), quote(fork), Buffer.from('}')] : []),
        Buffer.from(`}${after}`),
      ]),
    );
const quote = (...inside: readonly Uint8Array[]): Buffer =>
  Buffer.concat([Buffer.from('"'), ...inside, Buffer.from('"')]);

describe('H19: a result that is left as codes reads as its text does', () => {
  test('lines, digests, blocks and texts, whatever bytes', () => {
    let coded = 0;
    fc.assert(
      fc.property(fc.array(fc.oneof(resultLine(plain), resultLine(any)), { minLength: 1, maxLength: 3 }), (lines) => {
        const bytes = new Uint8Array(Buffer.concat(lines));
        const text = read(bytes, true);
        expect(read(bytes, false, { blocks: false })).toEqual(text);
        const codes = read(bytes, false, { details: false });
        expect({ ...codes, coded: 0 }).toEqual(text);
        coded += codes.coded;
      }),
      { numRuns },
    );
    expect(coded).toBeGreaterThan(numRuns / 10);
  });

  test('it is done for usual lines, and only for results', () => {
    const line = (content: unknown, more: object = {}): string =>
      JSON.stringify({ type: 'user', message: { content }, uuid: 'r1', cwd: '/é', ...more });
    const result = [{ tool_use_id: 't✓', type: 'tool_result', content: '✓' }];
    const usual = { of: 't✓', output: 'â\x9c\x93' };
    expect(codedIn(line(result))).toEqual(usual);
    expect(codedIn(line(result, { toolUseResult: 'Error: ✓' }))).toEqual(usual);
    expect(codedIn(line(result, { toolUseResult: { stdout: '✓' } }))).toEqual(usual);
    expect(codedIn(line(result, { type: 'news' }))).toBeUndefined();
    expect(codedIn(line('tool_use_id ✓'))).toBeUndefined();
    expect(codedIn(line([...result, { type: 'text', text: '✓' }]))).toBeUndefined();
    expect(codedIn(line(result, { toolUseResult: { persistedOutputPath: null } }))).toBeUndefined();
    expect(codedIn(JSON.stringify({ inner: JSON.parse(line(result)) }))).toBeUndefined();
    expect(codedIn(Buffer.from(line(result).replace('✓', '\xff'), 'latin1'))).toBeUndefined();
    expect(codedIn(line(result), {})).toBeUndefined();
    expect(codedIn(line(result), { blocks: false })).toBeUndefined();
  });

  test('also where it writes escapes, but for those of characters beyond ASCII', () => {
    const output = (content: string): unknown =>
      codedIn(
        `{"type":"user","uuid":"r1","message":{"content":[{"tool_use_id":"t","type":"tool_result","content":"✓${content}"}]},"toolUseResult":{}}`,
      )?.output;
    expect(output('\\u001b\\\\u00e9\\u007f')).toBe('â\x9c\x93\x1b\\u00e9\x7f');
    const beyond = ['\\\\\\u00e9', '\\u0080', '\\ud800', '\\u0100'];
    expect(beyond.map(output)).toEqual(beyond.map(() => undefined));
  });
});

describe('H19: a result without what the tool said beside it reads as the whole line does', () => {
  const BROKEN = '{"a":01} {"a":1,} {"a":"\\x"} {"a":"\\u12g4"} {"a":"\t"} {"a"1} {"a":[1;2]} {a:1} {"a":1 }'.split(
    ' ',
  );
  const key = fc.constantFrom('stdout', 'agentId', 'runId', 'persistedOutputPath', 'a\\n');
  const detail = fc.oneof(
    { weight: 3, arbitrary: fc.json({ maxDepth: 3 }) },
    {
      weight: 3,
      arbitrary: fc
        .array(fc.tuple(key, fc.json()).map(([name, value]) => `"${name}":${value}`))
        .map((all) => `{${all}}`),
    },
    fc.constantFrom(...BROKEN),
  );
  const mostlyNone = (...others: readonly string[]): fc.Arbitrary<string> =>
    fc.oneof({ weight: 4, arbitrary: fc.constant('') }, fc.constantFrom(...others));
  const line = fc
    .record({
      content: fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('agentId: x', '\u00e9')),
      more: mostlyNone(',{"type":"text","text":"said"}', ',{"type":"tool_result","tool_use_id":"t2","content":"2"}'),
      inside: mostlyNone('"toolUseResult":{"b":1},'),
      type: fc.constantFrom('user', 'user', 'user', 'user', 'progress'),
      detail,
      behind: mostlyNone(',"toolUseResult":{"c":1}', ',"cwd":"/é"', ',"cwd":"\\u00e9"', ',"uuid":'),
    })
    .map(({ content, more, inside, type, detail, behind }) => {
      const result = `{"tool_use_id":"t1",${inside}"type":"tool_result","content":${JSON.stringify(content)}}`;
      return `{"type":"${type}","message":{"content":[${result}${more}]},"uuid":"r1","toolUseResult":${detail}${behind}}\n`;
    });

  test('lines, blocks and texts, whatever stands there', () => {
    let coded = 0;
    fc.assert(
      fc.property(line, (text) => {
        const bytes = Buffer.from(text);
        const without = read(bytes, false, { details: false });
        expect({ ...without, coded: 0 }).toEqual(read(bytes, false));
        coded += without.coded;
      }),
      { numRuns },
    );
    expect(coded).toBeGreaterThan(numRuns / 10);
  });
});

test('codes are text and back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const codes = codesOf(new TextEncoder().encode(text)) ?? '';
      expect([encodeCodes(text), decodeCodes(codes)]).toEqual([codes, text]);
    }),
    { numRuns },
  );
});
