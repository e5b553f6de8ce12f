import { languageOf } from '../../language.ts';
import { renderOutput, renderPlain } from '../blocks.ts';
import { numberedLines, patchLines, renderDiff, replaceLines } from '../diff.ts';
import { foldLong } from '../fold-long.ts';
import { codeBlock } from '../markdown.ts';
import {
  errorOutput,
  type Fields,
  fields,
  list,
  none,
  plainOutput,
  quiet,
  renderFields,
  type ToolView,
  text,
  without,
} from './view.ts';

const pathOf = (input: Fields): string => text(input.file_path ?? input.path ?? input.notebook_path);
const longCode = (code: string, language: string): string => foldLong(codeBlock(code, language), code);
const longPlain = (said: string): string => (said.trim() === '' ? '' : foldLong(renderPlain(said), said));

export const bash: ToolView = {
  input: (input) => longCode(text(input.command), 'bash'),
  result: (tool, _input, detail) => {
    if (typeof detail.stdout !== 'string') return plainOutput(tool);
    const error = longPlain(text(detail.stderr));
    const facts = [
      text(detail.backgroundTaskId) === '' ? '' : `runs in the background as ${text(detail.backgroundTaskId)}`,
      text(detail.returnCodeInterpretation),
      detail.interrupted === true ? 'interrupted' : '',
    ];
    return (
      longPlain(detail.stdout) +
      (error === '' ? '' : `<div class="stderr">${error}</div>`) +
      quiet(facts.filter(Boolean).join(' · '))
    );
  },
};

export const read: ToolView = {
  input: none,
  result: (tool, input, detail) => {
    const file = fields(detail.file);
    const language = languageOf(pathOf(input));
    if (typeof file.content === 'string') return longCode(file.content, language);
    return renderOutput(tool.result?.block.output, (each) => longCode(withoutNumbers(each), language));
  },
};

/** `     1→text` up to 2.1.42, `1\ttext` after. */
const withoutNumbers = (numbered: string): string => numbered.replace(/^ *\d+(?:→|\t)/gm, '');

export const write: ToolView = {
  input: (input) => longCode(text(input.content), languageOf(pathOf(input))),
  result: errorOutput,
};

export const edit: ToolView = {
  input: (input, detail) => {
    const hunks = list(detail.structuredPatch);
    if (hunks.length > 0) return longDiff(patchLines(hunks));
    if (text(detail.diff) !== '') return longDiff(numberedLines(text(detail.diff)));
    const edits = list(input.edits).length > 0 ? list(input.edits).map(fields) : [input];
    return edits
      .map((each) =>
        longDiff(replaceLines(text(each.old_string ?? each.oldText), text(each.new_string ?? each.newText))),
      )
      .join('');
  },
  result: errorOutput,
};

const longDiff = (lines: Parameters<typeof renderDiff>[0]): string =>
  foldLong(renderDiff(lines), '\n'.repeat(Math.max(0, lines.length - 1)).concat('.'));

export const notebook: ToolView = {
  input: (input) => {
    const language = text(input.cell_type) === 'markdown' ? 'markdown' : 'python';
    const source = text(input.new_source);
    return renderFields(without(input, 'new_source')) + (source === '' ? '' : longCode(source, language));
  },
  result: errorOutput,
};
