import type { CallBlock } from '../../model/index.ts';
import { contentText } from './content-text.ts';
import { fieldsOf, listOf, textOf } from './json-values.ts';
import { editLines, renderDiff } from './render-diff.ts';
import { sayWritten } from './say-files.ts';
import { sayPlan } from './say-questions.ts';
import { sayList, sayTask } from './say-tasks.ts';
import { countOf, lineCount, linesOf, preview, withBody } from './shorten.ts';

/** A result that is text only, as sub-agents of newer versions and Pi write them: the call tells what the text is. */
export function sayText(data: unknown, call: CallBlock | null, verbose: boolean): string {
  const text = contentText(data);
  return BY_CALL.get(call?.name ?? '')?.(text, verbose, call, data) ?? preview(text, verbose);
}

/** `null`: shown like any text. */
type Say = (text: string, verbose: boolean, call: CallBlock | null, data: unknown) => string | null;

const image = (data: unknown): boolean => listOf(data).some((part) => fieldsOf(part)?.type === 'image');

/** Claude Code numbers the lines it reads; text without a number is a remark about the file. */
const numberedFile: Say = (text, verbose, _call, data) => {
  if (image(data)) return 'Read an image';
  const count = text.match(/^ *\d+[→\t]/gm)?.length ?? 0;
  return count === 0 ? null : withBody(`Read ${countOf(count, 'line')}`, text, verbose);
};

/** Pi gives the lines as they are, with a last one in brackets when there are more. */
const plainFile: Say = (text, verbose, _call, data) => {
  if (image(data)) return 'Read an image';
  const last = text.slice(text.lastIndexOf('\n') + 1);
  // The note has an empty line before it.
  const notes = /^(?:\.\.\. \(|\[).*Use offset=\d+/.test(last) ? 2 : 0;
  return withBody(`Read ${countOf(Math.max(0, lineCount(text) - notes), 'line')}`, text, verbose);
};

const written: Say = (_text, verbose, call) => {
  const content = fieldsOf(call?.input)?.content;
  return typeof content === 'string' ? sayWritten(content, verbose) : null;
};

/** What was changed stands in the call alone. */
const edited: Say = (_text, verbose, call) => {
  const lines = editLines(call?.input);
  return lines.length > 0 ? renderDiff(lines, verbose) : null;
};

const cell: Say = (text, verbose, call) => {
  const source = textOf(fieldsOf(call?.input)?.new_source);
  return source === null ? null : withBody(preview(text, verbose), source, verbose);
};

const todos: Say = (_text, verbose, call) => {
  const list = fieldsOf(call?.input)?.todos;
  return Array.isArray(list) ? sayList('todo', list, verbose) : null;
};

/** Its answer is the last thing the sub-agent says in its own transcript. */
const agent: Say = (text, verbose) => (verbose || /^(?:Async agent launched|Spawned)/.test(text) ? null : 'Done');

/** `<task_id>b1</task_id> <status>running</status> <output>…</output>` */
const background: Say = (text, verbose) => {
  const [, id] = /<task_id>([^<]*)/.exec(text) ?? [];
  const [, status] = /<status>([^<]*)/.exec(text) ?? [];
  return verbose || id === undefined || status === undefined ? null : sayTask({ id, status }, verbose);
};

const plan: Say = (text, _verbose, call) => {
  const asked = textOf(fieldsOf(call?.input)?.plan) ?? textOf(text);
  return asked === null ? null : sayPlan(asked);
};

const BY_CALL: ReadonlyMap<string, Say> = new Map([
  ['Read', numberedFile],
  ['read', plainFile],
  ['Write', written],
  ['write', written],
  ['Edit', edited],
  ['edit', edited],
  ['MultiEdit', edited],
  ['NotebookEdit', cell],
  ['TodoWrite', todos],
  ['Task', agent],
  ['Agent', agent],
  ['TaskOutput', background],
  ['ExitPlanMode', plan],
  ['exit_plan_mode', plan],
  ['AskUserQuestion', (text: string) => linesOf(text).join('\n')],
]);
