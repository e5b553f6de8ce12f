import { renderRecord } from '../../views/text/render-record.ts';
import type { Output } from '../output.ts';
import { recordsOf, type Selection, type ShowOptions } from './index.ts';

/** One record after the other, with a blank line between (H20). */
export function showText(selection: Selection, output: Output, { verbose = false }: ShowOptions): void {
  let between = '';
  for (const record of recordsOf(selection)) {
    const content = selection.session.content(record, { annotations: verbose });
    const text = renderRecord({ record, content }, { verbose });
    if (text === '') continue;
    output.write(`${between}${text}\n`);
    between = '\n';
  }
}
