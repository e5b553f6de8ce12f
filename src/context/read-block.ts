import type { Block, LogRecord } from '../model/index.ts';
import { type Category, categoryOfTool } from './categories.ts';
import { IMAGE_TOKENS, outputTokens, PREVIEW_TOKENS, textTokens, valueTokens } from './estimate-tokens.ts';
import { callLabel, excerpt } from './label-part.ts';
import type { PartList } from './part-list.ts';
import { addInjected } from './read-injected.ts';

/** One block, by who speaks in the record. */
export function addBlock(list: PartList, record: LogRecord, block: Block): void {
  switch (block.type) {
    case 'text':
      // Why the model did not answer is told to the human only.
      list.add('text', categoryOfText(record), excerpt(block.text), block.error ? 0 : textTokens(block.text));
      break;
    case 'thinking':
      list.add('thinking', categoryOfText(record), 'thinking', textTokens(block.text));
      break;
    case 'injected':
      addInjected(list, block);
      break;
    case 'command': {
      const text = `${block.name} ${block.args}`.trim();
      list.add('command', categoryOfText(record), excerpt(text), textTokens(text));
      break;
    }
    case 'output':
      list.add('output', categoryOfText(record), excerpt(block.text), textTokens(block.text));
      break;
    case 'teammate':
      list.add('teammate', 'task_coordination', excerpt(block.summary || block.from), textTokens(block.text));
      break;
    case 'notification':
      list.add('notification', 'task_coordination', excerpt(block.summary), textTokens(block.text));
      break;
    case 'call': {
      const { id, name, input } = block;
      const tokens = textTokens(name) + valueTokens(input);
      list.add('call', categoryOfTool(name), callLabel(name, input), tokens, id);
      break;
    }
    case 'image':
      list.add('image', categoryOfText(record), excerpt(block.media), IMAGE_TOKENS);
      break;
    case 'unknown': {
      // What a tool gave the program beside its result.
      if (block.name === 'toolUseResult') return;
      const category = /tool/.test(block.name) ? 'tool_outputs' : categoryOfText(record);
      list.add('other', category, excerpt(block.name), valueTokens(block.json));
      break;
    }
  }
}

function categoryOfText({ kind, origin }: LogRecord): Category {
  if (kind === 'assistant') return 'thinking_and_text';
  if (kind === 'teammate') return 'task_coordination';
  if (kind === 'user') return origin === 'interruption' ? 'system' : 'user_messages';
  return kind === 'bash' || kind.endsWith('_command') ? 'user_messages' : 'system';
}

type Result = Block & { readonly type: 'result' };
export const isResult = (block: Block): block is Result => block.type === 'result';

export function resultTokens({ output, offloaded, unreadable }: Result): number {
  if (unreadable) return 0;
  const isPreview = offloaded === undefined || (typeof output === 'string' && output.startsWith('<persisted-output>'));
  const tokens = outputTokens(output);
  return isPreview ? tokens : Math.min(tokens, PREVIEW_TOKENS);
}
