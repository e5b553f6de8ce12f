import { claudeCode } from '../../src/formats/claude-code/index.ts';
import { buildMessages } from '../../src/messages/index.ts';
import { renderPage } from '../../src/views/html/render-page.ts';
import { jsonOutline } from '../../src/views/json/json-outline.ts';
import { jsonRecord } from '../../src/views/json/json-record.ts';
import { jsonText } from '../../src/views/json/json-text.ts';
import { renderMarkdown } from '../../src/views/markdown/render-markdown.ts';
import { renderRecord } from '../../src/views/text/render-record.ts';
import { claudeOutline } from '../outline/view.ts';
import { contentFrom } from './content.ts';
import { claudeTree, onlySession } from './transcript.ts';

/** One session in the forms that show it: its lines, or their text. */
export function formsOf(lines: readonly object[] | string, verbose = false) {
  const files = { 's.jsonl': lines };
  const { outline } = claudeOutline(files, { verbose });
  const tree = claudeTree(files);
  const content = contentFrom(claudeCode, files);
  const entries = tree.records(onlySession(tree).id).flatMap((id) => {
    const record = tree.record(id);
    return record ? [{ record, content: content(record) }] : [];
  });
  return {
    page: [...renderPage(outline, { title: 't', facts: [] })].join(''),
    markdown: [...renderMarkdown(outline)].join(''),
    outline: [...jsonOutline(outline)].join(''),
    json: entries.map((entry) => jsonText(jsonRecord(entry, { verbose }))).join('\n'),
    messages: JSON.stringify(buildMessages(tree, onlySession(tree).id, content, () => null).items),
    text: entries.map((entry) => renderRecord(entry, { verbose })).join('\n'),
  };
}
