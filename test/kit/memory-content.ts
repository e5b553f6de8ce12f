import { LineSplitter } from '../../src/formats/index.ts';
import type {
  Block,
  CallResult,
  ContentOf,
  Format,
  LineRef,
  LogRecord,
  RecordLine,
  ResultBlock,
} from '../../src/model/index.ts';
import { bytesOf, type Files, factsOf } from './transcript.ts';

/** What the lines of files in memory say, by their place. */
export type Said = (ref: LineRef) => readonly Block[];

export function saidIn(format: Format, files: Files): Said {
  const blocks = new Map<string, readonly Block[]>();
  for (const [path, content] of Object.entries(files)) {
    const facts = factsOf(format, path);
    if (facts.role === 'sidecar') continue;
    const reader = format.open(facts);
    const splitter = new LineSplitter(facts.id, (bytes, ref, cut, torn) =>
      blocks.set(`${ref.file}:${ref.line}`, reader.next(bytes, ref, cut, torn).blocks()),
    );
    splitter.push(bytesOf(content));
    splitter.end();
  }
  return ({ file, line }) => blocks.get(`${file}:${line}`) ?? [];
}

/** What `Session.content` gives, annotations included. */
export function contentFrom(said: Said, seen: (record: LogRecord) => void = () => {}): ContentOf {
  return (record) => {
    seen(record);
    const linesAs = (as: RecordLine['as']) =>
      record.lines.filter((line) => line.as === as).flatMap(({ ref }) => said(ref));
    const results = new Map<string, CallResult>();
    for (const { id, result, body } of record.calls) {
      const isOf = (block: Block): block is ResultBlock => block.type === 'result' && block.of === id;
      const block = result && said(result).find(isOf);
      if (block) results.set(id, { block, time: null, more: [], body: body ? said(body) : [] });
    }
    const annotations = record.annotations.map(({ key, ref }) => (key === null ? [] : said(ref)));
    return { own: linesAs('part'), replies: linesAs('reply'), results, annotations };
  };
}
