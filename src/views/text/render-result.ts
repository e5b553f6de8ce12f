import type { CallBlock, ResultBlock } from '../../model/index.ts';
import { contentText } from './content-text.ts';
import { fieldsOf, textOf } from './json-values.ts';
import { printable } from './printable.ts';
import { type Answered, RESULT_SHAPES } from './result-shapes.ts';
import { sayPlan, sayQuestions } from './say-questions.ts';
import { sayText } from './say-text.ts';
import { linesOf, preview } from './shorten.ts';

/**
 * What a call gave, in a few lines, or whole when verbose (H21). The caller puts `  ⎿  ` before them.
 *
 *     Read 10 lines
 */
export function renderResult(
  result: ResultBlock,
  call: CallBlock | null,
  options: { readonly verbose: boolean },
): string {
  if (result.unreadable) return printable(contentText(result.output));
  const { verbose } = options;
  const said = result.isError ? sayError({ result, call }, verbose) : say({ result, call }, verbose);
  // The parts are made printable where they are cut; here nothing gets past.
  return printable(said) || 'Done';
}

function say(answered: Answered, verbose: boolean): string {
  const { detail, output } = answered.result;
  const data = isEmpty(detail) ? output : detail;
  if (isEmpty(data)) return '';
  const fields = fieldsOf(data);
  if (!fields) return sayText(data, answered.call, verbose);
  return RESULT_SHAPES.find((shape) => shape.when(fields))?.say(fields, verbose, answered) ?? '';
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** The output holds what the human said when refusing, the detail often only that they refused. */
function sayError({ result, call }: Answered, verbose: boolean): string {
  const text = withoutLabel(contentText(result.output)) || withoutLabel(contentText(result.detail));
  const asked = sayAsked(call, verbose);
  const said = asked === '' ? preview(text, verbose) : linesOf(text).join('\n');
  return `Error: ${said || 'no message'}${asked === '' ? '' : `\n${asked}`}`;
}

function withoutLabel(said: string): string {
  let text = said.trim();
  for (;;) {
    const label = LABELS.find((start) => text.startsWith(start));
    if (label === undefined) break;
    text = text.slice(label.length).trimStart();
  }
  return text.endsWith(END) ? text.slice(0, -END.length) : text;
}

const LABELS = ['<tool_use_error>', 'Error: '];
const END = '</tool_use_error>';

/** A refused plan and refused questions stand in no other place. */
function sayAsked(call: CallBlock | null, verbose: boolean): string {
  const input = fieldsOf(call?.input);
  if (!call || !input) return '';
  if (call.name === 'AskUserQuestion') return sayQuestions(input, verbose);
  const plan = /^(?:ExitPlanMode|exit_plan_mode)$/.test(call.name) ? textOf(input.plan) : null;
  return plan === null ? '' : sayPlan(plan);
}
