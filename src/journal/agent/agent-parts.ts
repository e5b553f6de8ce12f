import { SkeinError } from '../../model/index.ts';
import type { CompactionSettings } from '../compaction.ts';
import type { SessionManager } from '../session-manager.ts';
import type { ResultOf, SessionEvent } from './events.ts';
import type { Summarizer } from './summarizer.ts';

/** What the flows of an `AgentSession` work with. */
export interface AgentParts {
  readonly session: SessionManager;
  readonly summarizer: Summarizer | null;
  /** Tokens that the model of the summarizer takes in. */
  readonly contextWindow: number;
  readonly compaction: CompactionSettings;
  readonly signal: AbortSignal;
  /** Rejects when `signal` says stop. */
  emit<E extends SessionEvent>(event: E): Promise<ResultOf<E> | undefined>;
}

export function needSummarizer(summarizer: Summarizer | null): Summarizer {
  if (summarizer) return summarizer;
  throw new SkeinError('bad_input', 'No model available for summarization: give the AgentSession a summarizer');
}

/** A summary is written for one place; if the session left it meanwhile, nothing may be moved or cut there. */
export function holdPlace({ session, signal }: AgentParts): () => void {
  const [leaf, id] = [session.getLeafId(), session.getSessionId()];
  return () => {
    signal.throwIfAborted();
    if (session.getLeafId() === leaf && session.getSessionId() === id) return;
    throw new SkeinError('busy', 'The session went on meanwhile: nothing was changed, try again');
  };
}
