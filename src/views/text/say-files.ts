import { contentText } from './content-text.ts';
import { type Fields, fieldsOf, numberOf, textOf } from './json-values.ts';
import { patchLines, renderDiff } from './render-diff.ts';
import { baseName, countOf, lineCount, shortValue, withBody } from './shorten.ts';

/** A new file has no lines to compare with. */
export function sayEdit({ structuredPatch, content }: Fields, verbose: boolean): string {
  const lines = patchLines(structuredPatch);
  return lines.length > 0 || typeof content !== 'string' ? renderDiff(lines, verbose) : sayWritten(content, verbose);
}

export const sayWritten = (content: string, verbose: boolean): string =>
  withBody(`Wrote ${countOf(lineCount(content), 'line')}`, content, verbose);

export function sayFile(data: Fields, verbose: boolean): string {
  const file = fieldsOf(data.file) ?? {};
  const lines = numberOf(file.numLines);
  if (lines !== null) return withBody(`Read ${countOf(lines, 'line')}`, file.content, verbose);
  if (data.type === 'pdf') return 'Read a PDF';
  if (Array.isArray(file.cells)) return `Read ${countOf(file.cells.length, 'cell')}`;
  if (data.type === 'image' || typeof file.base64 === 'string') return 'Read an image';
  const count = numberOf(file.count);
  const folder = textOf(file.outputDir);
  if (count !== null) return `Read ${countOf(count, 'file')}${folder === null ? '' : ` into ${shortValue(folder)}`}`;
  return `Read ${baseName(textOf(file.filePath) ?? 'a file')}`;
}

/** A search for lines counts no files. */
export function sayFound({ mode, numLines, numFiles, content, filenames }: Fields, verbose: boolean): string {
  const lines = mode === 'content' ? numberOf(numLines) : null;
  if (lines !== null) return withBody(`Found ${countOf(lines, 'line')}`, content, verbose);
  return withBody(
    `Found ${countOf(numberOf(numFiles) ?? 0, 'file')}`,
    textOf(content) ?? contentText(filenames),
    verbose,
  );
}
