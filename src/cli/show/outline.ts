import { buildOutline } from '../../outline/index.ts';
import { jsonOutline } from '../../views/json/json-outline.ts';
import type { Output } from '../output.ts';
import { labelsOf } from '../session-labels.ts';
import type { Selection, ShowOptions } from './index.ts';

/** The whole session, with all branches and sub-agents. */
export async function showOutline({ session }: Selection, output: Output, options: ShowOptions): Promise<void> {
  const { verbose = false } = options;
  const outline = buildOutline(
    session.logs.read().tree,
    session.id,
    (record) => session.content(record, { annotations: true }),
    { verbose, title: session.title ?? session.id },
  );
  for (const piece of jsonOutline(outline, await labelsOf(session))) output.write(piece);
}
