import { type Fields, textOf } from './json-values.ts';
import { linesOf, preview, shortValue } from './shorten.ts';

/** What a command wrote, and what became of it when that is not all. */
export function sayCommand(data: Fields, verbose: boolean): string {
  const stdout = data.isImage === true ? '[image]' : data.stdout;
  const written = [stdout, data.stderr].flatMap((text) => linesOf(textOf(text) ?? ''));
  const task = textOf(data.backgroundTaskId);
  const said = [
    preview(written.join('\n'), verbose),
    task === null ? '' : `Running in the background · ${shortValue(task)}`,
    data.interrupted === true ? 'Interrupted' : '',
  ].filter((line) => line !== '');
  // `grep` that finds nothing: "No matches found".
  return said.join('\n') || shortValue(textOf(data.returnCodeInterpretation) ?? 'Done');
}
