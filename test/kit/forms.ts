import { claudeCode } from '../../src/formats/claude-code/index.ts';
import { renderPage } from '../../src/views/html/render-page.ts';
import { jsonOutline } from '../../src/views/json/json-outline.ts';
import { jsonRecord } from '../../src/views/json/json-record.ts';
import { renderMarkdown } from '../../src/views/markdown/render-markdown.ts';
import { renderRecord } from '../../src/views/text/render-record.ts';
import { claudeOutline } from '../outline/view.ts';
import { contentFrom } from './content.ts';
import { claudeTree, onlySession } from './transcript.ts';

/** One session in the forms that show it. */
export function formsOf(lines: readonly object[], verbose = false) {
  const { outline } = claudeOutline(lines, { verbose });
  const tree = claudeTree(lines);
  const content = contentFrom(claudeCode, { 's.jsonl': lines });
  const entries = tree.records(onlySession(tree).id).flatMap((id) => {
    const record = tree.record(id);
    return record ? [{ record, content: content(record) }] : [];
  });
  return {
    page: [...renderPage(outline, { title: 't', facts: [] })].join(''),
    markdown: [...renderMarkdown(outline)].join(''),
    outline: [...jsonOutline(outline)].join(''),
    json: JSON.stringify(entries.map((entry) => jsonRecord(entry, { verbose }))),
    text: entries.map((entry) => renderRecord(entry, { verbose })).join('\n'),
  };
}
