import { renderMarkdown } from '../../views/markdown/render-markdown.ts';
import { outlineSession } from '../outline-session.ts';
import type { Output } from '../output.ts';
import type { Selection, ShowOptions } from './index.ts';

export function showMarkdown({ session }: Selection, output: Output, { verbose = false }: ShowOptions): void {
  for (const piece of renderMarkdown(outlineSession(session, verbose))) output.write(piece);
}
