import {
  type Annotation,
  type Block,
  type CallBlock,
  type CallInTurn,
  callsInTurn,
  isUnreadable,
  type LogRecord,
  lineFinder,
  ownBlocks,
  type RecordContent,
  resultBlocks,
  writeJson,
} from '../model/index.ts';
import type { NodeType, Row, RowPair, RowTool } from './node.ts';

export interface RowOptions {
  /** With all annotations, not only what the system and failing hooks said. */
  readonly verbose: boolean;
}

/** What one record shows, in its order. It depends on this record only. */
export function readRows(record: LogRecord, content: RecordContent, depth: number, options: RowOptions): Row[] {
  const rows = record.kind === 'assistant' ? answerRows(record, content, depth) : [otherRow(record, content, depth)];
  const [first, ...others] = rows;
  // The record's own id leads to the first thing it shows, and so do the ids of its lines.
  const named = first
    ? [
        {
          ...first,
          id: record.id,
          aliases: [...record.aliases, ...first.aliases],
          ...(record.usage ? { usage: record.usage } : {}),
        },
        ...others,
      ]
    : [];
  return [...named, ...annotationRows(record, content, depth, options)];
}

/** What stands before the first record of a session: as many as `annotations`, in their order. */
export const openingRows = (
  annotations: readonly Annotation[],
  said: readonly (readonly Block[])[],
  options: RowOptions,
): Row[] =>
  annotations.flatMap((annotation, i) =>
    annotationRow(annotation, said[i] ?? [], { record: null, subagent: null }, annotation.key ?? '', 0, options),
  );

interface Kind {
  readonly type: NodeType;
  readonly level: number;
}

const KINDS: Readonly<Record<string, Kind>> = {
  user: { type: 'user', level: 1 },
  user_defined_command: { type: 'command', level: 1 },
  bash: { type: 'bash', level: 1 },
  compaction: { type: 'compaction', level: 1 },
  branch_summary: { type: 'branch_summary', level: 1 },
  built_in_command: { type: 'command', level: 2 },
  teammate: { type: 'teammate', level: 2 },
  notification: { type: 'notification', level: 3 },
};

/** A sub-agent's own prompts stand on the level of its answers. */
function placeOf(record: LogRecord, depth: number): Kind {
  const known = Object.hasOwn(KINDS, record.kind) ? KINDS[record.kind] : undefined;
  const kind = known ?? { type: 'custom', level: 1 };
  if (record.origin === 'interruption') return { type: 'interruption', level: 2 + 2 * depth };
  return { type: kind.type, level: depth > 0 ? Math.max(2, kind.level) + 2 * depth : kind.level };
}

function otherRow(record: LogRecord, content: RecordContent, depth: number): Row {
  const { type, level } = placeOf(record, depth);
  const own = ownBlocks(record, content).filter((block) => block.type !== 'output' && block.type !== 'injected');
  const output = [...content.own, ...content.replies].filter((block) => block.type === 'output');
  const prompt = content.replies.filter((block) => block.type === 'text');
  const pair = output.length > 0 ? outputPair(record, output) : null;
  return {
    ...base(record, type, level, `${record.id}`, record.time),
    text: textOf(own),
    blocks: [...own, ...(record.kind === 'built_in_command' ? prompt.filter(isUnreadable) : prompt)],
    ...(pair ? { pair } : {}),
  };
}

/** Claude Code writes the output in a line of its own, Pi with the command: then nobody knows how long it took. */
function outputPair(record: LogRecord, blocks: readonly Block[]): RowPair {
  const line = lineFinder(record.lines)((blocks[0] as Block).at);
  return {
    id: `${record.id}_output_0`,
    type: 'output',
    text: textOf(blocks),
    blocks,
    time: line?.time ?? record.time,
    durationMs: line?.as === 'reply' ? durationOf(record.time, line.time) : null,
  };
}

const base = (record: LogRecord, type: NodeType, level: number, id: string, time: number | null) => ({
  id,
  aliases: [],
  type,
  level,
  record: record.id,
  time,
  subagent: record.subagent,
});

/** Thoughts stand with the text that follows them; every tool is a row of its own below. */
function answerRows(record: LogRecord, content: RecordContent, depth: number): Row[] {
  const rows: Row[] = [];
  const takeCall = callsInTurn(record.calls);
  const lineAt = lineFinder(record.lines);
  let texts = 0;
  let thoughts = 0;
  for (const block of content.own) {
    const time = lineAt(block.at)?.time ?? record.time;
    if (block.type === 'call') {
      const known = takeCall(block.id);
      if (known) rows.push(toolRow(record, known, block, content, depth, time));
    } else if (block.type === 'thinking') {
      const id = `${record.id}_thinking_${thoughts++}`;
      rows.push({ ...base(record, 'thinking', 2 + 2 * depth, id, time), text: block.text, blocks: [block] });
    } else if (block.type !== 'injected' && !isEmpty(block)) {
      const id = `${record.id}_text_${texts++}`;
      const row: Row = {
        ...base(record, 'assistant', 2 + 2 * depth, id, time),
        text: textOf([block]),
        blocks: [block],
        ...(block.type === 'text' && block.error ? { isError: true } : {}),
      };
      const last = rows.at(-1);
      if (last?.type === 'thinking' && !last.pair) rows[rows.length - 1] = withAnswer(last, row);
      else rows.push(row);
    }
  }
  // An answer that was broken off before its first word has its place all the same.
  if (rows.length === 0)
    rows.push({ ...base(record, 'assistant', 2 + 2 * depth, record.id, record.time), text: '', blocks: [] });
  return rows;
}

