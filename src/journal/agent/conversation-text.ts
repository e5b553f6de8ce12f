import { writeJson } from '../../model/index.ts';
import { sessionEntryToContextMessages } from '../context-messages.ts';
import type { SessionEntry } from '../entries.ts';
import type { Message } from '../messages.ts';
import { convertToLlm } from '../model-messages.ts';
import { contentText, listOf, textOf } from '../values.ts';

/** Of a result the beginning is enough to know what it was. */
const RESULT_CHARS = 2000;

/** A conversation as one text: sent as messages, a model would go on with it instead of summarising it. */
export function conversationText(entries: readonly SessionEntry[]): string {
  const messages = convertToLlm(entries.flatMap(sessionEntryToContextMessages));
  return messages.flatMap(partsOf).join('\n\n');
}

function partsOf(message: Message): string[] {
  switch (message.role) {
    case 'user':
      return part('User', contentText(message.content, '\n'));
    case 'toolResult':
      return part('Tool result', shortened(contentText(message.content, '\n')));
    case 'assistant': {
      const blocks = listOf(message.content);
      const thoughts = blocks.flatMap((block) => (block.type === 'thinking' ? [textOf(block.thinking)] : []));
      const calls = blocks.flatMap((block) =>
        block.type === 'toolCall' ? [`${block.name}(${writeJson(block.arguments ?? {})})`] : [],
      );
      return [
        ...part('Assistant thinking', thoughts.join('\n')),
        ...part('Assistant', contentText(message.content, '\n')),
        ...part('Assistant tool calls', calls.join('; ')),
      ];
    }
    default:
      return [];
  }
}

const part = (who: string, text: string): string[] => (text.trim() === '' ? [] : [`[${who}]: ${text}`]);

const shortened = (text: string): string =>
  text.length <= RESULT_CHARS
    ? text
    : `${text.slice(0, RESULT_CHARS).toWellFormed()}\n[… ${text.length - RESULT_CHARS} more characters]`;
