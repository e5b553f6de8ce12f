export type { ArchiveReader, FilePlace, KeptFile } from './archive.ts';
export {
  type Block,
  type CallBlock,
  type CallResult,
  type ContentOf,
  isUnreadable,
  type RecordContent,
  type ResultBlock,
  resultBlocks,
  type TaskUsage,
} from './block.ts';
export { type CallInTurn, callsInTurn } from './calls-in-turn.ts';
export { type Cursor, HEAD } from './cursor.ts';
export {
  bytesOver,
  codesOf,
  cutAscii,
  cutUtf8,
  decodeAscii,
  decodeCodes,
  decodeUtf8,
  encodeCodes,
  isAscii,
  isUtf8,
} from './decode-utf8.ts';
export { type ErrorCode, SkeinError } from './error.ts';
export { findBytes } from './find-bytes.ts';
export { lineFinder } from './find-line.ts';
export { fingerprint } from './fingerprint.ts';
export { mayFold, saidInLines, sortsSaid } from './fold-snapshots.ts';
export type {
  Certainty,
  CodedResult,
  FileFacts,
  Format,
  Location,
  Parsed,
  Prompt,
  PromptHistory,
  Reader,
  ReadOptions,
} from './format.ts';
export { type CallId, type FileId, INLINE, type Key, type LineRef, type SessionId, type SubagentId } from './ids.ts';
export { isPrompt } from './is-prompt.ts';
export type {
  BookkeepingLine,
  CallName,
  ChainLine,
  Edge,
  Env,
  Fact,
  Kind,
  Line,
  Link,
  More,
  Origin,
  Place,
  QueueLine,
  ReportedLine,
  ResultOf,
  Spent,
  Usage,
} from './line.ts';
export { addAll, largest } from './lists.ts';
export { ownBlocks } from './own-blocks.ts';
export { parseDay, type TimeSpan, wholeDays } from './parse-day.ts';
export { parseTime } from './parse-time.ts';
export type {
  Accounting,
  Annotation,
  Change,
  LogRecord,
  RecordLine,
  Segment,
  Session,
  Subagent,
  Thread,
  Title,
  ToolCall,
} from './record.ts';
export { sameEnv } from './same-env.ts';
export { escapeSequences, stripEscapes } from './strip-escapes.ts';
export { firstWords, TITLE_LINES } from './title-text.ts';
export { type Finding, ruleOf, type Severity, severityOf, type Warning, type WarningType } from './warning.ts';
export { isDeeper, writeJson } from './write-json.ts';
