import type { Block, LogRecord } from '../model/index.ts';
import type { Part } from './read-part.ts';
import type { NotificationItem } from './types.ts';

/** A task in the background that said how it ended. */
export interface Told {
  /** Of the notification. */
  readonly id: string;
  readonly task: string | null;
  readonly call: string | null;
}

/** The notifications in the parts of a group that say what came out. */
export function toldIn(parts: readonly Part[]): Told[] {
  const told: Told[] = [];
  for (const part of parts) {
    if (part.record.kind !== 'notification') continue;
    part.content.own.forEach((block, i) => {
      if (block.type === 'notification' && block.result !== null)
        told.push({ id: `${part.record.id}:${i}`, task: block.task, call: block.call });
    });
  }
  return told;
}

/** `isShown`: the sub-agent is there, and with it its answer. */
export function notificationOf(
  block: Block & { type: 'text' | 'notification' },
  record: LogRecord,
  id: string,
  timestamp: Date,
  isShown: boolean,
): NotificationItem {
  if (block.type === 'text') return { id, status: '', summary: block.text.trim() || record.kind, timestamp };
  return {
    id,
    ...(block.task === null ? {} : { taskId: block.task }),
    ...(block.call === null ? {} : { callId: block.call }),
    status: block.status,
    summary: block.summary,
    ...(block.result === null || isShown ? {} : { result: block.result }),
    timestamp,
  };
}
