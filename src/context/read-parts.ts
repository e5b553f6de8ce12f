import type { Block, LineRef, LogRecord, RecordContent } from '../model/index.ts';
import { categoryOfTool } from './categories.ts';
import type { ContextPart } from './context-view.ts';
import { textTokens } from './estimate-tokens.ts';
import { callLabel, excerpt } from './label-part.ts';
import { PartList } from './part-list.ts';
import { addBlock, isResult, resultTokens } from './read-block.ts';
import { addAnnotation } from './read-injected.ts';

/** What one record puts into the window. It depends on nothing but the record and its content. */
export interface RecordParts {
  readonly record: LogRecord;
  /** What a response itself says. */
  readonly answer: readonly ContextPart[];
  /** Everything else, in the order it was written: results of its calls, what hooks added. */
  readonly parts: readonly ContextPart[];
  /** Where each message was written; empty where no skipped line stands between them. */
  readonly lines: readonly LineRef[];
  /** What a compaction says about the window before and after it. */
  readonly emptied: { readonly before: number | null; readonly after: number | null } | null;
}

const NO_PARTS: readonly ContextPart[] = [];
const NO_LINES: readonly LineRef[] = [];

export function readParts(record: LogRecord, content: RecordContent): RecordParts {
  const list = new PartList(record.id);
  // A prompt that waits in the queue has not been sent.
  if (!record.queued) addOwn(list, record, content);
  const own = record.kind === 'assistant' ? list.parts.length : 0;
  if (record.calls.length > 0 || record.annotations.length > 0) {
    const further = [...results(record, content), ...annotations(record, content)];
    for (const { add } of inOrder(further)) add(list);
  }
  const { parts, lines } = list;
  const emptied = record.kind === 'compaction' ? content.own.find((block) => block.type === 'compaction') : null;
  return {
    record,
    answer: own > 0 ? parts.slice(0, own) : NO_PARTS,
    parts: own === 0 ? parts : own < parts.length ? parts.slice(own) : NO_PARTS,
    lines: record.annotations.length > 0 ? lines : NO_LINES,
    emptied: emptied ? { before: emptied.before, after: emptied.after } : null,
  };
}

function addOwn(list: PartList, record: LogRecord, { own, replies }: RecordContent): void {
  const at = record.lines[0]?.ref;
  if (!at) return;
  if (record.kind === 'compaction' || record.kind === 'branch_summary') {
    addSummary(list, record, own, replies);
    return;
  }
  const isResponse = record.kind === 'assistant';
  for (const block of own)
    if (isResult(block))
      list.begin(block.at, 'tool').add('result', 'tool_outputs', 'result', resultTokens(block), block.of);
  list.begin(at, isResponse ? 'assistant' : 'user');
  for (const block of own) if (!isResult(block)) addBlock(list, record, block);
  // A message that says nothing is a message all the same.
  if (list.parts.length === 0) list.add('text', isResponse ? 'thinking_and_text' : 'user_messages', '(empty)', 0);
  let line: LineRef | null = null;
  for (const block of replies) {
    // Lines of their own are messages of their own.
    if (line?.line !== block.at.line || line.file !== block.at.file) list.begin(block.at, 'user');
    line = block.at;
    addBlock(list, record, block);
  }
}

/** The summary is the second half of a compaction where the first says only that there was one. */
function addSummary(list: PartList, { kind }: LogRecord, own: readonly Block[], replies: readonly Block[]): void {
  const isSaid = (block: Block) => block.type === 'text' && block.text !== '';
  const texts = (replies.some(isSaid) ? replies : own).filter(isSaid);
  const [first] = texts;
  if (!first) return;
  const tokens = texts.reduce((sum, block) => sum + (block.type === 'text' ? textTokens(block.text) : 0), 0);
  const label = kind === 'compaction' ? 'summary of what was said before' : 'summary of another branch';
  list.begin(first.at, 'user').add('summary', 'system', label, tokens);
}

/** A message that is written down after others are known. */
interface Message {
  readonly at: LineRef;
  add(list: PartList): void;
}

/** As written, where that can be told. */
const inOrder = (messages: Message[]): Message[] =>
  messages.sort((a, b) => (a.at.file === b.at.file ? a.at.line - b.at.line : 0));

function* results(record: LogRecord, content: RecordContent): Generator<Message> {
  const asked = new Map(content.own.map((block) => (block.type === 'call' ? [block.id, block.input] : [null, null])));
  for (const { id, name, result: isAnswered } of record.calls) {
    const result = isAnswered && content.results.get(id);
    if (!result) continue;
    const { block, body } = result;
    const [category, label] = [categoryOfTool(name), asked.has(id) ? callLabel(name, asked.get(id)) : excerpt(name)];
    yield {
      at: block.at,
      add: (list) => list.begin(block.at, 'tool').add('result', category, label, resultTokens(block), id),
    };
    const tokens = body.reduce((sum, each) => sum + (each.type === 'text' ? textTokens(each.text) : 0), 0);
    const at = body[0]?.at;
    if (at && tokens > 0) yield { at, add: (list) => list.begin(at, 'user').add('skill', category, label, tokens, id) };
  }
}

function* annotations(record: LogRecord, content: RecordContent): Generator<Message> {
  for (const [i, { key, kind, ref }] of record.annotations.entries()) {
    // Text split off a prompt stands among its own blocks.
    const said = key === null ? undefined : content.annotations[i];
    if (said) yield { at: ref, add: (list) => addAnnotation(list.begin(ref, 'user'), kind, said) };
  }
}
