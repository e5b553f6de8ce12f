import type { Block, LineRef, LogRecord, RecordContent } from '../model/index.ts';
import { categoryOfTool } from './categories.ts';
import type { ContextPart } from './context-view.ts';
import { textTokens } from './estimate-tokens.ts';
import { callLabel, excerpt } from './label-part.ts';
import { blockParts, isResult, resultPart } from './read-block.ts';
import { annotationParts, type FoundPart } from './read-injected.ts';

/** What one record puts into the window. It depends on nothing but the record and its content. */
export interface RecordParts {
  readonly record: LogRecord;
  /** What a response itself says. */
  readonly answer: readonly ContextPart[];
  /** Everything else, in the order it was written: results of its calls, what hooks added. */
  readonly parts: readonly ContextPart[];
  /** Where each message was written. */
  readonly lines: readonly LineRef[];
  /** What a compaction says about the window before and after it. */
  readonly emptied: { readonly before: number | null; readonly after: number | null } | null;
}

interface Message {
  readonly at: LineRef;
  readonly role: ContextPart['role'];
  readonly parts: readonly FoundPart[];
}

export function readParts(record: LogRecord, content: RecordContent): RecordParts {
  const isResponse = record.kind === 'assistant';
  // A prompt that waits in the queue has not been sent.
  const own = record.queued ? [] : ownMessages(record, content);
  const further = [...resultMessages(record, content), ...annotationMessages(record, content)];
  const messages = [...own, ...inOrder(further)];
  const numbered = messages.map(({ role, parts }, message) =>
    parts.map((part): ContextPart => ({ record: record.id, message, role, call: null, ...part })),
  );
  const emptied = content.own.find((block) => block.type === 'compaction');
  return {
    record,
    answer: isResponse ? numbered.slice(0, own.length).flat() : [],
    parts: (isResponse ? numbered.slice(own.length) : numbered).flat(),
    lines: messages.map(({ at }) => at),
    emptied: emptied ? { before: emptied.before, after: emptied.after } : null,
  };
}

/** As written, where that can be told. */
const inOrder = (messages: Message[]): Message[] =>
  messages.sort((a, b) => (a.at.file === b.at.file ? a.at.line - b.at.line : 0));

function ownMessages(record: LogRecord, { own, replies }: RecordContent): Message[] {
  const at = record.lines[0]?.ref;
  if (!at) return [];
  if (record.kind === 'compaction' || record.kind === 'branch_summary') return summaryMessage(record, own, replies);
  const [results, said] = [own.filter(isResult), own.filter((block) => !isResult(block))];
  const role = record.kind === 'assistant' ? 'assistant' : 'user';
  const messages: Message[] = results.map((block) => ({ at: block.at, role: 'tool', parts: [resultPart(block)] }));
  const parts = said.flatMap((block) => blockParts(record, block));
  // A message that says nothing is a message all the same.
  if (parts.length > 0 || results.length === 0)
    messages.push({ at, role, parts: parts.length > 0 ? parts : [nothingSaid(role)] });
  for (const reply of byLine(replies)) {
    const answered = reply.flatMap((block) => blockParts(record, block));
    if (reply[0] && answered.length > 0) messages.push({ at: reply[0].at, role: 'user', parts: answered });
  }
  return messages;
}

const nothingSaid = (role: 'user' | 'assistant'): FoundPart => ({
  type: 'text',
  category: role === 'user' ? 'user_messages' : 'thinking_and_text',
  label: '(empty)',
  tokens: 0,
});

/** The summary is the second half of a compaction where the first says only that there was one. */
function summaryMessage({ kind }: LogRecord, own: readonly Block[], replies: readonly Block[]): Message[] {
  const isSaid = (block: Block) => block.type === 'text' && block.text !== '';
  const said = replies.some(isSaid) ? replies : own;
  const texts = said.filter(isSaid);
  const [first] = texts;
  if (!first) return [];
  const tokens = texts.reduce((sum, block) => sum + (block.type === 'text' ? textTokens(block.text) : 0), 0);
  const label = kind === 'compaction' ? 'summary of what was said before' : 'summary of another branch';
  return [{ at: first.at, role: 'user', parts: [{ type: 'summary', category: 'system', label, tokens }] }];
}

function resultMessages(record: LogRecord, { own, results }: RecordContent): Message[] {
  if (record.calls.length === 0) return [];
  const labels = new Map(
    own.flatMap((block) => (block.type === 'call' ? [[block.id, callLabel(block.name, block.input)] as const] : [])),
  );
  return record.calls.flatMap(({ id, name }): Message[] => {
    const result = results.get(id);
    if (!result) return [];
    const [category, label] = [categoryOfTool(name), labels.get(id) ?? excerpt(name)];
    const message: Message = {
      at: result.block.at,
      role: 'tool',
      parts: [{ ...resultPart(result.block), category, label }],
    };
    const skill = result.body.flatMap((block) => blockParts(record, block));
    if (!result.body[0] || skill.length === 0) return [message];
    const tokens = skill.reduce((sum, part) => sum + part.tokens, 0);
    const body: FoundPart = { type: 'skill', category, label, tokens, call: id };
    return [message, { at: result.body[0].at, role: 'user', parts: [body] }];
  });
}

function annotationMessages(record: LogRecord, { annotations }: RecordContent): Message[] {
  return record.annotations.flatMap(({ key, kind, ref }, i): Message[] => {
    // Text split off a prompt stands among its own blocks.
    const parts = key === null ? [] : annotationParts(kind, annotations[i] ?? []);
    return parts.length > 0 ? [{ at: ref, role: 'user', parts }] : [];
  });
}

/** Lines of their own are messages of their own. */
function byLine(blocks: readonly Block[]): Block[][] {
  const lines: Block[][] = [];
  for (const block of blocks) {
    const last = lines[lines.length - 1];
    if (last?.[0] && last[0].at.file === block.at.file && last[0].at.line === block.at.line) last.push(block);
    else lines.push([block]);
  }
  return lines;
}
