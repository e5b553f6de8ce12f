import { messageOf, type SessionEntry } from './entries.ts';
import type { AgentMessage } from './messages.ts';
import { timeIn } from './values.ts';

/** What one entry puts before the model. State, labels and data of extensions put nothing. */
export function sessionEntryToContextMessages(entry: SessionEntry): AgentMessage[] {
  const messages: AgentMessage[] = [];
  addContextMessages(messages, entry);
  return messages;
}

export function addContextMessages(messages: AgentMessage[], entry: SessionEntry): void {
  switch (entry.type) {
    case 'message': {
      const message = messageOf(entry);
      if (message) messages.push(withContent(message));
      return;
    }
    case 'custom_message': {
      const { customType, display, details } = entry;
      const content = entry.content ?? [];
      messages.push({ role: 'custom', customType, content, display, details, timestamp: timeOf(entry) });
      return;
    }
    case 'branch_summary': {
      const { summary, fromId } = entry;
      if (summary) messages.push({ role: 'branchSummary', summary, fromId, timestamp: timeOf(entry) });
      return;
    }
    case 'compaction': {
      const { summary, tokensBefore, systemMessage } = entry;
      if (systemMessage) messages.push(systemMessage);
      messages.push({ role: 'compactionSummary', summary, tokensBefore, timestamp: timeOf(entry) });
    }
  }
}

/** Old and hand-made files have messages without content. */
function withContent(message: AgentMessage): AgentMessage {
  switch (message.role) {
    case 'system':
      return message.content == null ? { ...message, content: '' } : message;
    case 'user':
    case 'assistant':
    case 'toolResult':
      return message.content == null ? { ...message, content: [] } : message;
    default:
      return message;
  }
}

const timeOf = (entry: SessionEntry): number => timeIn(entry.timestamp);