const isEmpty = (block: Block): boolean => block.type === 'text' && block.text.trim() === '';

/** One row: the thought, and the answer as its second half. */
function withAnswer(thought: Row, answer: Row): Row {
  return {
    ...thought,
    aliases: [...thought.aliases, answer.id],
    ...(answer.isError ? { isError: true } : {}),
    pair: {
      id: answer.id,
      type: 'assistant',
      text: answer.text,
      blocks: answer.blocks,
      time: answer.time,
      durationMs: durationOf(thought.time, answer.time),
    },
  };
}

function toolRow(
  record: LogRecord,
  { call, number }: CallInTurn,
  block: CallBlock,
  content: RecordContent,
  depth: number,
  time: number | null,
): Row {
  const result = (call.result && content.results.get(call.id)) ?? null;
  const tool: RowTool = {
    id: call.id,
    name: call.name,
    call: block,
    result,
    isError: call.isError,
    subagents: call.subagents,
  };
  const pair: RowPair | null = result && {
    id: `${record.id}_result_${number}`,
    type: 'result',
    text: resultBlocks(result)
      .map(({ output }) => resultText(output))
      .join('\n\n'),
    blocks: resultBlocks(result),
    time: result.time,
    durationMs: durationOf(time, result.time),
  };
  return {
    ...base(record, 'tool', 3 + 2 * depth, `${record.id}_tool_${number}`, time),
    aliases: pair ? [pair.id] : [],
    text: call.name,
    blocks: [block],
    tool,
    ...(pair ? { pair } : {}),
    ...(call.isError ? { isError: true } : {}),
  };
}

/** What the system said, and hooks that failed; everything else only on request. */
function annotationRows(record: LogRecord, content: RecordContent, depth: number, options: RowOptions): Row[] {
  const of = { record: record.id, subagent: record.subagent };
  let injected = 0;
  return record.annotations.flatMap((annotation, i) => {
    // What was put into a prompt has no id of its own.
    const id = annotation.key ?? `${record.id}_injected_${injected++}`;
    return annotationRow(annotation, content.annotations[i] ?? [], of, id, depth, options);
  });
}

function annotationRow(
  annotation: Annotation,
  blocks: readonly Block[],
  of: Pick<Row, 'record' | 'subagent'>,
  id: string,
  depth: number,
  { verbose }: RowOptions,
): Row[] {
  const said = blocks.filter((block) => block.type === 'system');
  const kind = placeOfAnnotation(annotation, said[0]);
  if (!kind && !verbose) return [];
  const { type, level } = kind ?? { type: 'annotation', level: 3 };
  const text = textOf(said.length > 0 ? said : blocks) || annotation.kind;
  return [{ ...of, id, aliases: [], type, level: level + 2 * depth, time: annotation.time, text, blocks }];
}

const QUIET = new Set(['info', 'warning', 'suggestion']);

function placeOfAnnotation({ kind }: Annotation, said: (Block & { type: 'system' }) | undefined): Kind | null {
  if (/hook.*error/.test(kind)) return { type: 'hook', level: 3 };
  if (!said) return null;
  return { type: 'system', level: QUIET.has(said.level ?? '') ? 3 : 2 };
}

const durationOf = (from: number | null, to: number | null): number | null =>
  from === null || to === null ? null : Math.max(0, to - from);

const textOf = (blocks: readonly Block[]): string =>
  blocks
    .map((block) => sayBlock(block).trim())
    .filter(Boolean)
    .join('\n\n');

function sayBlock(block: Block): string {
  if ('text' in block) return block.text;
  switch (block.type) {
    case 'command':
      return `${block.name} ${block.args}`;
    case 'result':
      return resultText(block.output);
    case 'image':
      return `[image ${block.media}]`;
    case 'unknown':
      return `[${block.name}]`;
    default:
      return '';
  }
}

/** The text of a result; blocks that are none by their name. */
export function resultText(output: unknown): string {
  if (typeof output === 'string') return output;
  if (!Array.isArray(output)) return output === null || output === undefined ? '' : writeJson(output);
  return output.map(partText).join('\n');
}

interface OutputPart {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly resource?: { readonly text?: unknown; readonly uri?: unknown } | null;
}

function partText(part: OutputPart | string | null): string {
  if (typeof part === 'string') return part;
  const { type, text, resource } = part ?? {};
  for (const said of [text, resource?.text, resource?.uri]) if (typeof said === 'string') return said;
  return `[${typeof type === 'string' ? type : 'block'}]`;
}
