import { renderMarkdown } from '../../views/markdown/render-markdown.ts';
import { outlineSession } from '../outline-session.ts';
import type { Output } from '../output.ts';
import type { Selection, ShowOptions } from './index.ts';

/** One thread, with the sub-agents it started; or one sub-agent. Exports have the whole session. */
export function showMarkdown(selection: Selection, output: Output, { verbose = false }: ShowOptions): void {
  const { session, thread, subagent } = selection;
  const only = subagent ? { subagent: subagent.id } : thread ? { thread: thread.id } : undefined;
  for (const piece of renderMarkdown(outlineSession(session, verbose, only))) output.write(piece);
}
