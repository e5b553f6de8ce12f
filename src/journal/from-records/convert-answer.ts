import {
  type CallBlock,
  type LogRecord,
  type Usage as LogUsage,
  type RecordContent,
  resultBlocks,
} from '../../model/index.ts';
import type { AssistantMessage, ToolResultMessage, Usage } from '../messages.ts';
import { jsonOf, resultContent } from './convert-blocks.ts';
import type { Losses } from './losses.ts';

/** An answer and the results of its calls, each a message of its own. */
export function convertAnswer(
  record: LogRecord,
  { own, results }: RecordContent,
  time: number,
  losses: Losses,
): (AssistantMessage | ToolResultMessage)[] {
  const failure = own.find((block) => block.type === 'text' && block.error);
  const answer: AssistantMessage = {
    role: 'assistant',
    content: own.flatMap((block): AssistantMessage['content'] => {
      if (block.type === 'text') return block.error || block.text === '' ? [] : [{ type: 'text', text: block.text }];
      if (block.type === 'call') return [toolCall(block, losses)];
      if (block.type !== 'thinking') {
        losses.add(`blocks of the type ${block.type === 'unknown' ? block.name : block.type} in answers`);
        return [];
      }
      losses.add(block.text === '' ? 'thoughts that the log does not show' : 'signatures of thoughts');
      return block.text === '' ? [] : [{ type: 'thinking', thinking: block.text }];
    }),
    // Only Claude Code's answers come this way: a session of Pi is branched as it is.
    api: 'anthropic-messages',
    provider: 'anthropic',
    model: record.usage?.model ?? 'unknown',
    usage: usageOf(record.usage),
    stopReason: failure ? 'error' : stopOf(record),
    ...(failure?.type === 'text' ? { errorMessage: failure.text } : {}),
    timestamp: time,
  };
  losses.add('sub-agents', new Set(record.calls.flatMap(({ subagents }) => subagents)).size);
  const messages: ToolResultMessage[] = record.calls.flatMap((call) => {
    const result = call.result && results.get(call.id);
    if (!result) {
      losses.add('calls without a result');
      return [];
    }
    if (result.block.detail !== undefined) losses.add('structured details of results');
    const content = resultBlocks(result).flatMap(({ output }) => resultContent(output, losses));
    return [
      {
        role: 'toolResult',
        toolCallId: call.id,
        toolName: call.name,
        content,
        isError: call.isError,
        timestamp: result.time ?? time,
      },
    ];
  });
  return [answer, ...messages];
}

/** A tool of Pi is given an object. */
function toolCall({ id, name, input }: CallBlock, losses: Losses): AssistantMessage['content'][number] {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  if (jsonOf(input) !== null) return { type: 'toolCall', id, name, arguments: isObject ? { ...input } : { input } };
  losses.add('inputs of calls that are nested too deep');
  return { type: 'toolCall', id, name, arguments: {} };
}

const STOPS: ReadonlyMap<string, string> = new Map([
  ['tool_use', 'toolUse'],
  ['max_tokens', 'length'],
]);

const stopOf = ({ stopReason, calls }: LogRecord): string =>
  STOPS.get(stopReason ?? '') ?? (stopReason === null && calls.length > 0 ? 'toolUse' : 'stop');

/** oh-my-pi's lists fail where one of these is missing. */
function usageOf(usage: LogUsage | null): Usage {
  const { input = 0, output = 0, cacheRead = 0, cacheWrite5m = 0, cacheWrite1h = 0, costUsd = null } = usage ?? {};
  const cacheWrite = cacheWrite5m + cacheWrite1h;
  return {
    input,
    output,
    cacheRead,
    cacheWrite,
    totalTokens: input + output + cacheRead + cacheWrite,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: costUsd ?? 0 },
  };
}
