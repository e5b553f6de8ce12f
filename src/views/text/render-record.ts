import {
  type Annotation,
  type Block,
  type CallBlock,
  type CallInTurn,
  callsInTurn,
  isUnreadable,
  ownBlocks,
  type RecordContent,
  resultBlocks,
  writeJson,
} from '../../model/index.ts';
import { type RecordEntry, type RecordVisitor, visitRecord } from '../visit-record.ts';
import { formatTime } from './format-time.ts';
import { indent, indentFurtherLines } from './indent.ts';
import { printable, printableLine } from './printable.ts';
import { renderCall } from './render-call.ts';
import { renderResult } from './render-result.ts';
import { preview } from './shorten.ts';

export interface TextOptions {
  /** Thinking, annotations, whole outputs. */
  readonly verbose: boolean;
  /** Of this record; null or not told: it has none. */
  readonly label?: string | null;
}

/** A part of a record's text that does not change once it was written: what is shown live is added piece by piece. */
export interface Piece {
  readonly key: string;
  readonly text: string;
}

/**
 * One record as text, local time (H20); empty when there is nothing to show.
 *
 *     [2025-01-07 19:31] <Assistant> Read(file.txt)
 *       ⎿  Read 10 lines
 */
export const renderRecord = (entry: RecordEntry, options: TextOptions): string =>
  renderPieces(entry, options)
    .map(({ text }) => text)
    .join('\n');

export function renderPieces(entry: RecordEntry, options: TextOptions): Piece[] {
  const pieces = withLabel(entry, visitRecord(entry, new TextVisitor(options)), options.label ?? null);
  return options.verbose ? [...pieces, ...annotationPieces(entry)] : pieces;
}

/** `[2025-01-07 19:31] <Assistant> [good] …` */
function withLabel(entry: RecordEntry, pieces: Piece[], label: string | null): Piece[] {
  if (label === null) return pieces;
  const mark = `[${printableLine(label)}]`;
  const [first, ...rest] = pieces;
  const head = first ? (HEAD.exec(first.text)?.[0] ?? '') : '';
  if (first && head !== '') return [{ ...first, text: `${head}${mark} ${first.text.slice(head.length)}` }, ...rest];
  // Nothing of it is shown, or only what it printed.
  const { kind } = entry.record;
  const who = kind === 'assistant' ? 'Assistant' : TYPED.has(kind) ? 'User' : printableLine(kind);
  return [piece('label', `${headOf(entry, `<${who}>`)}${mark}`), ...pieces];
}

const TYPED: ReadonlySet<string> = new Set(['user', 'built_in_command', 'user_defined_command', 'bash']);

const HEAD = /^(?:\[[^\]]*\] )?<[^>]*> /;

class TextVisitor implements RecordVisitor<Piece[]> {
  readonly #options: TextOptions;

  constructor(options: TextOptions) {
    this.#options = options;
  }

  user(entry: RecordEntry): Piece[] {
    return this.#said(entry, '<User>', entry.record.queued ? ' (queued)' : '');
  }

