import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { claudeCode } from '../../src/formats/claude-code/index.ts';
import { skimUsual } from '../../src/formats/claude-code/skim-usual.ts';
import { LineSplitter } from '../../src/formats/index.ts';
import type { Ties } from '../../src/model/index.ts';
import { sessionTexts } from '../kit/random-session.ts';
import { factsOf, linesOf } from '../kit/transcript.ts';

const encoder = new TextEncoder();
const usual = (line: string): Ties | null => skimUsual(encoder.encode(line));

/** As Claude Code writes them: the id after what was said. */
const START = '{"parentUuid":"u1","isSidechain":false';
const END = '"uuid":"u2","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/r"}';
const said = (content: string, more = ''): string =>
  `${START},"type":"user","message":{"role":"user","content":${content}},${more}${END}`;
const TIES: Ties = { key: 'u2', parent: 'u1', aside: false, part: null, results: [], leaf: null };

describe('a usual line is told from both its ends', () => {
  test.each([
    ['a prompt', said('"hello"'), TIES],
    [
      'an answer',
      `${START},"message":{"model":"x","id":"m1","content":[]},"requestId":"r","type":"assistant",${END}`,
      { ...TIES, part: 'm1' },
    ],
    ['a result', said('[{"tool_use_id":"t1","type":"tool_result","content":"ok"}]'), { ...TIES, results: ['t1'] }],
    ['two results', said('[{"tool_use_id":"t1"},{"tool_use_id":"t2"}]'), { ...TIES, results: ['t1', 't2'] }],
    ['a sub-agent', said('"hello"').replace('false', 'true'), { ...TIES, aside: true }],
    ['an attachment', `${START},"attachment":{"type":"file"},"type":"attachment",${END}`, TIES],
    [
      'what comes after the id',
      `${START},"type":"user","message":{"content":"a"},"uuid":"u2","toolUseResult":{"a":[1,{"b":"}"}]}}`,
      TIES,
    ],
    ['nothing but plain members', `${START},"type":"progress",${END}`, TIES],
    ['ids inside of text', said('"\\"uuid\\":\\"x\\", \\"tool_use_id\\":\\"t\\", {\\"parentUuid\\":\\"x\\"}"'), TIES],
    ['ids inside of objects', said('"a"', '"toolUseResult":{"uuid":"x","parentUuid":"y","message":{"id":"z"}},'), TIES],
    ['quotes, braces and backslashes in text', said('"\\\\\\" } ] \\\\"'), TIES],
    ['a path with backslashes', said('"a"').replace('"/r"', '"C:\\\\"'), TIES],
    ['a carriage return', `${said('"a"')}\r`, TIES],
  ])('%s', (_, line, ties) => {
    expect(usual(line)).toEqual(ties);
  });
});

describe('any other is left to the parser', () => {
  test.each([
    ['another order', `{"type":"user","parentUuid":"u1","isSidechain":false,"uuid":"u2"}`],
    ['spaces', said('"a"').replaceAll(':', ': ')],
    ['no id', `${START},"type":"user","message":{"role":"user","content":"a"}}`],
    ['no id but one inside', `${START},"type":"user","message":{"content":"a"},"toolUseResult":{"uuid":"x"}}`],
    ['an id inside after its own', `${START},"type":"user","message":{},"uuid":"u2","toolUseResult":{"uuid":"x"}}`],
    ['an empty id', said('"a"').replace('u2', '')],
    ['an id with an escape', said('"a"').replace('u2', 'u\\u0032')],
    ['a parent with an escape', said('"a"').replace('u1', 'u\\u0031')],
    ['no parent', said('"a"').replace('"u1"', 'null')],
    ['not said whether a sub-agent', said('"a"').replace(',"isSidechain":false', '')],
    ['not said what it is', said('"a"').replace('"type":"user",', '')],
    ['a boundary', `${START},"type":"system","subtype":"compact_boundary","logicalParentUuid":"x",${END}`],
    ['an answer named after its content', `${START},"message":{"content":[],"id":"m1"},"type":"assistant",${END}`],
    ['an answer without a name', `${START},"message":{"id":null,"content":[]},"type":"assistant",${END}`],
    ['a result with an escape', said('[{"tool_use_id":"t\\u0031"}]')],
    ['a result with a space', said('[{"tool_use_id": "t1"}]')],
    ['a line torn in the middle', said('"hello"').slice(0, 90)],
    ['a line torn at its end', said('"hello"').slice(0, -1)],
    ['a line behind a torn one', said('"hello"').slice(0, 90) + said('"hello"')],
    ['a first line behind a torn one', said('"hello"').slice(0, 90) + said('"hello"').replace('"u1"', 'null')],
    ['a line behind a torn one and a hole', `${said('"hello"').slice(0, 90)}\0\0\0${said('"hello"')}`],
    ['NUL bytes after it', `${said('"a"')}\0\0`],
    ['NUL bytes before it', `\0\0${said('"a"')}`],
    ['a byte order mark', `\ufeff${said('"a"')}`],
    ['two objects', said('"a"') + said('"a"')],
    ['nothing', ''],
  ])('%s', (_, line) => {
    expect(usual(line)).toBeNull();
  });
});

test('whatever the reader makes of a line, the skim has named', () => {
  fc.assert(
    fc.property(sessionTexts('u'), (text) => {
      const facts = factsOf(claudeCode, 's1.jsonl');
      const skim = claudeCode.skim?.(facts);
      const ties: (Ties | undefined)[] = [];
      const splitter = new LineSplitter(facts.id, (...line) => ties.push(skim?.(...line)));
      splitter.push(encoder.encode(text));
      splitter.end();
      for (const [i, line] of linesOf(claudeCode, 's1.jsonl', text).entries()) {
        const told = ties[i];
        if (line.in !== 'chain' || line.more?.loose) {
          expect(told?.key).toBeNull();
          continue;
        }
        const { key, parent, subagent, place } = line;
        expect(told).toMatchObject({ key, parent, aside: subagent !== null });
        if (place.as === 'part') expect(told?.part).toBe(place.of);
        if (place.as === 'result' && !place.body)
          expect(told?.results).toEqual(expect.arrayContaining(place.of.map(({ call }) => call)));
      }
    }),
    { numRuns: Number(process.env.FC_RUNS ?? 1000) },
  );
}, 600_000);
