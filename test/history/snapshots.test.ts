import fc from 'fast-check';
import { expect, test } from 'vitest';
import { claudeCode } from '../../src/formats/claude-code/index.ts';
import type { LogRecord } from '../../src/model/index.ts';
import type { Tree } from '../../src/tree/index.ts';
import { contentFrom, saidIn } from '../kit/content.ts';
import { formsOf } from '../kit/forms.ts';
import { feedsOf, formatOf, projects, readWhole } from '../kit/random-project.ts';
import { assistant, claudeTree, type Json, recordOf, toolResult, toolUse, user } from '../kit/transcript.ts';

const text = (said: string): Json => ({ type: 'text', text: said });
const thought = (said: string): Json => ({ type: 'thinking', thinking: said, signature: 'x' });
/** An answer whose lines say this. */
const answer = (...lines: readonly (readonly Json[])[]): Json[] => [
  user('u1', null, 'start'),
  ...lines.map((blocks, i) => assistant(`a${i + 1}`, i === 0 ? 'u1' : `a${i}`, blocks, { id: 'm' })),
  user('r', 'a1', [toolResult('t1', 'came')]),
];
/** What it says in the end. */
const saidBy = (lines: readonly Json[]) =>
  contentFrom(claudeCode, { 's.jsonl': lines })(recordOf(claudeTree(lines), 'a1')).own.map((block) =>
    block.type === 'call' ? [block.id, block.input] : block.type === 'text' ? block.text : block.type,
  );

const CALL = toolUse('t1', 'Read', { file_path: '/r/a' });
const SHAPES: readonly (readonly [string, Json[]])[] = [
  ['written again', answer([text('I look into it')], [CALL], [text('I look into it')], [CALL])],
  ['written again as a whole', answer([text('I look into it'), CALL], [text('I look into it'), CALL])],
  ['written while it grows', answer([text('I look')], [text('I look into')], [text('I look into it'), CALL])],
  ['whose call grows', answer([text('I look'), toolUse('t1', 'Read', {})], [text('I look into it'), CALL])],
];

test.each(SHAPES)('peers D4 an answer %s says its text and its call once', (_name, lines) => {
  expect(saidBy(lines)).toEqual(['I look into it', ['t1', { file_path: '/r/a' }]]);
});

test.each(SHAPES)('peers D4 an answer %s has one call, with its result', (_name, lines) => {
  expect(recordOf(claudeTree(lines), 'a1').calls).toMatchObject([
    { id: 't1', result: { line: lines.length }, more: [] },
  ]);
});

/** How often each form has the text. */
const timesSaid = (lines: readonly Json[]) =>
  Object.entries(formsOf(lines)).map(([form, shown]) => [form, shown.split('I look into it').length - 1]);

test.each(SHAPES)('peers D4 all forms of an answer %s say it once (law 5)', (_name, lines) => {
  expect(timesSaid(lines)).toEqual(timesSaid(answer([text('I look into it'), CALL])));
});

test('peers D4 different texts and calls of one answer stay apart', () => {
  const lines = answer([text('one')], [CALL], [text('two')], [toolUse('t2', 'Read', {})]);
  expect(saidBy(lines)).toEqual(['one', ['t1', { file_path: '/r/a' }], 'two', ['t2', {}]]);
});

test('peers D4 a thought that is written again with what follows it stands once', () => {
  expect(saidBy(answer([thought(''), text('yes')], [thought(''), text('yes, of course')]))).toEqual([
    'thinking',
    'yes, of course',
  ]);
});

test('peers D4 two hidden thoughts stay two', () => {
  const hidden = (signature: string): Json => ({ type: 'thinking', thinking: '', signature });
  expect(saidBy(answer([hidden('a')], [CALL], [hidden('b')]))).toHaveLength(3);
});

test('peers D4 a thought that is hidden the second time is not lost', () => {
  const lines = answer([thought('I wonder'), text('yes')], [thought(''), text('yes, of course')]);
  const content = contentFrom(claudeCode, { 's.jsonl': lines })(recordOf(claudeTree(lines), 'a1'));
  expect(content.own).toMatchObject([{ text: 'I wonder' }, { text: 'yes, of course' }]);
});

test('peers D4 the calls of a record are those in its content, in their order, and say which of their line they are (law 5)', () => {
  fc.assert(
    fc.property(projects, (project) => {
      const format = formatOf(project);
      const tree = readWhole(feedsOf(project));
      const content = contentFrom(format, project.files);
      const said = saidIn(format, project.files);
      for (const id of recordsOf(tree)) {
        const record = tree.record(id) as LogRecord;
        const own = content(record).own.filter((block) => block.type === 'call');
        const placed = record.calls.map(({ at, nth }) => said(at).filter((block) => block.type === 'call')[nth]);
        expect(own).toEqual(placed);
        expect(own.map((call) => [call.id, call.name])).toEqual(record.calls.map((call) => [call.id, call.name]));
      }
    }),
    { numRuns: Number(process.env.FC_RUNS ?? 100) },
  );
});

const recordsOf = (tree: Tree) =>
  tree.sessionIds().flatMap((session) => {
    const { subagents } = tree.session(session);
    return [...tree.records(session), ...subagents.flatMap(({ id }) => tree.subagentRecords(id, session))];
  });

test('peers D4 lines that were written again are folded', () => {
  for (const [, lines] of SHAPES) {
    const { records, folded } = claudeTree(lines).accounting();
    expect({ records, folded }).toEqual({ records: 2, folded: lines.length - 2 });
  }
});