  builtInCommand(entry: RecordEntry): Piece[] {
    return [...this.#said(entry, '<User>'), ...this.#outputs(entry.content.replies)];
  }

  userDefinedCommand(entry: RecordEntry): Piece[] {
    const { replies } = entry.content;
    const prompt = this.#options.verbose ? texts(replies.filter((block) => !isUnreadable(block))) : [];
    return [
      ...this.#said(entry, '<User>'),
      ...prompt.map((text, i) => piece(`prompt:${i}`, indent(printable(text)))),
      ...this.#outputs(replies),
    ];
  }

  bash(entry: RecordEntry): Piece[] {
    const [command = ''] = texts(entry.content.own);
    // Claude Code writes the output in a line of its own, Pi with the command.
    const { own, replies } = entry.content;
    return [
      piece('command', `${headOf(entry, '<User>')}! ${printable(command)}`),
      ...this.#outputs([...own, ...replies]),
    ];
  }

  assistant(entry: RecordEntry): Piece[] {
    return this.#said(entry, '<Assistant>');
  }

  compaction(entry: RecordEntry): Piece[] {
    const [first = 'Conversation compacted', ...others] = texts([...entry.content.own, ...entry.content.replies]);
    const lines = first.trim().split('\n').length;
    const head = headOf(entry, '<Compacted>');
    // A boundary is one sentence with the summary beside it; a summary alone is long.
    if (lines === 1 && others.length > 0) {
      const summary = others.map((text, i) => piece(`summary:${i}`, indent(preview(text, this.#options.verbose))));
      return [piece('head', head + printable(first.trim())), ...summary];
    }
    if (lines === 1) return [piece('head', head + printable(first.trim()))];
    return [piece('head', `${head}Conversation compacted\n${indent(preview(first, this.#options.verbose))}`)];
  }

  branchSummary(entry: RecordEntry): Piece[] {
    return this.#said(entry, '<Summary>');
  }

  teammate(entry: RecordEntry): Piece[] {
    return this.#said(entry, '<Teammate>');
  }

  notification(entry: RecordEntry): Piece[] {
    return this.#said(entry, '<Notification>');
  }

  custom(entry: RecordEntry): Piece[] {
    return this.#said(entry, `<${printableLine(entry.record.kind)}>`);
  }

  /** Each thing said in its own line, in the order it was said. */
  #said(entry: RecordEntry, label: string, after = ''): Piece[] {
    const head = headOf(entry, label);
    const takeCall = callsInTurn(entry.record.calls);
    return ownBlocks(entry.record, entry.content).flatMap((block, i): Piece[] => {
      if (block.type === 'call') return this.#call(entry.content, head, block, takeCall(block.id));
      const text = this.#sayBlock(block);
      return text === null ? [] : [piece(`block:${i}`, head + text + after)];
    });
  }

  /** Null: nothing to show. */
  #sayBlock(block: Block): string | null {
    const { verbose } = this.#options;
    switch (block.type) {
      case 'text':
        return block.text.trim() === '' ? null : printable(block.text.trim());
      case 'thinking':
        if (!verbose) return null;
        return block.text.trim() === '' ? '💭 thinking (hidden)' : `💭 ${printable(block.text.trim())}`;
      case 'command':
        return printableLine(`${block.name} ${block.args}`);
      case 'image':
        return `[image ${printableLine(block.media)}]`;
      case 'output':
        return block.text.trim() === '' ? null : preview(block.text, verbose);
      case 'teammate':
        return verbose
          ? `${printableLine(block.from)}${block.summary ? ` (${printableLine(block.summary)})` : ''}: ${printable(block.text)}`
          : `${printableLine(block.from)}: ${preview(block.summary || block.text, false)}`;
      case 'notification':
        return sayNotification(block, verbose);
      case 'result':
        return `result of ${printableLine(block.of)}\n${indent(renderResult(block, null, this.#options))}`;
      case 'unknown':
        return verbose
          ? `[${printableLine(block.name)}] ${printable(writeJson(block.json))}`
          : `[${printableLine(block.name)}]`;
      // Shown with the annotations.
      case 'injected':
        return verbose ? `· ${block.name}: ${printable(block.text)}` : null;
      default:
        return null;
    }
  }

  #call({ results }: RecordContent, head: string, call: CallBlock, known: CallInTurn | null): Piece[] {
    const { verbose } = this.#options;
    const result = known?.call.result ? results.get(call.id) : null;
    const started = verbose ? (known?.call.subagents ?? []) : [];
    const agents = started.map((id) => `\n     ↳ sub-agent ${printableLine(id)}`).join('');
    const name = known?.again ? `${call.id} ${known.again}` : call.id;
    const line = piece(`call:${name}`, head + renderCall(call, this.#options) + agents);
    if (!result) return [line];
    const said = resultBlocks(result).map((block) => indent(renderResult(block, call, this.#options)));
    const body = verbose ? texts(result.body).map((text) => indent(printable(text))) : [];
    return [line, piece(`result:${name}`, [...said, ...body].join('\n'))];
  }

  #outputs(blocks: readonly Block[]): Piece[] {
    return blocks.flatMap((block, i) =>
      (block.type === 'output' || (block.type === 'text' && block.unreadable)) && block.text.trim() !== ''
        ? [piece(`output:${i}`, indent(preview(block.text, this.#options.verbose)))]
        : [],
    );
  }
}

/** A task in the background: how it stands, and in full what it ended with. */
function sayNotification(block: Block & { type: 'notification' }, verbose: boolean): string {
  const head = printableLine(block.summary || `${block.task ?? 'task'} ${block.status}`);
  return verbose && block.result ? `${head}\n${indent(printable(block.result.trim()))}` : head;
}

const piece = (key: string, text: string): Piece => ({ key, text });

const headOf = ({ record }: RecordEntry, label: string): string =>
  record.time === null ? `${label} ` : `[${formatTime(record.time)}] ${label} `;

const texts = (blocks: readonly Block[]): string[] =>
  blocks.flatMap((block) => (block.type === 'text' && block.text.trim() !== '' ? [block.text.trim()] : []));

/** Lines that are not part of the conversation, below the record they belong to. */
function annotationPieces({ record, content }: RecordEntry): Piece[] {
  return record.annotations.flatMap((annotation, i) =>
    annotation.key === null
      ? []
      : [piece(`note:${annotation.key}`, renderAnnotation(annotation, content.annotations[i] ?? []))],
  );
}

export function renderAnnotation({ kind }: Pick<Annotation, 'kind'>, blocks: readonly Block[]): string {
  const said = blocks.map((block) => {
    if ('text' in block) return block.text.trim();
    if (block.type === 'command') return `${block.name} ${block.args}`.trim();
    return block.type === 'unknown' ? writeJson(block.json) : `[${block.type}]`;
  });
  const text = indentFurtherLines(printable(said.filter(Boolean).join('\n')));
  return `  · ${printableLine(kind)}${text === '' ? '' : `: ${text}`}`;
}
