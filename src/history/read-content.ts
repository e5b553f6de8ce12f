import {
  type Block,
  type CallResult,
  isUnreadable,
  type LineRef,
  type LogRecord,
  type Parsed,
  type RecordContent,
  type ResultBlock,
  saidInLines,
  type ToolCall,
} from '../model/index.ts';
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
    reader.read(record.lines.filter((line) => line.as === as).map(({ ref }) => ref)).map((line) => line.blocks());
  const results = new Map<string, CallResult>();
  const lines = new ResultLines(logs);
  for (const call of withResults ? record.calls : []) {
    const result = readResult(logs, call, lines);
    if (result) results.set(call.id, result);
  }
  const own = withCalls(record, saidInLines(record.kind, linesAs('part')));
  return {
    own,
    replies: linesAs('reply').flat(),
    results,
    annotations: annotations
      ? readAnnotations(record, own, (ref) => reader.read([ref]).flatMap((line) => line.blocks()))
      : [],
  };
}

/** The tree knows the calls of a line that cannot be read: what they gave is shown below them. */
function withCalls({ calls }: LogRecord, own: readonly Block[]): readonly Block[] {
  if (!own.some(isUnreadable)) return own;
  return own.flatMap((block): Block[] => {
    if (!isUnreadable(block)) return [block];
    const lost = calls.filter(({ at }) => at.line === block.at.line && at.file === block.at.file);
    return [block, ...lost.map(({ id, name, at }): Block => ({ type: 'call', id, name, at, input: null }))];
  });
}

/** What was put into a prompt stands in the line of the prompt, in this order; every other annotation has a line of its own. */
export function readAnnotations(
  { annotations }: LogRecord,
  own: readonly Block[],
  say: (ref: LineRef) => readonly Block[],
): (readonly Block[])[] {
  const injected = own.filter((block) => block.type === 'injected');
  let next = 0;
  return annotations.map(({ key, ref }) => (key === null ? injected.slice(next, ++next) : say(ref)));
}

function readResult(logs: Logs, call: ToolCall, lines: ResultLines): CallResult | null {
  if (!call.result) return null;
  const line = lines.at(call.result);
  const [block, ...others] = line.of(call.id);
  if (!block) return null;
  const more = [...others, ...call.more.flatMap((ref) => lines.at(ref).of(call.id))].map((other) =>
    readOffloaded(logs, other, logs.lines),
  );
  const body = call.body ? logs.lines.read([call.body]).flatMap((other) => other.blocks()) : [];
  return { block: readOffloaded(logs, block, logs.lines), time: line.time, more, body };
}

/** The results that stand in one line. */
interface ReadResults {
  readonly time: number | null;
  /** Those of a call. */
  readonly of: (call: string) => readonly ResultBlock[];
}

/** Lines that answer calls, each read once: one may answer thousands. */
class ResultLines {
  readonly #logs: Logs;
  readonly #read = new Map<string, ReadResults>();

  constructor(logs: Logs) {
    this.#logs = logs;
  }

  at(ref: LineRef): ReadResults {
    const place = `${ref.line} ${ref.file}`;
    let found = this.#read.get(place);
    if (found === undefined) {
      found = resultsOf(this.#logs.lines.read([ref])[0] as Parsed);
      this.#read.set(place, found);
    }
    return found;
  }
}

function resultsOf({ line, blocks }: Parsed): ReadResults {
  const said = blocks();
  const lost = said.find(isUnreadable);
  if (lost?.type === 'text')
    return {
      time: null,
      of: (call) => [{ type: 'result', of: call, at: lost.at, output: lost.text, isError: false, unreadable: true }],
    };
  const byCall = Map.groupBy(
    said.filter((block) => block.type === 'result'),
    ({ of }) => of,
  );
  return { time: line.in === 'chain' ? line.time : null, of: (call) => byCall.get(call) ?? [] };
}
