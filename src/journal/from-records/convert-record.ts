import { type Block, type LogRecord, ownBlocks, type RecordContent } from '../../model/index.ts';
import type { SessionEntry, SessionEntryBase } from '../entries.ts';
import type { AgentMessage } from '../messages.ts';
import { convertAnswer } from './convert-answer.ts';
import { saidContent } from './convert-blocks.ts';
import type { Losses } from './losses.ts';

/** An entry without its place in the session. */
export type EntryFields = SessionEntry extends infer Each
  ? Each extends SessionEntry
    ? Omit<Each, Exclude<keyof SessionEntryBase, 'type'>>
    : never
  : never;

/** What a record becomes: one entry, or several, or none. A compaction keeps nothing: whoever places it names itself as the first kept. */
export function convertRecord(
  record: LogRecord,
  content: RecordContent,
  time: number,
  losses: Losses,
): readonly EntryFields[] {
  // What has no id of its own was split off a prompt, and is met again there.
  for (const { kind, key } of record.annotations) if (key !== null) losses.add(`annotations (${kind})`);
  if (record.hidden) {
    losses.add('hidden records');
    return [];
  }
  const message = (said: AgentMessage): EntryFields => ({ type: 'message', message: said });
  const all = [...ownBlocks(record, content), ...content.replies];
  switch (record.kind) {
    case 'assistant':
      return convertAnswer(record, content, time, losses).map(message);
    case 'user':
    case 'user_defined_command':
      return [message({ role: 'user', content: saidContent(all, losses), timestamp: time })];
    case 'bash':
      return [message(bashMessage(all, time))];
    case 'compaction': {
      const before = all.find((block) => block.type === 'compaction')?.before ?? 0;
      // Claude Code says first that it compacted, then the summary.
      const summary = textIn(content.replies) || textIn(content.own);
      return [{ type: 'compaction', summary, firstKeptEntryId: '', tokensBefore: before }];
    }
    case 'branch_summary':
      return [{ type: 'branch_summary', fromId: 'root', summary: textIn(all) }];
    default:
      return [
        {
          type: 'custom_message',
          customType: `skein/${record.kind}`,
          content: saidContent(all, losses),
          display: true,
        },
      ];
  }
}

const textIn = (blocks: readonly Block[]): string =>
  blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n\n');

function bashMessage(blocks: readonly Block[], timestamp: number): AgentMessage {
  const output = blocks
    .flatMap((block) => (block.type === 'output' && block.text !== '' ? [block.text] : []))
    .join('\n');
  return {
    role: 'bashExecution',
    command: textIn(blocks),
    output,
    exitCode: undefined,
    cancelled: false,
    truncated: false,
    timestamp,
  };
}
