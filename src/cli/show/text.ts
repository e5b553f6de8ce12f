import { setImmediate as turn } from 'node:timers/promises';
import { type LocatedFile, type Session, streamThread } from '../../history/index.ts';
import { renderRecord } from '../../views/text/render-record.ts';
import type { RecordEntry } from '../../views/visit-record.ts';
import type { Output } from '../output.ts';
import { recordsOf, type Selection, type ShowOptions } from './index.ts';

/** One record after the other, with a blank line between (H20). */
export function showText(selection: Selection, output: Output, { verbose = false }: ShowOptions): void {
  const write = writer(output, verbose);
  for (const record of recordsOf(selection))
    write({ record, content: selection.session.content(record, { annotations: verbose }) });
}

/** The same for the default thread of a long file: its beginning is there before the file was read. */
export async function streamText({ logs, file }: LocatedFile, session: () => Session, output: Output): Promise<void> {
  const write = writer(output, false);
  let isFirst = true;
  for (const entry of streamThread(logs, file, session, tellAgain)) {
    write(entry);
    // Where writing to a pipe is not done at once, it is now.
    if (isFirst) await turn();
    isFirst = false;
  }
}

const tellAgain = (): void =>
  void process.stderr.write(
    'skein: a damaged line changed how the session begins; it is shown from the beginning again\n',
  );

function writer(output: Output, verbose: boolean): (entry: RecordEntry) => void {
  let between = '';
  return (entry) => {
    const text = renderRecord(entry, { verbose });
    if (text === '') return;
    output.write(`${between}${text}\n`);
    between = '\n';
  };
}
