import {
  type Block,
  type CallId,
  type LogRecord,
  lineFinder,
  type RecordContent,
  resultBlocks,
  writeJson,
} from '../model/index.ts';
import type { CostOf, Message } from './message.ts';
import { callAt, resultsIn, textsIn } from './message-text.ts';
import { type ResultsAt, strayResults } from './stray-results.ts';

/** The messages of one record: itself, then each tool use with its results (M1, M2). */
export function extractMessages(
  record: LogRecord,
  content: RecordContent,
  spawn: CallId | null,
  costOf: CostOf,
  resultsAt: ResultsAt,
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
  return [own, ...callMessages(record, content, shared), ...strayMessages(record, content, shared, resultsAt)];
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
      isError: call.isError,
    };
    const input = callAt(i, call.id, content)?.input ?? null;
    const use: Message = {
      ...tool,
      uuid: `${record.id}_tool_${i}`,
      parentUuid: record.id,
      type: 'tool_use',
      timestamp: lineAt(call.at)?.time ?? record.time,
      content: writeJson({ type: 'tool_use', name: call.name, input }),
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
        content: result
          ? resultBlocks(result)
              .map(({ output }) => outputText(output))
              .join('\n\n')
          : '',
      },
    ];
  });
}

/** A result whose call is unknown stays under the record that brought it; the check reports it. */
const strayMessages = (record: LogRecord, content: RecordContent, shared: Shared, resultsAt: ResultsAt): Message[] =>
  strayResults(record, resultsAt).map(({ call, isError, number }) => ({
    ...shared,
    uuid: `${record.id}_result_${number}`,
    parentUuid: record.id,
    type: 'tool_result',
    timestamp: record.time,
    isSidechain: true,
    content: outputText(resultsIn(content)[number]?.output),
    toolUseId: call,
    isError,
  }));

const outputText = (output: unknown): string =>
  typeof output === 'string' ? output : output === undefined || output === null ? '' : writeJson(output);

/** An answer has its text blocks as content; any other record all that was typed, sent or printed. */
const textOf = ({ kind }: LogRecord, { own, replies }: RecordContent): string =>
  (kind === 'assistant' ? own.flatMap(textIn) : [...own, ...replies].flatMap(saidBy)).join('\n\n');

const textIn = (block: Block): string[] => (block.type === 'text' && block.text.trim() !== '' ? [block.text] : []);

function saidBy(block: Block): string[] {
  switch (block.type) {
    case 'text':
    case 'teammate':
    case 'notification':
    case 'output':
      return block.text.trim() === '' ? [] : [block.text];
    case 'command':
      return [`${block.name} ${block.args}`.trim()];
    case 'unknown':
      return [[`[${block.name}]`, ...textsIn(block.json)].join('\n')];
    case 'image':
      return [`[image ${block.media}]`];
    default:
      return [];
  }
}

/** How many messages a record gives, told without its content. */
export function countMessages(record: LogRecord, resultsAt: ResultsAt): number {
  let count = 1 + strayResults(record, resultsAt).length;
  for (const call of record.calls) count += call.result ? 2 : 1;
  return count;
}
