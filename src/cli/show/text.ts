import { type LocatedFile, type Session, streamThread } from '../../history/index.ts';
import { holdMemory } from '../../ingest/hold-memory.ts';
import { SkeinError } from '../../model/index.ts';
import type { Label } from '../../selector/index.ts';
import { warn } from '../../terminal/output.ts';
import { renderAnnotation, renderPieces } from '../../views/text/render-record.ts';
import type { RecordEntry } from '../../views/visit-record.ts';
import type { Output } from '../output.ts';
import { labelsOf } from '../session-labels.ts';
import { drawText } from './draw-text.ts';
import { recordsOf, type Selection, type ShowOptions } from './index.ts';

/** One record after the other, with a blank line between (H20). */
export async function showText(selection: Selection, output: Output, { verbose = false }: ShowOptions): Promise<void> {
  const { session, thread, subagent } = selection;
  if (!thread && !subagent) throw new SkeinError('not_found', onlySubagents(session));
  if (verbose && thread) writeOpening(session, output);
  await writeEntries(entriesOf(selection, verbose), output, { verbose, labels: await labelsOf(session) });
}

/** What stands before the first record. */
function writeOpening(session: Session, output: Output): void {
  const { annotations } = session.facts;
  const said = annotations.length > 0 ? session.openingAnnotations() : [];
  for (const [i, note] of annotations.entries()) output.write(`${renderAnnotation(note, said[i] ?? [])}\n`);
  if (annotations.length > 0) output.write('\n');
}

/** The same for the default thread of a long file: its beginning is there before the file was read. */
export async function streamText({ logs, file }: LocatedFile, session: () => Session, output: Output): Promise<void> {
  await writeEntries(held(streamThread(logs, file, session, tellAgain)), output, { verbose: false, labels: new Map() });
}

const tellAgain = (): void => warn('a damaged line changes how the session begins; it is shown from there again');

function* held(entries: Iterable<RecordEntry>): Generator<RecordEntry> {
  let given = 0;
  for (const entry of entries) {
    if (given++ % 64 === 0) holdMemory();
    yield entry;
  }
}

function* entriesOf(selection: Selection, verbose: boolean): Generator<RecordEntry> {
  for (const record of recordsOf(selection))
    yield { record, content: selection.session.content(record, { annotations: verbose }) };
}

interface Look {
  readonly verbose: boolean;
  readonly labels: ReadonlyMap<string, Label>;
}

async function writeEntries(entries: Iterable<RecordEntry>, output: Output, look: Look): Promise<void> {
  let between = '';
  for (const entry of entries) {
    const label = look.labels.get(entry.record.id)?.text ?? null;
    const texts = renderPieces(entry, { verbose: look.verbose, label }).map(({ text }) => text);
    const { columns } = output;
    const text = (columns === null ? texts : texts.map((each) => drawText(each, columns))).join('\n');
    if (text === '') continue;
    output.write(`${between}${text}\n`);
    between = '\n';
    const drained = output.drained();
    if (drained) await drained;
  }
}

const onlySubagents = ({ id, facts }: Session): string =>
  `Session ${id} has no thread; of it only sub-agents are left (--agent): ${facts.subagents.map((subagent) => subagent.id).join(', ')}`;
