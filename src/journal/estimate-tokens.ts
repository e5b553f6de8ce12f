import { writeJson } from '../model/index.ts';
import { messageOf, type SessionEntry } from './entries.ts';
import type { AgentMessage, Usage } from './messages.ts';
import { listOf, textOf } from './values.ts';

const CHARS_PER_TOKEN = 4;
const IMAGE_CHARS = 4800;

/** A guess at how many tokens a message takes, rather too high. */
export function estimateTokens(message: AgentMessage): number {
  return Math.ceil(charsOf(message) / CHARS_PER_TOKEN);
}

function charsOf(message: AgentMessage): number {
  switch (message.role) {
    case 'system': {
      const sections = Object.values(message.sections ?? {}).reduce((sum, text) => sum + lengthOf(text), 0);
      const tools = message.toolsAdded ? writeJson(message.toolsAdded).length : 0;
      return contentChars(message.content) + sections + tools;
    }
    case 'bashExecution':
      return lengthOf(message.command) + lengthOf(message.output);
    case 'branchSummary':
    case 'compactionSummary':
      return lengthOf(message.summary);
    case 'fileMention':
      return listOf(message.files).reduce((sum, file) => sum + lengthOf(file.path) + lengthOf(file.content), 0);
    case 'user':
    case 'assistant':
    case 'toolResult':
    case 'custom':
      return contentChars(message.content);
    default:
      return 0;
  }
}

type Content = Extract<AgentMessage, { role: 'user' | 'assistant' | 'toolResult' | 'custom' }>['content'];

function contentChars(content: Content): number {
  if (!Array.isArray(content)) return lengthOf(content);
  let chars = 0;
  for (const block of listOf<(typeof content)[number]>(content)) {
    if (block.type === 'text') chars += lengthOf(block.text);
    else if (block.type === 'thinking') chars += lengthOf(block.thinking);
    else if (block.type === 'toolCall') chars += lengthOf(block.name) + lengthOf(writeJson(block.arguments ?? null));
    else if (block.type === 'image') chars += IMAGE_CHARS;
  }
  return chars;
}

const lengthOf = (text: unknown): number => textOf(text).length;

/** What the window held when this usage was counted. */
export const calculateContextTokens = (usage: Usage): number =>
  usage.totalTokens || usage.input + usage.output + usage.cacheRead + usage.cacheWrite;

/** Of an answer that came to its end, and says something. */
export function usageOf(message: AgentMessage | null): Usage | undefined {
  if (message?.role !== 'assistant' || message.stopReason === 'aborted' || message.stopReason === 'error')
    return undefined;
  return message.usage && calculateContextTokens(message.usage) > 0 ? message.usage : undefined;
}

export function getLastAssistantUsage(entries: readonly SessionEntry[]): Usage | undefined {
  const last = entries.findLast((entry) => usageOf(messageOf(entry)));
  return last && usageOf(messageOf(last));
}
