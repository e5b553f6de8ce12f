import { messageOf, type SessionEntry } from './entries.ts';
import type { AgentMessage } from './messages.ts';
import { timeIn } from './values.ts';

/** What one entry puts before the model. State, labels and data of extensions put nothing. */
export function sessionEntryToContextMessages(entry: SessionEntry): AgentMessage[] {
  switch (entry.type) {
    case 'message': {
      const message = messageOf(entry);
      return message ? [withContent(message)] : [];
    }
    case 'custom_message': {
      const { customType, display, details } = entry;
      return [{ role: 'custom', customType, content: entry.content ?? [], display, details, timestamp: timeOf(entry) }];
    }
    case 'branch_summary':
      if (!entry.summary) return [];
      return [{ role: 'branchSummary', summary: entry.summary, fromId: entry.fromId, timestamp: timeOf(entry) }];
    case 'compaction': {
      const { summary, tokensBefore, systemMessage } = entry;
      const said: AgentMessage = { role: 'compactionSummary', summary, tokensBefore, timestamp: timeOf(entry) };
      return systemMessage ? [systemMessage, said] : [said];
    }
    default:
      return [];
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
