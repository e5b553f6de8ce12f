import { jsonOutline } from '../../views/json/json-outline.ts';
import { outlineSession } from '../outline-session.ts';
import type { Output } from '../output.ts';
import { labelsOf } from '../session-labels.ts';
import type { Selection, ShowOptions } from './index.ts';

/** The whole session, with all branches and sub-agents. */
export async function showOutline(
  { session }: Selection,
  output: Output,
  { verbose = false }: ShowOptions,
): Promise<void> {
  for (const piece of jsonOutline(outlineSession(session, verbose), await labelsOf(session))) output.write(piece);
}
