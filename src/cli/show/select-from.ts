import type { Session } from '../../history/index.ts';
import type { LogRecord } from '../../model/index.ts';
import { findSubagent } from '../find-session.ts';
import type { Selection } from './index.ts';

/** From a record on: in the thread to show first, if the record is in it. */
export function selectFrom(session: Session, { id, subagent }: LogRecord): Selection {
  const from = { session, from: id };
  if (subagent !== null) return { ...from, thread: null, subagent: findSubagent(session, subagent) };
  const threads = [session.defaultThread, ...session.threads].filter((thread) => thread !== null);
  return { ...from, subagent: null, thread: threads.find((thread) => thread.has(id)) ?? null };
}
