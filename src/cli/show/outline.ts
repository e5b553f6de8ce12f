import { jsonOutline } from '../../views/json/json-outline.ts';
import { outlineSession } from '../outline-session.ts';
import type { Output } from '../output.ts';
import type { Selection, ShowOptions } from './index.ts';

/** The whole session, with all branches and sub-agents. */
export function showOutline({ session }: Selection, output: Output, { verbose = false }: ShowOptions): void {
  for (const piece of jsonOutline(outlineSession(session, verbose))) output.write(piece);
}
