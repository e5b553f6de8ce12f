import { printableLine } from '../../views/text/printable.ts';
import { cutToWidth } from '../../views/text/width.ts';
import type { Output } from '../output.ts';
import { openPrices } from '../prices.ts';
import { NO_TITLE } from '../session-table.ts';
import { summarize } from '../summarize.ts';
import { bold, dim, plural } from '../table.ts';
import type { Selection, ShowOptions } from './index.ts';

/** For the person at the terminal: what session this is. */
export function showHeader({ session, thread }: Selection, output: Output, options: ShowOptions): void {
  if (output.columns === null) return;
  const { title, models, tokens, cost } = summarize(session, openPrices(options));
  const others = session.threads.filter(({ id }) => id !== thread?.id).length;
  const facts = [
    session.id,
    models.join(', '),
    tokens > 0 && cost !== '–' ? cost : '',
    others > 0 ? plural(others, thread ? 'other thread' : 'thread') : '',
  ];
  const said = facts.filter((fact) => fact !== '').map(printableLine);
  output.write(`${bold(cutToWidth(printableLine(title ?? NO_TITLE), output.columns))}\n${dim(said.join(' · '))}\n\n`);
}
