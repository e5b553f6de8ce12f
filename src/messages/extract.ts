import { type Block, type CallId, type LogRecord, lineFinder, type RecordContent } from '../model/index.ts';
import type { CostOf, Message } from './message.ts';
import { callAt } from './message-text.ts';

/** The messages of one record: itself, then each tool use with its result (M1, M2). */
export function extractMessages(
  record: LogRecord,
  content: RecordContent,
  spawn: CallId | null,
  costOf: CostOf,
): Message[] {
  const shared = {
    sessionId: record.session,
    kind: record.kind,
    record: record.id,
    ...(record.subagent === null ? {} : { agentId: record.subagent }),
    ...(spawn === null ? {} : { spawnToolUseId: spawn }),
  };
  const isAnswer = record.kind === 'assistant';
  const own: Message = {
    ...shared,
    uuid: record.id,
    parentUuid: record.parent,
    type: isAnswer ? 'assistant' : 'user',
    timestamp: record.time,
    isSidechain: record.subagent !== null || record.calls.length > 0,
    content: textOf(record, content),
    ...(spawn === null ? {} : { toolUseId: spawn }),
    ...(record.usage ? { model: record.usage.model, usage: record.usage, costUsd: costOf(record.usage) } : {}),
  };
  return [own, ...callMessages(record, content, shared), ...strayResults(record, content, shared)];
}

type Shared = Pick<Message, 'sessionId' | 'kind' | 'record' | 'agentId' | 'spawnToolUseId'>;

/** A result pairs by the id of its call, never by its place. */
function callMessages(record: LogRecord, content: RecordContent, shared: Shared): Message[] {
  const lineAt = lineFinder(record.lines);
  return record.calls.flatMap((call, i) => {
    const tool = {
      ...shared,
      isSidechain: true,
      toolName: call.name,
      toolUseId: call.id,
    };
    const input = callAt(i, call.id, content)?.input ?? null;
    const use: Message = {
      ...tool,
      uuid: `${record.id}_tool_${i}`,
      parentUuid: record.id,
      type: 'tool_use',
      timestamp: lineAt(call.at)?.time ?? record.time,
      content: JSON.stringify({ type: 'tool_use', name: call.name, input }),
    };
    const result = content.results.get(call.id);
    if (!call.result) return [use];
    return [
      use,
      {
        ...tool,
        uuid: `${record.id}_result_${i}`,
        parentUuid: use.uuid,
        type: 'tool_result' as const,
        timestamp: result?.time ?? null,
        content: outputText(result?.block.output),
        isError: call.isError,
      },
    ];
  });
}

/** A result whose call is unknown stays under the record that brought it; the check reports it. */
const strayResults = (record: LogRecord, content: RecordContent, shared: Shared): Message[] =>
  content.own
    .filter((block) => block.type === 'result')
    .map((block, i) => ({
      ...shared,
      uuid: `${record.id}_result_${i}`,
      parentUuid: record.id,
      type: 'tool_result',
      timestamp: record.time,
      isSidechain: true,
      content: outputText(block.output),
      toolUseId: block.of,
      isError: block.isError,
    }));

const outputText = (output: unknown): string =>
  typeof output === 'string' ? output : output === undefined || output === null ? '' : JSON.stringify(output);

function textOf(record: LogRecord, { own, replies }: RecordContent): string {
  const blocks = record.kind === 'compaction' ? [...own, ...replies] : own;
  return blocks.flatMap((block) => saidBy(block)).join('\n\n');
}

/** The text blocks of an answer; of other records everything that was typed or sent. */
function saidBy(block: Block): string[] {
  switch (block.type) {
    case 'text':
    case 'teammate':
    case 'notification':
      return block.text.trim() === '' ? [] : [block.text];
    case 'command':
      return [`${block.name} ${block.args}`.trim()];
    case 'unknown':
      return [`[${block.name}]`];
    case 'image':
      return [`[image ${block.media}]`];
    default:
      return [];
  }
}

/** How many messages a record gives, told without its content where that is possible. */
export function countMessages(record: LogRecord, content: (record: LogRecord) => RecordContent): number {
  let count = 1;
  for (const call of record.calls) count += call.result ? 2 : 1;
  // Only a record that nobody typed can hold results of unknown calls.
  if (record.kind === 'user' && record.origin === null)
    count += content(record).own.filter((block) => block.type === 'result').length;
  return count;
}
