import { SkeinError } from '../../model/index.ts';
import { type AgentParts, holdPlace } from './agent-parts.ts';
import type { SessionBranchEvent } from './events.ts';
import { parentIdOf, userText } from './landing.ts';

export interface BranchResult {
  cancelled: boolean;
  aborted?: boolean;
  /** What the chosen message says, to be said anew; not there if it was aborted. */
  selectedText?: string;
}

export interface Branching {
  readonly result: BranchResult;
  /** Null: it was cancelled, and nothing has changed. */
  readonly event: SessionBranchEvent | null;
  readonly keepsMessages: boolean;
}

/** Goes on in a new session that ends before this user message; before the first one it is empty, and knows its parent. */
export async function branchSession(parts: AgentParts, entryId: string): Promise<Branching> {
  const { session } = parts;
  const entry = session.getEntry(entryId);
  const selectedText = entry && userText(entry);
  if (typeof selectedText !== 'string')
    throw new SkeinError('bad_input', `Invalid entry ID for branching: ${entryId} is not a user message`);
  const checkPlace = holdPlace(parts);
  const answer = await parts.emit({ type: 'session_before_branch', entryId });
  if (answer?.cancel) return { result: { cancelled: true, selectedText }, event: null, keepsMessages: true };
  checkPlace();
  const previousSessionFile = session.getSessionFile();
  const parentId = parentIdOf(session, entryId);
  if (parentId !== null) session.createBranchedSession(parentId);
  else session.newSession(previousSessionFile === undefined ? {} : { parentSession: previousSessionFile });
  return {
    result: { cancelled: false, selectedText },
    event: { type: 'session_branch', previousSessionFile },
    keepsMessages: answer?.skipConversationRestore ?? false,
  };
}
