import type { Block, CallId, LogRecord } from '../model/index.ts';
import type { Part } from './read-part.ts';
import type { NotificationItem } from './types.ts';

/** A task in the background that said how it ended. */
export interface Told {
  /** Of the notification. */
  readonly id: string;
  readonly task: string | null;
  readonly call: string | null;
}

/** The notifications in the parts of a group. */
export function toldIn(parts: readonly Part[]): Told[] {
  const told: Told[] = [];
  for (const part of parts) {
    if (part.record.kind !== 'notification') continue;
    part.content.own.forEach((block, i) => {
      if (block.type === 'notification')
        told.push({ id: `${part.record.id}:${i}`, task: block.task, call: block.call });
    });
  }
  return told;
}

/** `shown`: the call whose sub-agent is there, and with it its answer; undefined: it is not. */
export function notificationOf(
  block: Block & { type: 'text' | 'notification' },
  record: LogRecord,
  id: string,
  timestamp: Date,
  shown: CallId | null | undefined,
): NotificationItem {
  if (block.type === 'text') return { id, status: '', summary: block.text.trim() || record.kind, timestamp };
  const call = block.call ?? shown ?? null;
  return {
    id,
    ...(block.task === null ? {} : { taskId: block.task }),
    ...(call === null ? {} : { callId: call }),
    status: block.status,
    summary: block.summary,
    ...(block.result === null || shown !== undefined ? {} : { result: block.result }),
    timestamp,
  };
}
