import type { CompactionPreparation } from '../compaction.ts';
import type { BranchSummaryEntry, CompactionEntry, SessionEntry } from '../entries.ts';
import type { AgentMessage, Usage } from '../messages.ts';
import type { ExtensionCommandContext } from './extension-context.ts';

/** What a navigation is about to do. */
export interface TreePreparation {
  targetId: string;
  oldLeafId: string | null;
  /** The deepest entry above both; null if there is none. */
  commonAncestorId: string | null;
  /** What is left behind: from below the common ancestor down to the old leaf. */
  entriesToSummarize: SessionEntry[];
  userWantsSummary: boolean;
  customInstructions?: string | undefined;
  /** The custom instructions stand instead of the usual ones, not after them. */
  replaceInstructions?: boolean | undefined;
  label?: string | undefined;
}

export interface SessionBeforeSwitchEvent {
  type: 'session_before_switch';
  reason: 'new' | 'resume';
  targetSessionFile?: string | undefined;
}

export interface SessionSwitchEvent {
  type: 'session_switch';
  reason: 'new' | 'resume';
  previousSessionFile: string | undefined;
}

export interface SessionBeforeBranchEvent {
  type: 'session_before_branch';
  entryId: string;
}

export interface SessionBranchEvent {
  type: 'session_branch';
  previousSessionFile: string | undefined;
}

export interface SessionBeforeTreeEvent {
  type: 'session_before_tree';
  preparation: TreePreparation;
  signal: AbortSignal;
}

export interface SessionTreeEvent {
  type: 'session_tree';
  /** Where the leaf really is: a summary or a label may hang on the place that was chosen. */
  newLeafId: string | null;
  oldLeafId: string | null;
  summaryEntry?: BranchSummaryEntry | undefined;
  /** Undefined without a summary. */
  fromExtension?: boolean | undefined;
}

export interface SessionBeforeCompactEvent {
  type: 'session_before_compact';
  preparation: CompactionPreparation;
  branchEntries: SessionEntry[];
  customInstructions?: string | undefined;
  signal: AbortSignal;
}

export interface SessionCompactingEvent {
  type: 'session.compacting';
  sessionId: string;
  /** What the summary will be made of. */
  messages: AgentMessage[];
}

export interface SessionCompactEvent {
  type: 'session_compact';
  compactionEntry: CompactionEntry;
  fromExtension: boolean;
}

export interface SessionShutdownEvent {
  type: 'session_shutdown';
}

export interface CancelResult {
  cancel?: boolean;
}

export interface SessionBeforeBranchResult extends CancelResult {
  /** The messages of the agent stay as they are. */
  skipConversationRestore?: boolean;
}

export interface SessionBeforeTreeResult extends CancelResult {
  /** Stands instead of what the summarizer would write; only if a summary was asked for. */
  summary?: { summary: string; details?: unknown; usage?: Usage };
  customInstructions?: string;
  replaceInstructions?: boolean;
  label?: string;
}

export interface SessionBeforeCompactResult extends CancelResult {
  compaction?: {
    summary: string;
    firstKeptEntryId: string;
    tokensBefore: number;
    details?: unknown;
    usage?: Usage;
  };
}

export interface SessionCompactingResult {
  /** Told to the summarizer beside the conversation. */
  context?: string[];
  /** Stands instead of the usual instructions. */
  prompt?: string;
  /** Kept with the compaction. */
  preserveData?: Record<string, unknown>;
}

/** Every event, and what its handlers may answer. */
export interface SessionEvents {
  session_before_switch: { event: SessionBeforeSwitchEvent; result: CancelResult };
  session_switch: { event: SessionSwitchEvent; result: undefined };
  session_before_branch: { event: SessionBeforeBranchEvent; result: SessionBeforeBranchResult };
  session_branch: { event: SessionBranchEvent; result: undefined };
  session_before_tree: { event: SessionBeforeTreeEvent; result: SessionBeforeTreeResult };
  session_tree: { event: SessionTreeEvent; result: undefined };
  session_before_compact: { event: SessionBeforeCompactEvent; result: SessionBeforeCompactResult };
  'session.compacting': { event: SessionCompactingEvent; result: SessionCompactingResult };
  session_compact: { event: SessionCompactEvent; result: undefined };
  session_shutdown: { event: SessionShutdownEvent; result: undefined };
}

export type SessionEventType = keyof SessionEvents;

export type SessionEvent = SessionEvents[SessionEventType]['event'];

export type ResultOf<E extends SessionEvent> = SessionEvents[E['type']]['result'];

// biome-ignore lint/suspicious/noConfusingVoidType: a handler that answers nothing need not say so.
type Answer<T> = T | undefined | null | void;

export type SessionEventHandler<T extends SessionEventType> = (
  event: SessionEvents[T]['event'],
  context: ExtensionCommandContext,
) => Answer<SessionEvents[T]['result']> | Promise<Answer<SessionEvents[T]['result']>>;
