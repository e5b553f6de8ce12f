import { renderMarkdown } from '../../views/markdown/render-markdown.ts';
import { outlineSession } from '../outline-session.ts';
import type { Output } from '../output.ts';
import { openPrices } from '../prices.ts';
import { factsOf, summarize } from '../summarize.ts';
import type { Selection, ShowOptions } from './index.ts';

/** One thread, with the sub-agents it started; or one sub-agent. Exports have the whole session. */
export function showMarkdown(selection: Selection, output: Output, options: ShowOptions): void {
  const { session, thread, subagent } = selection;
  const only = subagent ? { subagent: subagent.id } : thread ? { thread: thread.id } : undefined;
  const facts = factsOf(session, summarize(session, openPrices(options)), only);
  const outline = outlineSession(session, options.verbose ?? false, only);
  for (const piece of renderMarkdown(outline, facts)) output.write(piece);
}
