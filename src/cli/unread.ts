import type { History, Session } from '../history/index.ts';
import { warn } from '../terminal/output.ts';

const histories: History[] = [];
const sessions: Session[] = [];
const told = new Set<string>();
let isMissing = false;

/** What is read from it is looked at when the command is over. */
export function watchHistory(history: History): History {
  histories.push(history);
  return history;
}

/** The one that was asked for: where there is one, only what is missing of it is a failure. */
export function watchSession(session: Session): Session {
  sessions.push(session);
  return session;
}

/** On the error stream, each thing once. */
export function tell(message: string): void {
  if (told.has(message)) return;
  told.add(message);
  warn(message);
}

/** The same of something that was asked for: the command fails, once it is over. */
export function tellMissing(message: string): void {
  tell(message);
  isMissing = true;
}

/** Once per file. Something that was asked for and could not be read is no success, though everything else was shown. */
export function tellUnread(): void {
  const all = histories.flatMap(({ unread }) => unread);
  const own = sessions.flatMap(({ unread }) => unread);
  for (const { message } of [...own, ...all]) tell(message);
  const missing = sessions.length > 0 ? own : all;
  if (isMissing || missing.length > 0) process.exitCode = UNREAD;
}

const UNREAD = 2;
