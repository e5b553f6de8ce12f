import type { LogRecord } from './record.ts';

/** What a human asked for: in words, or by a command of their own (H4). */
export const isPrompt = ({ origin, kind, hidden }: LogRecord): boolean =>
  !hidden && (origin === 'human' || kind === 'user_defined_command');
