import type { LogRecord } from '../model/index.ts';

/** What becomes of a record in the chat; `noise` stays out of it. */
export type Category = 'noise' | 'compact' | 'user' | 'command' | 'ai' | 'system';

/** By the kinds of the tree, never by its own look at texts (C2). `command`: a user item, and a system item when it says something. */
export function classify(record: LogRecord): Category {
  if (record.hidden) return 'noise';
  switch (record.kind) {
    case 'compaction':
    case 'branch_summary':
      return 'compact';
    case 'built_in_command':
    case 'user_defined_command':
    case 'bash':
      return 'command';
    case 'user':
      // Results whose call is unknown come from nobody; an interruption belongs to what it interrupts.
      return record.origin === null || record.origin === 'interruption' ? 'ai' : 'user';
    case 'assistant':
    case 'teammate':
    case 'notification':
      return 'ai';
    default:
      return 'system';
  }
}
