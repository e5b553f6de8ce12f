export { type Check, checkProject, sumChecks, unreadable } from './check-project.ts';
export { openDemo } from './demo.ts';
export { bestMatches, History, type HistoryOptions, isPath, only } from './history.ts';
export { LineReader } from './line-reader.ts';
export {
  archivedIn,
  eachSession,
  listSessions,
  newestFirst,
  type SessionQuery,
  type SessionRow,
  sessionRow,
  type ThreadRow,
  type TimeRange,
  threadRow,
  withRecovered,
} from './list-sessions.ts';
export type { Logs } from './logs.ts';
export type { Project } from './project.ts';
export { readOffloaded } from './read-offloaded.ts';
export { joinPrompts, Session, Thread } from './session.ts';
export type { StoredTrees, TreePlace } from './stored-trees.ts';
export { findingOf, type Unread } from './unread.ts';
