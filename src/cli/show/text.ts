import type { Session } from '../../history/index.ts';
import { SkeinError } from '../../model/index.ts';
import { renderAnnotation, renderRecord } from '../../views/text/render-record.ts';
import type { Output } from '../output.ts';
import { recordsOf, type Selection, type ShowOptions } from './index.ts';

/** One record after the other, with a blank line between (H20). */
export function showText(selection: Selection, output: Output, { verbose = false }: ShowOptions): void {
  const { session, thread, subagent } = selection;
  if (!thread && !subagent) throw new SkeinError('not_found', onlySubagents(session));
  let between = '';
  if (verbose && thread && session.facts.annotations.length > 0) {
    const said = session.openingAnnotations();
    for (const [i, note] of session.facts.annotations.entries())
      output.write(`${renderAnnotation(note, said[i] ?? [])}\n`);
    between = '\n';
  }
  for (const record of recordsOf(selection)) {
    const content = session.content(record, { annotations: verbose });
    const text = renderRecord({ record, content }, { verbose });
    if (text === '') continue;
    output.write(`${between}${text}\n`);
    between = '\n';
  }
}

const onlySubagents = ({ id, facts }: Session): string =>
  `Session ${id} has no thread; of it only sub-agents are left (--agent): ${facts.subagents.map((subagent) => subagent.id).join(', ')}`;
