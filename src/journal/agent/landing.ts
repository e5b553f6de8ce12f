import { messageOf, type SessionEntry } from '../entries.ts';
import type { ReadonlySessionManager } from '../session-manager.ts';
import { contentText } from '../values.ts';

export interface Landing {
  readonly leafId: string | null;
  /** What was said there goes back into the editor. */
  readonly editorText?: string;
}

/** Where the leaf goes when this entry is chosen: what a human said is said anew, from the entry above it. */
export function landingOf(session: Pick<ReadonlySessionManager, 'getBranch'>, target: SessionEntry): Landing {
  const said = spokenText(target);
  return said === null ? { leafId: target.id } : { leafId: parentIdOf(session, target.id), editorText: said };
}

/** The entry really above it: a parent may be missing, or the way to it go round. */
export const parentIdOf = (session: Pick<ReadonlySessionManager, 'getBranch'>, id: string): string | null =>
  session.getBranch(id).at(-2)?.id ?? null;

function spokenText(entry: SessionEntry): string | null {
  if (entry.type === 'custom_message') return contentText(entry.content, '');
  return userText(entry);
}

/** Null: not a user message. */
export function userText(entry: SessionEntry): string | null {
  const message = messageOf(entry);
  return message?.role === 'user' ? contentText(message.content, '') : null;
}
