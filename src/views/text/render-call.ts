import type { CallBlock } from '../../model/index.ts';
import { indentFurtherLines } from './indent.ts';
import { type Fields, fieldsOf, textOf } from './json-values.ts';
import { baseName, cutLine, linesOf, shortValue, wholeValue } from './shorten.ts';

/**
 * A call on one line, whole when verbose (H21):
 *
 *     Read(file.txt)   Bash(first line…)   Task(Explore: look around)   Grep(pattern: "x", path: "/p")
 */
export function renderCall(call: CallBlock, options: { readonly verbose: boolean }): string {
  const { verbose } = options;
  const name = shortValue(call.name) || 'unknown';
  if (BARE.has(call.name)) return name;
  const input = fieldsOf(call.input);
  const said = (input && ARGUMENTS.get(call.name)?.(input, verbose)) ?? generic(call.input, verbose);
  if (said === '') return name;
  return indentFurtherLines(`${name}(${verbose ? said : cutLine(said)})`);
}

/** What they were given is told with their result. */
const BARE: ReadonlySet<string> = new Set(['AskUserQuestion', 'ExitPlanMode', 'exit_plan_mode', 'TodoWrite']);

/** What stands in the parentheses; `null` where the input is not what the tool should have been given. */
type Arguments = (input: Fields, verbose: boolean) => string | null;

const file: Arguments = (input) => {
  const path = textOf(input.file_path) ?? textOf(input.notebook_path) ?? textOf(input.path);
  return path === null ? null : baseName(path);
};

const shell: Arguments = ({ command }, verbose) => {
  if (textOf(command) === null) return null;
  const [first = '', ...others] = linesOf(command as string);
  if (verbose) return [first, ...others].join('\n');
  return others.length > 0 ? `${first.trimEnd()}…` : first;
};

const agent: Arguments = ({ subagent_type, description, prompt }, verbose) => {
  const task = verbose ? (textOf(prompt) ?? textOf(description)) : (textOf(description) ?? textOf(prompt));
  if (task === null) return null;
  const type = shortValue(textOf(subagent_type) ?? 'Agent');
  return `${type}: ${verbose ? wholeValue(task) : shortValue(task)}`;
};

const ARGUMENTS: ReadonlyMap<string, Arguments> = new Map([
  ['Read', file],
  ['Edit', file],
  ['Write', file],
  ['MultiEdit', file],
  ['NotebookEdit', file],
  ['NotebookRead', file],
  ['Bash', shell],
  ['Task', agent],
  ['Agent', agent],
  // Pi
  ['read', file],
  ['edit', file],
  ['write', file],
  ['bash', shell],
]);

/** `key: "value", key2: [3 items]`; a tool that takes no object shows its one value. */
function generic(input: unknown, verbose: boolean): string {
  if (input === undefined || input === null || input === '') return '';
  const fields = fieldsOf(input);
  if (!fields) return argument(input, verbose);
  return Object.entries(fields)
    .map(([key, value]) => `${shortValue(key)}: ${argument(value, verbose)}`)
    .join(', ');
}

function argument(value: unknown, verbose: boolean): string {
  const said = verbose ? wholeValue(value) : shortValue(value);
  return typeof value === 'string' ? `"${said}"` : said;
}
