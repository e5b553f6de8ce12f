import { expect, test, vi } from 'vitest';
import { type ContentOptions, readContent } from '../../src/history/read-content.ts';
import { messageRows, type Sayings } from '../../src/ingest/message-rows.ts';
import { checkMessages, extractMessages, joinTexts, searchText } from '../../src/messages/index.ts';
import { readRows } from '../../src/outline/read-rows.ts';
import { VolumeBuilder } from '../../src/search/index.ts';
import { MessageKeys } from '../../src/stores/index.ts';
import { jsonRecord } from '../../src/views/json/json-record.ts';
import { renderPieces } from '../../src/views/text/render-record.ts';
import { IndexFolder, runIndex } from '../kit/index-folder.ts';
import { assistant, type Json, toolResult, toolUse, user } from '../kit/transcript.ts';

const COUNT = 600;
const numbers = Array.from({ length: COUNT }, (_, i) => i);
const use = (i: number): Json => toolUse('T', 'Read', { file_path: `/r/${i}` });
const result = (i: number): Json => toolResult('T', `came ${i}`, i === 0);

const SHAPES = [
  ['one line, answered by one line', [assistant('a0', null, numbers.map(use)), user('r0', 'a0', numbers.map(result))]],
  [
    'one line, answered by lines of their own',
    [assistant('a0', null, numbers.map(use)), ...numbers.map((i) => user(`r${i}`, 'a0', [result(i)]))],
  ],
] as const;

function open(lines: readonly object[]) {
  const folder = new IndexFolder();
  folder.write('p', { 's.jsonl': lines });
  const [session] = folder.history().projects.flatMap((project) => project.sessions());
  if (!session) throw new Error('no session');
  const { logs } = session;
  const { tree } = logs.read();
  const record = tree.record('a0');
  if (!record) throw new Error('no record');
  const content = (options: ContentOptions = {}) => readContent(logs, record, options);
  return { folder, logs, tree, record, content };
}

const outputs = numbers.map((i) => `came ${i}`);
/** How often each of the results is in a text. */
const timesSaid = (text: string): number[] => numbers.map((i) => text.split(`came ${i}\n`).length - 1);
const once = numbers.map(() => 1);

test.each(SHAPES)('H3 thousands of calls that share an id: the first has the results, each once (%s)', (_, lines) => {
  const { folder, logs, tree, record, content } = open(lines);
  const [first, ...others] = record.calls;
  expect(record.calls).toHaveLength(COUNT);
  expect(first).toMatchObject({ result: { file: 'p/s.jsonl' }, isError: true });
  expect(others.every((call) => call.result === null && call.more.length === 0)).toBe(true);
  const answers = lines.filter((line) => 'type' in line && line.type === 'user').length;
  expect(new Set([first?.result, ...(first?.more ?? [])].map((ref) => ref?.line)).size).toBe(answers);
  expect(first?.more).toHaveLength(answers - 1);

  const read = vi.spyOn(logs.lines, 'read');
  const found = content().results.get('T');
  expect(read.mock.calls.flatMap(([refs]) => refs)).toHaveLength(lines.length);
  expect([found?.block, ...(found?.more ?? [])].map((block) => block?.output)).toEqual(outputs);
  expect(Object.values(tree.accounting()).reduce((sum, count) => sum + count, 0)).toBe(lines.length);
  folder.remove();
});

test.each(SHAPES)('H21 each of their calls and results is shown once (%s)', (_, lines) => {
  const { folder, record, content } = open(lines);
  const entry = { record, content: content({ annotations: true }) };
  const pieces = renderPieces(entry, { verbose: true });
  expect(pieces).toHaveLength(COUNT + 1);
  // What follows a session tells by its key whether it was printed.
  expect(new Set(pieces.map(({ key }) => key)).size).toBe(COUNT + 1);
  expect(timesSaid(`${pieces.map(({ text }) => text).join('\n')}\n`)).toEqual(once);

  const { tool_calls: calls } = jsonRecord(entry, { verbose: false }) as { tool_calls: Json[] };
  expect(calls.map(({ input }) => input)).toEqual(numbers.map((i) => ({ file_path: `/r/${i}` })));
  expect(calls.filter((call) => call.result !== null)).toEqual([calls[0]]);

  const rows = readRows(record, entry.content, 0, { verbose: false });
  expect(rows.map(({ tool }) => tool?.call?.input)).toEqual(numbers.map((i) => ({ file_path: `/r/${i}` })));
  expect(rows.flatMap(({ pair }) => pair?.blocks ?? [])).toHaveLength(COUNT);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(COUNT);
  folder.remove();
});

test.each(SHAPES)('M1 their messages say what they say once (%s)', (_, lines) => {
  const { folder, tree, record, content } = open(lines);
  const said = content();
  const messages = extractMessages(
    record,
    said,
    null,
    () => null,
    (ref) => tree.resultsAt(ref),
  );
  expect(messages).toHaveLength(1 + COUNT + 1);
  const uses = messages.filter(({ type }) => type === 'tool_use');
  expect(uses.map((message) => searchText(message, said))).toEqual(numbers.map((i) => `/r/${i}`));
  expect(uses.map((message) => JSON.parse(message.content).input.file_path)).toEqual(numbers.map((i) => `/r/${i}`));
  expect(messages.filter(({ type }) => type === 'tool_result').map((message) => searchText(message, said))).toEqual([
    joinTexts(outputs),
  ]);
  const sayings: Sayings = { title: null, list: [] };
  const rows = messageRows(record, new MessageKeys('t'), (ref) => tree.resultsAt(ref), sayings);
  expect(rows).toHaveLength(messages.length);
  expect(sayings.list.filter(({ of }) => of !== 'own').flatMap(({ refs }) => refs)).toHaveLength(
    COUNT + 1 + (record.calls[0]?.more.length ?? 0),
  );
  folder.remove();
});

test.each(SHAPES)('M9 each of their texts is indexed once (%s)', async (_, lines) => {
  const { folder } = open(lines);
  const addSpan = vi.spyOn(VolumeBuilder.prototype, 'addSpan');
  const addAttribute = vi.spyOn(VolumeBuilder.prototype, 'addAttribute');
  const { written } = await runIndex(folder);
  expect(addSpan).toHaveBeenCalledTimes(2 * COUNT);
  expect(addAttribute.mock.calls.filter(([name]) => name === 'file')).toHaveLength(COUNT + 1);
  expect(written).toBeLessThan(COUNT + 20);
  vi.restoreAllMocks();
  folder.remove();
});

test('M5 thousands of calls without a result: their record is looked up once', () => {
  const { folder, tree } = open([assistant('a0', null, numbers.map(use))]);
  const record = vi.spyOn(tree, 'record');
  expect(checkMessages(tree)).toHaveLength(COUNT);
  expect(record.mock.calls.length).toBeLessThan(4);
  folder.remove();
});

test('M2 thousands of results of one unknown call: each says what it says', () => {
  const { folder, tree, logs } = open([assistant('a0', null, 'none'), user('n', 'a0', numbers.map(result))]);
  const record = tree.record('n');
  if (!record) throw new Error('no record');
  const content = readContent(logs, record, {});
  const strays = extractMessages(
    record,
    content,
    null,
    () => null,
    (ref) => tree.resultsAt(ref),
  ).slice(1);
  expect(strays.map((message) => searchText(message, content))).toEqual(outputs);
  folder.remove();
});
