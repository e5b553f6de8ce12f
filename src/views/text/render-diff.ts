import { fieldsOf, listOf, numberOf } from './json-values.ts';
import { printable } from './printable.ts';
import { countOf, cutLine } from './shorten.ts';

export interface DiffLine {
  /** `''` for what is no line of the file: a gap, "No newline at end of file". */
  readonly mark: '+' | '-' | ' ' | '';
  /** In the new file, where known. */
  readonly number: number | null;
  readonly text: string;
}

/**
 * What changed, and the lines with their numbers (removed ones have none):
 *
 *     Removed 1 line, added 1 line
 *        4    const a = 1;
 *          -  const b = 2;
 *        5 +  const b = 3;
 */
export function renderDiff(lines: readonly DiffLine[], verbose: boolean): string {
  const removed = lines.filter((line) => line.mark === '-').length;
  const added = lines.filter((line) => line.mark === '+').length;
  if (removed + added === 0) return 'No changes';
  const head =
    removed === 0
      ? `Added ${countOf(added, 'line')}`
      : `Removed ${countOf(removed, 'line')}${added === 0 ? '' : `, added ${countOf(added, 'line')}`}`;
  const shown = lines.map(numbered);
  return [head, ...(verbose ? shown : shown.map(cutLine))].join('\n');
}

/** Claude Code's `structuredPatch`: `[{newStart: 4, lines: [" same", "-old", "+new"]}]`. */
export function patchLines(patch: unknown): readonly DiffLine[] {
  return listOf(patch).flatMap((hunk) => hunkLines(fieldsOf(hunk)?.lines, fieldsOf(hunk)?.newStart));
}

function hunkLines(lines: unknown, newStart: unknown): readonly DiffLine[] {
  let next = numberOf(newStart) ?? 1;
  return listOf(lines).flatMap((line): DiffLine[] => {
    if (typeof line !== 'string') return [];
    const text = line.slice(1);
    if (line.startsWith('-')) return [{ mark: '-', number: null, text }];
    if (line.startsWith('\\')) return [{ mark: '', number: null, text: line }];
    return [{ mark: line.startsWith('+') ? '+' : ' ', number: next++, text }];
  });
}

/** What a call asked for, `{old_string, new_string}` or a list `edits` of them; Pi says `oldText`. Where it stands is not known. */
export function editLines(input: unknown): readonly DiffLine[] {
  const fields = fieldsOf(input) ?? {};
  const edits = Array.isArray(fields.edits) ? fields.edits.map((edit) => fieldsOf(edit) ?? {}) : [fields];
  return edits.flatMap((edit) => [
    ...marked(edit.old_string ?? edit.oldText, '-'),
    ...marked(edit.new_string ?? edit.newText, '+'),
  ]);
}

const marked = (text: unknown, mark: '-' | '+'): DiffLine[] =>
  typeof text === 'string' && text !== '' ? text.split('\n').map((line) => ({ mark, number: null, text: line })) : [];

/** Pi's `diff`: a mark, a number and the text of each line, with `...` for gaps; also what `diff -u` writes. */
export function diffTextLines(diff: string): readonly DiffLine[] {
  const lines = diff.split('\n').map((line): DiffLine => {
    const [, mark, number, text = ''] = /^([-+ ]) *(\d+)(?: (.*))?$/.exec(line) ?? [];
    if (mark) return { mark: mark as '+' | '-' | ' ', number: Number(number), text };
    if (/^(?:\+\+\+|---) /.test(line) || !/^[-+]/.test(line)) return { mark: '', number: null, text: line.trim() };
    return { mark: line.startsWith('+') ? '+' : '-', number: null, text: line.slice(1) };
  });
  return renumber(lines);
}

/** Pi numbers lines that stay as in the old file, old versions from 1 after each gap; only added lines can be relied on. */
function renumber(lines: readonly DiffLine[]): readonly DiffLine[] {
  const runs: DiffLine[][] = [[]];
  for (const line of lines) {
    if (line.mark === '') runs.push([line], []);
    else runs.at(-1)?.push(line);
  }
  return runs.flatMap((run) => {
    let next = firstNumber(run);
    return run.map((line) => (line.mark === '-' || next === null ? line : { ...line, number: next++ }));
  });
}

/** Counted back from the first line added; where none is, from the first removed. */
function firstNumber(run: readonly DiffLine[]): number | null {
  const anchor = run.find((line) => line.mark === '+') ?? run.find((line) => line.mark === '-');
  if (!anchor || anchor.number === null) return null;
  return anchor.number - run.slice(0, run.indexOf(anchor)).filter((line) => line.mark === ' ').length;
}

function numbered({ mark, number, text }: DiffLine): string {
  const place = mark === '-' || number === null ? '' : String(number);
  return `${place.padStart(4)} ${mark.padEnd(1)}  ${onOneLine(text)}`.trimEnd();
}

/** Indentation stays. */
const onOneLine = (text: string): string => printable(text).trimEnd().replaceAll('\n', ' ');
