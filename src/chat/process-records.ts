import type { LogRecord } from '../model/index.ts';
import type { Process } from './types.ts';

const own = new WeakMap<Process, readonly LogRecord[]>();

export const keepRecords = (process: Process, records: readonly LogRecord[]): void => void own.set(process, records);

/** The records of some sub-agents, and of all that these started. */
export function recordsOf(processes: readonly Process[]): LogRecord[] {
  const found: LogRecord[] = [];
  // One list for all: handed up level by level, a record would be copied as often as there are levels above it.
  const collect = (process: Process): void => {
    for (const record of own.get(process) ?? []) found.push(record);
    for (const item of process.conversation.items) if (item.type === 'ai') item.group.processes.forEach(collect);
  };
  processes.forEach(collect);
  return found;
}
