import { LineSplitter } from '../../src/formats/index.ts';
import { readAnnotations } from '../../src/history/read-content.ts';
import {
  type Block,
  type CallResult,
  type ContentOf,
  type Format,
  type LineRef,
  type LogRecord,
  type Parsed,
  type ResultBlock,
  saidInLines,
} from '../../src/model/index.ts';
import { bytesOf, type Files, factsOf } from './transcript.ts';

/** The lines of files in memory, by their place. */
function linesIn(format: Format, files: Files): (ref: LineRef) => Parsed | undefined {
  const lines = new Map<string, Parsed>();
  for (const [path, content] of Object.entries(files)) {
    const facts = factsOf(format, path);
    if (facts.role === 'sidecar') continue;
    const reader = format.open(facts);
    const splitter = new LineSplitter(facts.id, (bytes, ref, cut, torn) => {
      const read = reader.next(bytes, ref, cut, torn);
      const { line } = read;
      const said = read.blocks();
      lines.set(placeOf(ref), { line, blocks: () => said });
    });
    splitter.push(bytesOf(content));
    splitter.end();
  }
  return (ref) => lines.get(placeOf(ref));
}

/** What single lines say. */
export function saidIn(format: Format, files: Files): (ref: LineRef) => readonly Block[] {
  const lineAt = linesIn(format, files);
  return (ref) => lineAt(ref)?.blocks() ?? [];
}

/** What records say, from files in memory. */
export const contentFrom = (format: Format, files: Files): ContentOf => contentAt(linesIn(format, files));

/** As `history/read-content.ts` does it for files on disk. */
export function contentAt(lineAt: (ref: LineRef) => Parsed | undefined): ContentOf {
  const say = (ref: LineRef): readonly Block[] => lineAt(ref)?.blocks() ?? [];
  const partsOf = ({ kind, lines }: LogRecord): readonly Block[] =>
    saidInLines(
      kind,
      lines.filter(({ as }) => as === 'part').map(({ ref }) => say(ref)),
    );
  return (record: LogRecord) => ({
    own: partsOf(record),
    replies: record.lines.filter(({ as }) => as === 'reply').flatMap(({ ref }) => say(ref)),
    results: new Map(
      record.calls.flatMap((call): [string, CallResult][] => {
        const isOf = (block: Block): block is ResultBlock => block.type === 'result' && block.of === call.id;
        const [block, ...others] = call.result ? say(call.result).filter(isOf) : [];
        if (!call.result || !block) return [];
        const line = lineAt(call.result)?.line;
        const time = line?.in === 'chain' ? line.time : null;
        const more = [...others, ...call.more.flatMap((ref) => say(ref).filter(isOf))];
        return [[call.id, { block, time, more, body: call.body ? say(call.body) : [] }]];
      }),
    ),
    annotations: readAnnotations(record, partsOf(record), say),
  });
}

const placeOf = ({ file, line }: LineRef): string => `${file}:${line}`;
