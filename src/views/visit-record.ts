import type { LogRecord, RecordContent } from '../model/index.ts';

/** A record with what it says. */
export interface RecordEntry {
  readonly record: LogRecord;
  readonly content: RecordContent;
}

/** One method per kind of record (H21): a new output is a new visitor, and no record knows of it. Kinds nobody knows yet are `custom`. */
export interface RecordVisitor<Out> {
  user(entry: RecordEntry): Out;
  builtInCommand(entry: RecordEntry): Out;
  userDefinedCommand(entry: RecordEntry): Out;
  bash(entry: RecordEntry): Out;
  assistant(entry: RecordEntry): Out;
  compaction(entry: RecordEntry): Out;
  branchSummary(entry: RecordEntry): Out;
  teammate(entry: RecordEntry): Out;
  notification(entry: RecordEntry): Out;
  custom(entry: RecordEntry): Out;
}

export function visitRecord<Out>(entry: RecordEntry, visitor: RecordVisitor<Out>): Out {
  switch (entry.record.kind) {
    case 'user':
      return visitor.user(entry);
    case 'built_in_command':
      return visitor.builtInCommand(entry);
    case 'user_defined_command':
      return visitor.userDefinedCommand(entry);
    case 'bash':
      return visitor.bash(entry);
    case 'assistant':
      return visitor.assistant(entry);
    case 'compaction':
      return visitor.compaction(entry);
    case 'branch_summary':
      return visitor.branchSummary(entry);
    case 'teammate':
      return visitor.teammate(entry);
    case 'notification':
      return visitor.notification(entry);
    default:
      return visitor.custom(entry);
  }
}
