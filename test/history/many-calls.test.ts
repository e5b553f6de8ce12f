import { expect, test, vi } from 'vitest';
import { readContent } from '../../src/history/read-content.ts';
import { messageRows } from '../../src/ingest/message-rows.ts';
import { extractMessages, searchText } from '../../src/messages/index.ts';
import { MessageKeys } from '../../src/stores/index.ts';
import { IndexFolder } from '../kit/index-folder.ts';
import { assistant, toolResult, toolUse, user } from '../kit/transcript.ts';

const CALLS = 3000;
const numbers = Array.from({ length: CALLS }, (_, i) => i);

test('M1 an answer with thousands of calls, answered by one line: that line is read and looked up once', () => {
  const folder = new IndexFolder();
  folder.write('p', {
    's.jsonl': [
      assistant(
        'a',
        null,
        numbers.map((i) => toolUse(`T${i}`, 'Read', { file_path: `/r/${i}` })),
      ),
      user(
        'r',
        'a',
        numbers.map((i) => toolResult(`T${i}`, `came ${i}`, i % 2 === 1)),
      ),
    ],
  });
  const [session] = folder.history().projects.flatMap((project) => project.sessions());
  const { logs } = session as NonNullable<typeof session>;
  const { tree } = logs.read();
  const record = tree.record('a');
  if (!record) throw new Error('no record');

  const read = vi.spyOn(logs.lines, 'read');
  const content = readContent(logs, record, {});
  expect(read.mock.calls.flatMap(([refs]) => refs)).toHaveLength(2);
  expect(content.results.get('T2999')?.block).toMatchObject({ output: 'came 2999', isError: true });

  const found = extractMessages(
    record,
    content,
    null,
    () => null,
    (ref) => tree.resultsAt(ref),
  );
  const texts = found.filter(({ type }) => type === 'tool_use').map((message) => searchText(message, content));
  expect(texts).toEqual(numbers.map((i) => `/r/${i}`));

  const resultsAt = vi.fn((ref: Parameters<typeof tree.resultsAt>[0]) => tree.resultsAt(ref));
  const rows = messageRows(record, new MessageKeys('t'), resultsAt);
  expect(resultsAt).toHaveBeenCalledTimes(1);
  expect(rows.filter(({ type }) => type === 'tool_use').map(({ nth }) => nth)).toEqual(numbers);
  expect(rows.filter(({ type }) => type === 'tool_result').map(({ nth }) => nth)).toEqual(numbers);
  folder.remove();
});
