import type { Block, LineRef } from '../../model/index.ts';
import { type JsonObject, listOf, numberOf, objectOf, textOf, wellFormed } from '../lines/index.ts';

/** What an entry says, in the order it says it. State is given as it is written: there is no text in it. */
export function entryBlocks(object: JsonObject, at: LineRef): readonly Block[] {
  switch (object.type) {
    case 'message': {
      const message = objectOf(object.message);
      return message ? messageBlocks(message, at) : [];
    }
    case 'custom_message':
      return contentBlocks(object.content, at);
    case 'compaction':
      return [compactionBlock(object, at), ...textBlocks(object.summary, at)];
    case 'branch_summary':
      return textBlocks(object.summary, at);
    case 'custom':
      return [unknownBlock(textOf(object.customType) ?? 'custom', object.data ?? null, at)];
    default:
      return [unknownBlock(textOf(object.type) ?? 'unknown', object, at)];
  }
}

function messageBlocks(message: JsonObject, at: LineRef): readonly Block[] {
  switch (message.role) {
    case 'toolResult':
      return [resultBlock(message, at)];
    case 'bashExecution':
      return [...runBlocks(message.command, message, at), ...contentBlocks(message.images, at)];
    case 'pythonExecution':
      return runBlocks(message.code, message, at);
    case 'fileMention':
      return listOf(message.files).flatMap((file) => fileBlocks(objectOf(file), at));
    case 'branchSummary':
      return textBlocks(message.summary, at);
    case 'compactionSummary':
      return [compactionBlock(message, at), ...textBlocks(message.summary, at)];
    default:
      return [...contentBlocks(message.content, at, message.role === 'assistant'), ...errorBlocks(message, at)];
  }
}

const compactionBlock = ({ tokensBefore }: JsonObject, at: LineRef): Block => ({
  type: 'compaction',
  trigger: null,
  before: numberOf(tokensBefore),
  after: null,
  at,
});

/** {"role":"assistant","content":[],"stopReason":"error","errorMessage":"429 …"} */
const errorBlocks = ({ stopReason, errorMessage }: JsonObject, at: LineRef): readonly Block[] =>
  stopReason === 'error' && typeof errorMessage === 'string'
    ? [{ type: 'text', text: errorMessage.toWellFormed(), error: true, at }]
    : [];

function resultBlock(message: JsonObject, at: LineRef): Block {
  const of = textOf(message.toolCallId) ?? '';
  const output = wellFormed(message.content ?? null);
  const detail = message.details === undefined ? {} : { detail: wellFormed(message.details) };
  return { type: 'result', of, output, ...detail, isError: message.isError === true, at };
}

function runBlocks(command: unknown, message: JsonObject, at: LineRef): readonly Block[] {
  const output = typeof message.output === 'string' ? message.output.toWellFormed() : '';
  return [...textBlocks(command, at), { type: 'output', stream: 'stdout', text: output, at }];
}

/** A file that the human named with `@` and oh-my-pi read for the model. */
function fileBlocks(file: JsonObject | null, at: LineRef): readonly Block[] {
  if (!file) return [];
  const text = typeof file.content === 'string' ? file.content.toWellFormed() : '';
  const name = textOf(file.path)?.toWellFormed() ?? '';
  return [{ type: 'injected', name, text, at }, ...contentBlocks(file.image ? [file.image] : [], at)];
}

/** `isAnswer`: elsewhere a call belongs to nothing. */
function contentBlocks(content: unknown, at: LineRef, isAnswer = false): readonly Block[] {
  if (typeof content === 'string') return textBlocks(content, at);
  return listOf(content).map((item) => contentBlock(item, at, isAnswer));
}

function contentBlock(item: unknown, at: LineRef, isAnswer: boolean): Block {
  const block = objectOf(item);
  switch (block?.type) {
    // {"type":"text","text":"hello"}
    case 'text':
      return { type: 'text', text: plainText(block.text), at };
    // {"type":"thinking","thinking":"…","thinkingSignature":"…"}; redacted: the text is a placeholder
    case 'thinking':
      return { type: 'thinking', text: block.redacted === true ? '' : plainText(block.thinking), at };
    // {"type":"redactedThinking","data":"…"}
    case 'redactedThinking':
      return { type: 'thinking', text: '', at };
    // {"type":"toolCall","id":"t1","name":"read","arguments":{"path":"a.ts"}}
    case 'toolCall': {
      const id = isAnswer ? textOf(block.id) : null;
      if (id === null) return unknownBlock('toolCall', item, at);
      return { type: 'call', id, name: plainName(block.name), input: wellFormed(block.arguments ?? null), at };
    }
    // {"type":"image","data":"iVBORw0…","mimeType":"image/png"}; oh-my-pi keeps large ones elsewhere: "data":"blob:sha256:…"
    case 'image':
      return { type: 'image', media: plainText(block.mimeType), data: plainText(block.data), at };
    default:
      return unknownBlock(textOf(block?.type) ?? typeof item, item, at);
  }
}

const textBlocks = (text: unknown, at: LineRef): readonly Block[] =>
  typeof text === 'string' ? [{ type: 'text', text: text.toWellFormed(), at }] : [];

const unknownBlock = (name: string, json: unknown, at: LineRef): Block => ({
  type: 'unknown',
  name: name.toWellFormed(),
  json: wellFormed(json),
  at,
});

const plainText = (value: unknown): string => (typeof value === 'string' ? value.toWellFormed() : '');
const plainName = (value: unknown): string => textOf(value)?.toWellFormed() ?? 'unknown';
