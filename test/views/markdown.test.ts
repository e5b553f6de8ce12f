import { expect, test } from 'vitest';
import { renderMarkdown } from '../../src/views/markdown/render-markdown.ts';
import { assistant, type Json, toolResult, toolUse, user } from '../kit/transcript.ts';
import { claudeOutline } from '../outline/view.ts';

/** What is written below the heading of one call. */
function bodyOf(name: string, input: Json, output: unknown, detail?: unknown): string {
  const { outline } = claudeOutline([
    user('u', null, 'go'),
    assistant('a', 'u', [toolUse('T', name, input)]),
    user('r', 'a', [toolResult('T', output)], detail === undefined ? {} : { toolUseResult: detail }),
  ]);
  return (
    [...renderMarkdown(outline)]
      .join('')
      .split(/^#+ Tool: .*\n\n/m)[1]
      ?.trim() ?? ''
  );
}

test.each([
  ['Bash', { command: 'ls' }, 'a', undefined, '```bash\nls\n```\n\n```\na\n```'],
  ['Write', { file_path: '/r/a.ts', content: 'let a;' }, '', undefined, '```typescript\nlet a;\n```'],
  [
    'Read',
    { file_path: '/r/a.py' },
    '1\tx',
    { file: { content: 'x = 1' } },
    '```json\n{\n  "file_path": "/r/a.py"\n}\n```\n\n```python\nx = 1\n```',
  ],
  ['Edit', { file_path: 'a', old_string: 'b', new_string: 'c' }, '', undefined, '```diff\n-b\n+c\n```'],
  [
    'edit',
    {
      path: 'a',
      edits: [
        { oldText: 'b', newText: 'c' },
        { oldText: 'd', newText: 'e' },
      ],
    },
    '',
    undefined,
    '```diff\n-b\n+c\n```\n\n```diff\n-d\n+e\n```',
  ],
  [
    'Edit',
    { file_path: 'a', old_string: 'b', new_string: 'c' },
    '',
    { structuredPatch: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ['-b', '+c'] }] },
    '```diff\n@@ -1,1 +1,1 @@\n-b\n+c\n```',
  ],
  ['Task', { prompt: 'do it' }, '```\ninside\n```', undefined, '> do it\n\n````\n```\ninside\n```\n````'],
])(
  'O16 %s in Markdown: code with its language, edits as diffs, nothing gets out of its fence',
  (name, input, output, detail, expected) => {
    expect(bodyOf(name, input, output, detail)).toBe(expected);
  },
);

test('O16 what tools printed and were given has no terminal escapes in Markdown, titles neither', () => {
  const { outline } = claudeOutline(
    [
      user('u', null, '\u001b[2Jgo'),
      assistant('a', 'u', [toolUse('T', 'Bash', { command: 'ls\u001b[1m' })]),
      user('r', 'a', [toolResult('T', '\u001b[31mred')]),
    ],
    { title: '\u001b[2Jgo <b>' },
  );
  const markdown = [...renderMarkdown(outline, ['/p\u001b[31m'])].join('');
  expect(markdown).not.toContain('\u001b');
  expect(markdown).toMatch(/^# Session: go &lt;b>\n\n\/p\n/);
});
