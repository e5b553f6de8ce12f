import type {
  Block,
  CallResult,
  LineRef,
  LogRecord,
  Parsed,
  RecordContent,
  ResultBlock,
  ToolCall,
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
    reader.read(record.lines.filter((line) => line.as === as).map(({ ref }) => ref)).flatMap((line) => line.blocks());
  const results = new Map<string, CallResult>();
  const lines = new ResultLines(logs);
  for (const call of withResults ? record.calls : []) {
    const result = readResult(logs, call, lines);
    if (result) results.set(call.id, result);
  }
  const own = linesAs('part');
  return {
    own,
    replies: linesAs('reply'),
    results,
    annotations: annotations
      ? readAnnotations(record, own, (ref) => reader.read([ref]).flatMap((line) => line.blocks()))
      : [],
  };
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
  const [block, ...others] = line?.results.get(call.id) ?? [];
  if (!line || !block) return null;
  const more = [...others, ...call.more.flatMap((ref) => lines.at(ref)?.results.get(call.id) ?? [])].map((other) =>
    readOffloaded(logs, other),
  );
  const body = call.body ? logs.lines.read([call.body]).flatMap((other) => other.blocks()) : [];
  return { block: readOffloaded(logs, block), time: line.time, more, body };
}

/** The results that stand in one line. */
interface ReadResults {
  readonly time: number | null;
  /** By the ids of their calls. */
  readonly results: ReadonlyMap<string, readonly ResultBlock[]>;
}

/** Lines that answer calls, each read once: one may answer thousands. */
class ResultLines {
  readonly #logs: Logs;
  readonly #read = new Map<string, ReadResults | null>();

  constructor(logs: Logs) {
    this.#logs = logs;
  }

  at(ref: LineRef): ReadResults | null {
    const place = `${ref.line} ${ref.file}`;
    let found = this.#read.get(place);
    if (found === undefined) {
      const [line] = this.#logs.lines.read([ref]);
      found = line ? resultsOf(line) : null;
      this.#read.set(place, found);
    }
    return found;
  }
}

const resultsOf = ({ line, blocks }: Parsed): ReadResults => ({
  time: line.in === 'chain' ? line.time : null,
  results: Map.groupBy(
    blocks().filter((block) => block.type === 'result'),
    ({ of }) => of,
  ),
});
