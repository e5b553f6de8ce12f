import { buildOutline } from '../../outline/index.ts';
import { renderMarkdown } from '../../views/markdown/render-markdown.ts';
import type { Output } from '../output.ts';
import type { Selection, ShowOptions } from './index.ts';

export function showMarkdown({ session }: Selection, output: Output, { verbose = false }: ShowOptions): void {
  const outline = buildOutline(
    session.logs.read().tree,
    session.id,
    (record) => session.content(record, { annotations: true }),
    { verbose, title: session.title ?? session.id },
  );
  for (const piece of renderMarkdown(outline)) output.write(piece);
}
