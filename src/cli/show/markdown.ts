import { renderMarkdown } from '../../views/markdown/render-markdown.ts';
import { outlineSession } from '../outline-session.ts';
import type { Output } from '../output.ts';
import { openPrices } from '../prices.ts';
import { factsOf, summarize } from '../summarize.ts';
import type { Selection, ShowOptions } from './index.ts';

export function showMarkdown({ session }: Selection, output: Output, options: ShowOptions): void {
  const facts = factsOf(session, summarize(session, openPrices(options)));
  for (const piece of renderMarkdown(outlineSession(session, options.verbose ?? false), facts)) output.write(piece);
}
