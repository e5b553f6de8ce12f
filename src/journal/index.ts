export {
  AgentSession,
  type AgentSessionOptions,
} from './agent/agent-session.ts';
export type { BranchResult } from './agent/branch-session.ts';
export type { CompactResult } from './agent/compact-session.ts';
export type { HandlerFailure } from './agent/event-handlers.ts';
export type * from './agent/events.ts';
export type { ExtensionCommandContext, SwitchResult } from './agent/extension-context.ts';
export { HttpSummarizer, type HttpSummarizerOptions } from './agent/http-summarizer.ts';
export { collectEntriesForBranchSummary, type LeftEntries } from './agent/left-entries.ts';
export type { NavigateTreeOptions, NavigateTreeResult } from './agent/navigate-tree.ts';
export type { Summarizer } from './agent/summarizer.ts';
export type { SessionTreeNode } from './build-tree.ts';
export {
  type CompactionPreparation,
  type CompactionSettings,
  type CutPointResult,
  DEFAULT_COMPACTION_SETTINGS,
  findCutPoint,
  findTurnStartIndex,
  prepareCompaction,
  shouldCompact,
} from './compaction.ts';
export {
  buildContextEntries,
  buildSessionContext,
  buildSessionProjection,
  getLatestCompactionEntry,
  type ProjectedSessionEntry,
  type SessionContext,
  type SessionProjection,
} from './context.ts';
export { sessionEntryToContextMessages } from './context-messages.ts';
export type * from './entries.ts';
export { CURRENT_SESSION_VERSION, LEAF_ENTRY } from './entries.ts';
export { calculateContextTokens, estimateTokens, getLastAssistantUsage } from './estimate-tokens.ts';
export { findMostRecentSession } from './find-session.ts';
export type { JournalFinding } from './findings.ts';
export {
  type ConvertedThread,
  convertThread,
  ORIGIN_ENTRY,
  type ThreadSource,
} from './from-records/convert-thread.ts';
export type { Loss } from './from-records/losses.ts';
export { assertValidSessionId } from './ids.ts';
export type { FileOperations } from './list-files.ts';
export { loadEntriesFromFile, parseSessionEntries } from './load-entries.ts';
export type * from './messages.ts';
export { migrateSessionEntries } from './migrate.ts';
export { convertToLlm } from './model-messages.ts';
export { getDefaultSessionDir } from './paths.ts';
export { migrateFile } from './rewrite-file.ts';
export { saveSession } from './save-session.ts';
export type { SessionInfo, SessionListProgress } from './session-info.ts';
export { type NewSessionOptions, type ReadonlySessionManager, SessionManager } from './session-manager.ts';
