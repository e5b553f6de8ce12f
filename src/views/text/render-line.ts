import type { Block, CallBlock, CallId, Line, LogRecord, Parsed } from '../../model/index.ts';
import { indent } from './indent.ts';
import { printableLine } from './printable.ts';
import { renderCall } from './render-call.ts';
import { renderAnnotation, renderPieces, type TextOptions } from './render-record.ts';
import { renderResult } from './render-result.ts';
import { preview } from './shorten.ts';

/** One line of a file as text (`isPart`: of what was shown before it), or the name of what it is when it is shown only on request. */
export type RenderedLine = { readonly text: string; readonly isPart: boolean } | { readonly hidden: string };

/** A file exactly as it was written, line by line, without choosing a branch (H17). */
export class LineRenderer {
  readonly #options: TextOptions;
  readonly #calls = new Map<CallId, CallBlock>();
  /** The call that was shown last, when nothing was shown since. */
  #last: CallId | null = null;

  constructor(options: TextOptions) {
    this.#options = options;
  }

  render(parsed: Parsed): RenderedLine {
    const { line } = parsed;
    if (line.in === 'report') return { text: `<Unreadable> line ${line.ref.line}: ${reason(line)}`, isPart: false };
    const own = parsed.blocks();
    const isPart = this.#belongsBelow(own[0]);
    const text = line.in === 'bookkeeping' || isAside(line) ? '' : this.#say(line, own);
    const name = nameOf(line, own);
    if (text === '' && !this.#options.verbose) return { hidden: name };
    this.#last = own.findLast((block) => block.type === 'call')?.id ?? null;
    return { text: text || renderAnnotation({ kind: name }, own), isPart: isPart && text !== '' };
  }

  #belongsBelow(block: Block | undefined): boolean {
    return block?.type === 'output' || (block?.type === 'result' && block.of === this.#last);
  }

  #say(line: ShownLine, own: readonly Block[]): string {
    for (const block of own) if (block.type === 'call') this.#calls.set(block.id, block);
    const isGiven = ({ type }: Block): boolean => type === 'result' || type === 'output';
    const content = { own: own.filter((block) => !isGiven(block)), replies: [], results: new Map(), annotations: [] };
    const said = renderPieces({ record: recordOf(line), content }, this.#options).map(({ text }) => text);
    return [...said, ...own.filter(isGiven).map((block) => this.#given(block))].filter(Boolean).join('\n');
  }

  /** What came back, below what it came back for, or with its name. */
  #given(block: Block): string {
    if (block.type === 'result') {
      const call = this.#calls.get(block.of) ?? null;
      const said = renderResult(block, call, this.#options);
      // Calls that run side by side give their results later, in any order.
      return indent(call && block.of !== this.#last ? `${renderCall(call, { verbose: false })}\n${said}` : said);
    }
    return block.type === 'output' && block.text.trim() !== ''
      ? indent(preview(block.text, this.#options.verbose))
      : '';
  }
}

type ShownLine = Exclude<Line, { in: 'report' | 'bookkeeping' }>;

/** Not said in the conversation: the text of a command or skill that the agent put in is none either. */
const isAside = (line: ShownLine): boolean => line.place.as === 'annotation' || isExpanded(line);

const isExpanded = ({ place }: ShownLine): boolean =>
  (place.as === 'reply' && place.makes === 'user_defined_command') || (place.as === 'result' && place.body);

/** A line as if it were a record of its own. */
function recordOf(line: ShownLine): LogRecord {
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

/** As the log calls it: `attachment`, `ai-title`, `system/turn_duration`. */
function nameOf(line: Exclude<Line, { in: 'report' }>, own: readonly Block[]): string {
  const [first] = own;
  if (line.in === 'bookkeeping') return first?.type === 'unknown' ? first.name : line.fact.type;
  if (line.in === 'queue') return 'queue-operation';
  if (isExpanded(line)) return 'expanded prompt';
  if (own.some(({ type }) => type === 'thinking')) return 'thinking block';
  if (line.place.as !== 'annotation' && own.some(({ type }) => type === 'injected')) return 'injected text';
  return line.kind.startsWith('system/') ? line.kind : line.kind.replace(/\/.*/, '');
}

const reason = (line: Line): string =>
  line.warnings.map((warning) => printableLine(warning.message)).join('; ') || 'not a line of JSON';
