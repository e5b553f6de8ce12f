import { jsonOutline } from '../../views/json/json-outline.ts';
import { outlineSession } from '../outline-session.ts';
import type { Output } from '../output.ts';
import { labelsOf } from '../session-labels.ts';
import { askedFor, type Selection, type ShowOptions } from './index.ts';

/** The whole session with all branches and sub-agents; a thread or a sub-agent that was asked for narrows it. */
export async function showOutline(selection: Selection, output: Output, options: ShowOptions): Promise<void> {
  const { session } = selection;
  const outline = outlineSession(session, options.verbose ?? false, askedFor(selection, options));
  for (const piece of jsonOutline(outline, await labelsOf(session), () => session.unreadable)) output.write(piece);
}
