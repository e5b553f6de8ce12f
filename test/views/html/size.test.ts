import { expect, test } from 'vitest';
import { renderPage } from '../../../src/views/html/render-page.ts';
import { corpusSessions, hasCorpus, outlineOf } from '../../kit/corpus.ts';

const FIXED = 110_000;

test.skipIf(!hasCorpus)('O14 a page is at most 110 KB and as large as its log, pictures aside', () => {
  const tooLarge: string[] = [];
  let [pages, logs] = [0, 0];
  for (const session of corpusSessions()) {
    const html = [...renderPage(outlineOf(session), { title: session.title ?? '', facts: [] })].join('');
    const size = Buffer.byteLength(html.replace(/data:image\/[^"&]*/g, ''));
    const tree = session.logs.read().tree.session(session.id);
    const files = new Set([...tree.files, ...tree.subagents.flatMap((subagent) => subagent.files)]);
    const log = [...files].reduce((sum, id) => sum + (session.logs.file(id)?.size ?? 0), 0);
    pages += size;
    logs += log;
    if (size > FIXED + log) tooLarge.push(`${session.id}: ${size} for ${log}`);
  }
  console.log(`pages ${pages} bytes for logs of ${logs} bytes`);
  expect(tooLarge).toEqual([]);
});
