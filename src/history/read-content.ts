import type { CallResult, LogRecord, RecordContent, ResultBlock, ToolCall } from '../model/index.ts';
import type { Logs } from './logs.ts';
import { readOffloaded } from './read-offloaded.ts';

export interface ContentOptions {
  readonly annotations?: boolean;
  readonly results?: boolean;
}

/** Everything a record says. Annotations are read only when asked for: most views do not show them. */
export function readContent(
  logs: Logs,
  record: LogRecord,
  { annotations = false, results: withResults = true }: ContentOptions,
): RecordContent {
  const reader = logs.lines;
  const linesAs = (as: 'part' | 'reply') =>
    reader.read(record.lines.filter((line) => line.as === as).map(({ ref }) => ref)).flatMap((line) => line.blocks());
  const results = new Map<string, CallResult>();
  for (const call of withResults ? record.calls : []) {
    const result = readResult(logs, call);
    if (result) results.set(call.id, result);
  }
  return {
    own: linesAs('part'),
    replies: linesAs('reply'),
    results,
    annotations: annotations
      ? record.annotations.map(({ key, ref }) =>
          key === null ? [] : reader.read([ref]).flatMap((line) => line.blocks()),
        )
      : [],
  };
}

function readResult(logs: Logs, call: ToolCall): CallResult | null {
  const reader = logs.lines;
  if (!call.result) return null;
  const [line] = reader.read([call.result]);
  const isOf = (block: { type: string; of?: string }): block is ResultBlock =>
    block.type === 'result' && block.of === call.id;
  const block = line?.blocks().find(isOf);
  if (!line || !block) return null;
  const more = reader.read(call.more).flatMap((other) => other.blocks().filter(isOf));
  const body = call.body ? reader.read([call.body]).flatMap((other) => other.blocks()) : [];
  const time = line.line.in === 'chain' ? line.line.time : null;
  return { block: readOffloaded(logs, block), time, more, body };
}
