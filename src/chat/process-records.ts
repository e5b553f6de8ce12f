import type { LogRecord } from '../model/index.ts';
import type { Process } from './types.ts';

const own = new WeakMap<Process, readonly LogRecord[]>();

export const keepRecords = (process: Process, records: readonly LogRecord[]): void => void own.set(process, records);

/** The records of some sub-agents, and of all that these started. */
export const recordsOf = (processes: readonly Process[]): LogRecord[] =>
  processes.flatMap((process) => [
    ...(own.get(process) ?? []),
    ...process.conversation.items.flatMap((item) => (item.type === 'ai' ? recordsOf(item.group.processes) : [])),
  ]);
