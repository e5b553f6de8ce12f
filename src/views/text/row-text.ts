import type { Annotation, Block, LogRecord } from '../../model/index.ts';
import { fieldsOf } from './json-values.ts';
import { renderCall } from './render-call.ts';
import { shortValue } from './shorten.ts';

/** What one row of a tree says. */
interface RowText {
  readonly role: string;
  readonly text: string;
  readonly calls: readonly string[];
  readonly isSaid: boolean;
  readonly isError: boolean;
}

/** So much of a text can be searched; the row shows less. */
const MOST = 2000;

/** A record in one row. `blocks` is its own content, and for a command its output too. */
export function recordRow(record: LogRecord, blocks: readonly Block[]): RowText {
  const texts = blocks.map(saidIn).filter((text) => text !== '');
  const calls = blocks.flatMap((block) => (block.type === 'call' ? [renderCall(block, { verbose: false })] : []));
  const failed = blocks.some((block) => block.type === 'text' && block.error);
  const text = join(texts);
  return {
    role: roleOf(record),
    text: text !== '' || calls.length > 0 ? text : emptyText(record, blocks),
    calls,
    isSaid: text !== '',
    isError: failed || record.calls.some(({ isError }) => isError),
  };
}

/** An annotation in one row: `model_change: provider: anthropic, modelId: …`. */
export function annotationRow(annotation: Annotation, blocks: readonly Block[]): RowText {
  const texts = blocks.map((block) => (block.type === 'unknown' ? fieldsText(block.json) : saidIn(block)));
  const text = join(texts.filter((each) => each !== ''));
  return { role: annotation.kind, text, calls: [], isSaid: true, isError: false };
}

function join(texts: readonly string[]): string {
  let joined = '';
  for (const text of texts) {
    if (joined.length > MOST) break;
    joined += `${joined === '' ? '' : ' '}${text.slice(0, MOST)}`;
  }
  // Half a surrogate pair is no character.
  return joined.slice(0, MOST).replace(/[\ud800-\udbff]$/, '');
}

function saidIn(block: Block): string {
  switch (block.type) {
    case 'text':
    case 'system':
    case 'output':
      return block.text.trim();
    case 'command':
      return `${block.name} ${block.args}`.trim();
    case 'teammate':
      return `${block.from}: ${block.summary || block.text}`.trim();
    case 'notification':
      return (block.summary || block.text).trim();
    case 'compaction':
      return block.before === null ? '' : `(${Math.round(block.before / 1000)}k tokens)`;
    case 'image':
      return '[image]';
    default:
      return '';
  }
}

const ROLES: ReadonlyMap<string, string> = new Map([
  ['built_in_command', 'command'],
  ['user_defined_command', 'user'],
  ['bash', 'bash'],
  ['branch_summary', 'branch summary'],
]);

/** What memory and interruptions say was not typed; the first prompt of a sub-agent comes from the agent. */
function roleOf({ kind, origin, subagent }: LogRecord): string {
  if (kind === 'user' && origin === 'agent') return subagent === null ? 'agent' : `agent ${subagent}`;
  if (kind === 'user' && origin !== null && origin !== 'human') return origin;
  return ROLES.get(kind) ?? kind;
}

function emptyText({ kind }: LogRecord, blocks: readonly Block[]): string {
  if (blocks.some(({ type }) => type === 'thinking')) return '(thinking)';
  return kind === 'assistant' ? '(no content)' : '';
}

/** Every line has these; they say nothing about it. */
const COMMON: ReadonlySet<string> = new Set(['type', 'id', 'parentId', 'timestamp', 'uuid', 'parentUuid', 'sessionId']);

function fieldsText(json: unknown): string {
  const fields = fieldsOf(json);
  if (!fields) return shortValue(json ?? '');
  return Object.entries(fields)
    .filter(([key, value]) => !COMMON.has(key) && value !== null && value !== undefined)
    .slice(0, 8)
    .map(([key, value]) => `${shortValue(key)}: ${shortValue(value)}`)
    .join(', ');
}
