import {
  type Annotation,
  type Block,
  callsInTurn,
  lineFinder,
  ownBlocks,
  type RecordContent,
  type ResultBlock,
  type TaskUsage,
  type ToolCall,
  type Usage,
} from '../../model/index.ts';
import type { UsageSum } from '../../usage/index.ts';
import { type RecordEntry, type RecordVisitor, visitRecord } from '../visit-record.ts';

export type Json = { readonly [key: string]: unknown };

export interface JsonOptions {
  /** With annotations. */
  readonly verbose: boolean;
}

/** One record on the wire: snake_case, ISO times, whole ids (P4). */
export function jsonRecord(entry: RecordEntry, { verbose }: JsonOptions): Json {
  const { record, content } = entry;
  const at = record.lines[0]?.ref;
  return {
    uuid: record.id,
    parent_uuid: record.parent,
    kind: record.kind,
    timestamp: isoTime(record.time),
    file: at?.file ?? null,
    line: at?.line ?? null,
    ...(record.edge === 'parent' ? {} : { edge: record.edge }),
    ...(record.subagent === null ? {} : { agent_id: record.subagent }),
    ...(record.aliases.length > 0 ? { aliases: record.aliases } : {}),
    ...(record.queued ? { queued: true } : {}),
    ...visitRecord(entry, VISITOR),
    ...(verbose ? { annotations: jsonAnnotations(record.annotations, content.annotations) } : {}),
  };
}

function said({ record, content }: RecordEntry): Json {
  const lineAt = lineFinder(record.lines);
  const own = ownBlocks(record, content);
  return {
    ...(record.origin === null ? {} : { origin: record.origin }),
    text: joinText(own),
    blocks: own.filter((block) => block.type !== 'injected').map((block) => jsonBlock(block, lineAt)),
  };
}

const VISITOR: RecordVisitor<Json> = {
  user: said,
  builtInCommand: (entry) => ({ ...command(entry), ...output(entry) }),
  userDefinedCommand: (entry) => ({
    ...command(entry),
    expanded_prompt: joinText(entry.content.replies),
    ...output(entry),
  }),
  bash: (entry) => ({ command: joinText(entry.content.own), ...output(entry) }),
  assistant: (entry) => ({
    ...said(entry),
    model: entry.record.usage?.model ?? null,
    stop_reason: entry.record.stopReason,
    usage: entry.record.usage ? jsonUsage(entry.record.usage) : null,
    tool_calls: jsonCalls(entry),
  }),
  compaction: ({ content: { own, replies } }) => ({ ...boundary(own), summary: joinText([...own, ...replies]) }),
  branchSummary: (entry) => ({ summary: joinText(entry.content.own) }),
  teammate: said,
  notification: said,
  custom: said,
};

function command({ content }: RecordEntry): Json {
  const found = content.own.find((block) => block.type === 'command');
  return { command_name: found?.name ?? null, command_args: found?.args ?? null };
}

/** Who asked for a compaction, and the tokens before and after it. */
function boundary(blocks: readonly Block[]): Json {
  const said = blocks.find((block) => block.type === 'compaction');
  return said ? { trigger: said.trigger, pre_tokens: said.before, post_tokens: said.after } : {};
}

/** Absent when there is none, empty when it says nothing (H4). */
function output({ content }: RecordEntry): Json {
  const streams: Record<string, string> = {};
  for (const block of [...content.own, ...content.replies])
    if (block.type === 'output') streams[block.stream] = (streams[block.stream] ?? '') + block.text;
  return streams;
}

function jsonCalls({ record, content }: RecordEntry): Json[] {
  const inputs = new Map<number, unknown>();
  const takeCall = callsInTurn(record.calls);
  for (const block of content.own) {
    const known = block.type === 'call' ? takeCall(block.id) : null;
    if (known && block.type === 'call') inputs.set(known.number, block.input);
  }
  return record.calls.map((call, i) => jsonCall(call, inputs.has(i) ? inputs.get(i) : null, content));
}

function jsonCall(call: ToolCall, input: unknown, { results }: RecordContent): Json {
  const result = call.result ? results.get(call.id) : null;
  return {
    tool_use_id: call.id,
    name: call.name,
    input,
    result: result
      ? {
          ...jsonResult(result.block),
          timestamp: isoTime(result.time),
          ...(result.more.length > 0 ? { more: result.more.map(jsonResult) } : {}),
          ...(result.body.length > 0 ? { body: joinText(result.body) } : {}),
        }
      : null,
    is_error: call.isError,
    agents: call.subagents,
    agent_id: call.subagents[0] ?? null,
  };
}

const jsonResult = ({ output, detail }: ResultBlock): Json => ({
  content: output,
  ...(detail === undefined ? {} : { tool_use_result: detail }),
});

/** Each block keeps the id, time and line of the line it stands in (H1). */
function jsonBlock(block: Block, lineAt: ReturnType<typeof lineFinder>): Json {
  const { at, ...rest } = block;
  const line = lineAt(at);
  const task = block.type === 'notification' && block.usage ? { usage: jsonTask(block.usage) } : {};
  return { ...rest, ...task, uuid: line?.key ?? null, timestamp: isoTime(line?.time ?? null), line: at.line };
}

const jsonTask = ({ tokens, toolUses, durationMs }: TaskUsage): Json => ({
  total_tokens: tokens,
  tool_uses: toolUses,
  duration_ms: durationMs,
});

/** `said`: what each of them says. */
export const jsonAnnotations = (annotations: readonly Annotation[], said: readonly (readonly Block[])[]): Json[] =>
  annotations.map(({ key, parent, kind, ref, time }, i) => ({
    uuid: key,
    parent_uuid: parent,
    kind,
    timestamp: isoTime(time),
    file: ref.file,
    line: ref.line,
    content: (said[i] ?? []).map(({ at: _at, ...block }) => block),
  }));

export const jsonUsage = (usage: Usage): Json => ({
  input_tokens: usage.input,
  output_tokens: usage.output,
  cache_read_tokens: usage.cacheRead,
  cache_creation_tokens: usage.cacheWrite5m + usage.cacheWrite1h,
});

export const jsonTokens = (sum: UsageSum): Json => ({
  input_tokens: sum.input,
  output_tokens: sum.output,
  cache_read_tokens: sum.cacheRead,
  cache_creation_tokens: sum.cacheWrite,
});

export const jsonUsageSum = (sum: UsageSum): Json => ({
  ...jsonTokens(sum),
  cost_usd: sum.costUsd,
  ...(sum.unknownModels.length > 0 ? { unknown_models: sum.unknownModels, known_cost_usd: sum.knownCostUsd } : {}),
  responses: sum.responses,
});

const joinText = (blocks: readonly Block[]): string =>
  blocks
    .flatMap((block) =>
      'text' in block && block.type !== 'thinking' && block.type !== 'injected' && block.type !== 'output'
        ? [block.text]
        : [],
    )
    .join('\n\n');

export const isoTime = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());
