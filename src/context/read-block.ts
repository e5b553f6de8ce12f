import type { Block, LogRecord } from '../model/index.ts';
import { type Category, categoryOfTool } from './categories.ts';
import type { ContextPart } from './context-view.ts';
import { IMAGE_TOKENS, outputTokens, PREVIEW_TOKENS, textTokens, valueTokens } from './estimate-tokens.ts';
import { callLabel, excerpt } from './label-part.ts';
import { type FoundPart, injectedParts } from './read-injected.ts';

/** One block, by who speaks in the record. */
export function blockParts(record: LogRecord, block: Block): FoundPart[] {
  const category = categoryOfText(record);
  const part = (type: ContextPart['type'], text: string, more: Partial<FoundPart> = {}): FoundPart[] => [
    { type, category, label: excerpt(text), tokens: textTokens(text), ...more },
  ];
  switch (block.type) {
    case 'text':
      // Why the model did not answer is told to the human only.
      return part('text', block.text, block.error ? { tokens: 0 } : {});
    case 'thinking':
      return part('thinking', block.text, { label: 'thinking' });
    case 'injected':
      return injectedParts(block);
    case 'command':
      return part('command', `${block.name} ${block.args}`.trim());
    case 'output':
      return part('output', block.text);
    case 'teammate':
      return part('teammate', block.text, {
        category: 'task_coordination',
        label: excerpt(block.summary || block.from),
      });
    case 'notification':
      return part('notification', block.text, { category: 'task_coordination', label: excerpt(block.summary) });
    case 'call':
      return [
        {
          type: 'call',
          category: categoryOfTool(block.name),
          label: callLabel(block.name, block.input),
          tokens: textTokens(block.name) + valueTokens(block.input),
          call: block.id,
        },
      ];
    case 'image':
      return [{ type: 'image', category, label: excerpt(block.media), tokens: IMAGE_TOKENS }];
    case 'unknown':
      // What a tool gave the program beside its result.
      if (block.name === 'toolUseResult') return [];
      return [
        {
          type: 'other',
          category: /tool/.test(block.name) ? 'tool_outputs' : category,
          label: excerpt(block.name),
          tokens: valueTokens(block.json),
        },
      ];
    default:
      return [];
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

export function resultPart({ of, output, offloaded }: Result): FoundPart {
  const isPreview = offloaded === undefined || (typeof output === 'string' && output.startsWith('<persisted-output>'));
  const tokens = outputTokens(output);
  return {
    type: 'result',
    category: 'tool_outputs',
    label: 'result',
    tokens: isPreview ? tokens : Math.min(tokens, PREVIEW_TOKENS),
    call: of,
  };
}
