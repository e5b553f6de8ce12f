import type { Block, CallBlock, CallId, Line, LogRecord, Parsed } from '../../model/index.ts';
import { indent } from './indent.ts';
import { printableLine } from './printable.ts';
import { renderAnnotation, renderPieces, type TextOptions } from './render-record.ts';
import { renderResult } from './render-result.ts';
import { preview } from './shorten.ts';

/** One line of a file as text, or the name of what it is when it is shown only on request. */
export type RenderedLine = { readonly text: string } | { readonly hidden: string };

/** A file exactly as it was written, line by line, without choosing a branch (H17). */
export class LineRenderer {
  readonly #options: TextOptions;
  readonly #calls = new Map<CallId, CallBlock>();

  constructor(options: TextOptions) {
    this.#options = options;
  }

  render(parsed: Parsed): RenderedLine {
    const { line } = parsed;
    if (line.in === 'report') return { text: `<Unreadable> line ${line.ref.line}: ${reason(line)}` };
    const name = line.in === 'bookkeeping' ? line.fact.type : line.kind;
    const isAside = line.in === 'bookkeeping' || (line.in === 'chain' && line.place.as === 'annotation');
    if (isAside)
      return this.#options.verbose ? { text: renderAnnotation({ kind: name }, parsed.blocks()) } : { hidden: name };
    const own = parsed.blocks();
    for (const block of own) if (block.type === 'call') this.#calls.set(block.id, block);
    const isGiven = ({ type }: Block): boolean => type === 'result' || type === 'output';
    const content = { own: own.filter((block) => !isGiven(block)), replies: [], results: new Map(), annotations: [] };
    const said = renderPieces({ record: recordOf(line), content }, this.#options).map(({ text }) => text);
    const text = [...said, ...own.filter(isGiven).map((block) => this.#given(block))].filter(Boolean).join('\n');
    return text === ''
      ? {
          hidden: hiddenName(
            own.map(({ type }) => type),
            name,
          ),
        }
      : { text };
  }

  /** What came back, below what it came back for. */
  #given(block: Block): string {
    if (block.type === 'result') return indent(renderResult(block, this.#calls.get(block.of) ?? null, this.#options));
    return block.type === 'output' && block.text.trim() !== ''
      ? indent(preview(block.text, this.#options.verbose))
      : '';
  }
}

/** A line as if it were a record of its own. */
function recordOf(line: Exclude<Line, { in: 'report' | 'bookkeeping' }>): LogRecord {
  const isReply = line.place.as === 'reply' && line.place.otherwise === 'annotation';
  return {
    id: line.key,
    aliases: [],
    kind: isReply ? 'user' : line.kind,
    origin: line.origin,
    queued: line.in === 'queue',
    hidden: false,
    session: '',
    subagent: line.subagent,
    parent: line.parent,
    edge: line.edge,
    lines: [],
    copies: [],
    time: line.time,
    env: line.env,
    calls: [],
    usage: line.usage,
    stopReason: line.stop,
    annotations: [],
    revision: 0,
  };
}

const hiddenName = (types: readonly string[], kind: string): string =>
  types.includes('thinking') ? 'thinking block' : types.includes('injected') ? 'injected text' : kind;

const reason = (line: Line): string =>
  line.warnings.map((warning) => printableLine(warning.message)).join('; ') || 'not a line of JSON';
