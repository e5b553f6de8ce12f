import type { Block, LogRecord } from '../../model/index.ts';
import { formatTime } from './format-time.ts';
import { printable, printableLine } from './printable.ts';

/** What a record says: the blocks of its own lines, of its replies, and of the results of its calls. */
export interface RecordContent {
  readonly own: readonly Block[];
  readonly replies: readonly Block[];
  /** By call id. */
  readonly results: ReadonlyMap<string, Block & { type: 'result' }>;
}

/**
 * One record as text, local time (H20):
 *
 *     [2025-01-07 19:31] <Assistant> Read(file.txt)
 *       ⎿  1\tline
 */
export function renderRecord(record: LogRecord, content: RecordContent): string {
  const label = record.kind === 'assistant' ? '<Assistant>' : (LABELS[record.kind] ?? '<User>');
  const head = record.time === null ? `${label} ` : `[${formatTime(record.time)}] ${label} `;
  const pieces: string[] = [];
  for (const block of content.own) {
    if (block.type === 'text' && block.text.trim() !== '') pieces.push(head + printable(block.text.trim()));
    else if (block.type === 'command') pieces.push(head + printableLine(`${block.name} ${block.args}`));
    else if (block.type === 'call') pieces.push(head + renderCall(block, content.results.get(block.id)));
    else if (block.type === 'image') pieces.push(`${head}[image]`);
    else if (block.type === 'output' && block.text.trim() !== '') pieces.push(indent(preview(block.text)));
  }
  for (const block of content.replies)
    if (block.type === 'output' && block.text.trim() !== '') pieces.push(indent(preview(block.text)));
  return pieces.join('\n');
}

const LABELS: Readonly<Record<string, string>> = {
  compaction: '<Compacted>',
  branch_summary: '<Summary>',
  notification: '<Notification>',
  teammate: '<Teammate>',
};

function renderCall(
  { name, input }: Block & { type: 'call' },
  result: (Block & { type: 'result' }) | undefined,
): string {
  const call = printableLine(`${name}${renderInput(name, input)}`);
  if (!result) return call;
  const said = textOf(result.output).trim();
  return `${call}\n${indent(`${result.isError ? 'Error: ' : ''}${said === '' ? 'Done' : preview(said)}`)}`;
}

function renderInput(name: string, input: unknown): string {
  if (typeof input !== 'object' || input === null) return '';
  const given = input as Record<string, unknown>;
  if (typeof given.file_path === 'string') return `(${given.file_path.split(/[\\/]/).pop()})`;
  if (name === 'Bash' && typeof given.command === 'string') {
    const [first = '', ...others] = given.command.split('\n');
    return `(${first}${others.length > 0 ? '…' : ''})`;
  }
  if (typeof given.description === 'string' && typeof given.prompt === 'string') {
    return `(${typeof given.subagent_type === 'string' ? given.subagent_type : 'Agent'}: ${given.description})`;
  }
  const pairs = Object.entries(given).map(([key, value]) => `${key}: ${shorten(JSON.stringify(value) ?? '')}`);
  return pairs.length > 0 ? `(${pairs.join(', ')})` : '';
}

const shorten = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text);

function textOf(output: unknown): string {
  if (typeof output === 'string') return output;
  if (!Array.isArray(output)) return output == null ? '' : JSON.stringify(output);
  return output.map((part) => (typeof part?.text === 'string' ? part.text : `[${part?.type ?? 'block'}]`)).join('\n');
}

const SHOWN = 3;
/** A line of a megabyte is no preview. */
const LONGEST = 500;

/** The first three lines, and how many more there are. */
function preview(text: string): string {
  const lines = printable(text)
    .trim()
    .split('\n')
    .map((line) => (line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line));
  const rest = lines.length - SHOWN;
  return rest > 0
    ? [...lines.slice(0, SHOWN), `… +${rest} ${rest === 1 ? 'line' : 'lines'}`].join('\n')
    : lines.join('\n');
}

const indent = (text: string): string => `  ⎿  ${text.split('\n').join('\n     ')}`;
