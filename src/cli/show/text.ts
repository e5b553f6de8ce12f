import type { Session } from '../../history/index.ts';
import { SkeinError } from '../../model/index.ts';
import { renderAnnotation, renderPieces } from '../../views/text/render-record.ts';
import type { Output } from '../output.ts';
import { labelsOf } from '../session-labels.ts';
import { drawText } from './draw-text.ts';
import { recordsOf, type Selection, type ShowOptions } from './index.ts';

/** One record after the other, with a blank line between (H20). */
export async function showText(selection: Selection, output: Output, { verbose = false }: ShowOptions): Promise<void> {
  const { session, thread, subagent } = selection;
  if (!thread && !subagent) throw new SkeinError('not_found', onlySubagents(session));
  if (verbose && thread) writeOpening(session, output);
  const labels = await labelsOf(session);
  let between = '';
  for (const record of recordsOf(selection)) {
    const content = session.content(record, { annotations: verbose });
    const label = labels.get(record.id)?.text ?? null;
    const texts = renderPieces({ record, content }, { verbose, label }).map(({ text }) => text);
    const { columns } = output;
    const text = (columns === null ? texts : texts.map((each) => drawText(each, columns))).join('\n');
    if (text === '') continue;
    output.write(`${between}${text}\n`);
    between = '\n';
    const drained = output.drained();
    if (drained) await drained;
  }
}

/** What stands before the first record. */
function writeOpening(session: Session, output: Output): void {
  const { annotations } = session.facts;
  const said = annotations.length > 0 ? session.openingAnnotations() : [];
  for (const [i, note] of annotations.entries()) output.write(`${renderAnnotation(note, said[i] ?? [])}\n`);
  if (annotations.length > 0) output.write('\n');
}

const onlySubagents = ({ id, facts }: Session): string =>
  `Session ${id} has no thread; of it only sub-agents are left (--agent): ${facts.subagents.map((subagent) => subagent.id).join(', ')}`;
