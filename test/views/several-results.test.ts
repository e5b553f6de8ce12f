import { expect, test } from 'vitest';
import { claudeCode } from '../../src/formats/claude-code/index.ts';
import { renderPage } from '../../src/views/html/render-page.ts';
import { jsonOutline } from '../../src/views/json/json-outline.ts';
import { jsonRecord } from '../../src/views/json/json-record.ts';
import { renderMarkdown } from '../../src/views/markdown/render-markdown.ts';
import { renderPieces } from '../../src/views/text/render-record.ts';
import { contentFrom } from '../kit/content.ts';
import { assistant, claudeTree, type Json, toolResult, toolUse, user } from '../kit/transcript.ts';
import { claudeOutline } from '../outline/view.ts';

const TOOLS: readonly [string, Json][] = [
  ['Bash', { command: 'ls' }],
  ['Read', { file_path: '/r/a.ts' }],
  ['Grep', { pattern: 'x' }],
  ['WebFetch', { url: 'https://example.org', prompt: 'p' }],
  ['mcp__a__b', { c: 1 }],
  ['Nobody knows it', {}],
];

const results = (ids: readonly number[]): Json[] => ids.map((i) => toolResult('T', `said ${i}`));

const SHAPES: readonly [string, readonly Json[]][] = [
  ['lines of their own', [1, 2, 3].map((i) => user(`r${i}`, i === 1 ? 'a' : `r${i - 1}`, results([i])))],
  ['one line', [user('r1', 'a', results([1, 2, 3]))]],
  ['both', [user('r1', 'a', results([1, 2])), user('r2', 'r1', results([3]))]],
];

const CASES = TOOLS.flatMap(([name, input]) => SHAPES.map(([shape, lines]) => ({ name, input, shape, lines })));

test.each(CASES)('H3 all results of a call to $name are in every view ($shape)', ({ name, input, lines: answers }) => {
  const lines = [user('u', null, 'go'), assistant('a', 'u', [toolUse('T', name, input)]), ...answers];
  const { outline } = claudeOutline(lines);
  const record = claudeTree(lines).record('a');
  if (!record) throw new Error('no record');
  const entry = { record, content: contentFrom(claudeCode, { 's.jsonl': lines })(record) };
  const views = {
    page: [...renderPage(outline, { title: 't', facts: [] })].join(''),
    markdown: [...renderMarkdown(outline)].join(''),
    outline: [...jsonOutline(outline)].join(''),
    record: JSON.stringify(jsonRecord(entry, { verbose: false })),
    text: renderPieces(entry, { verbose: false })
      .map(({ text }) => text)
      .join('\n'),
  };
  const said = Object.entries(views).map(([view, text]) => [view, text.match(/said \d/g)]);
  expect(Object.fromEntries(said)).toEqual(
    Object.fromEntries(Object.keys(views).map((view) => [view, ['said 1', 'said 2', 'said 3']])),
  );
});

test('H3 the further results of a call stand with the first, each with what the tool reported', () => {
  const lines = [
    user('u', null, 'go'),
    assistant('a', 'u', [toolUse('T', 'Read', { file_path: '/r/a.py' })]),
    user('r1', 'a', [toolResult('T', '1\tx')], { toolUseResult: { file: { content: 'x = 1' } } }),
    user('r2', 'r1', [toolResult('T', '1\ty')], { toolUseResult: { file: { content: 'y = 2' } } }),
  ];
  const record = claudeTree(lines).record('a');
  if (!record) throw new Error('no record');
  const content = contentFrom(claudeCode, { 's.jsonl': lines })(record);
  expect(jsonRecord({ record, content }, { verbose: false }).tool_calls).toMatchObject([
    {
      result: {
        content: '1\tx',
        tool_use_result: { file: { content: 'x = 1' } },
        more: [{ content: '1\ty', tool_use_result: { file: { content: 'y = 2' } } }],
      },
    },
  ]);
  const markdown = [...renderMarkdown(claudeOutline(lines).outline)].join('');
  expect(markdown).toContain('```python\nx = 1\n```\n\n```python\ny = 2\n```');
});
