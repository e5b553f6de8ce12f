import { buildOutline } from '../../outline/index.ts';
import { jsonOutline } from '../../views/json/json-outline.ts';
import type { Output } from '../output.ts';
import type { Selection, ShowOptions } from './index.ts';

/** The whole session, with all branches and sub-agents. */
export function showOutline({ session }: Selection, output: Output, { verbose = false }: ShowOptions): void {
  const outline = buildOutline(
    session.logs.read().tree,
    session.id,
    (record) => session.content(record, { annotations: true }),
    { verbose, title: session.title ?? session.id },
  );
  for (const piece of jsonOutline(outline)) output.write(piece);
}
