/** Ids come from the log, never from a position. The names say which id is meant; all are plain strings, as in the log. */
type Id<_Name extends string> = string;

/** Native id of a line inside its project: a uuid for Claude Code, `<session>/<entry>` for Pi, `<file stem>:<line>` for a line without one. */
export type Key = Id<'key'>;
export type CallId = Id<'call'>;
export type SubagentId = Id<'subagent'>;
export type SessionId = Id<'session'>;
/** Path of a file below its root, with `/`: the same on every machine. */
export type FileId = Id<'file'>;

/** A sub-agent whose records stand between those of its session and carry no id of their own: the tree names it by its first record. */
export const INLINE = '*' as SubagentId;

export interface LineRef {
  readonly file: FileId;
  /** Counted from 1, blank lines included. */
  readonly line: number;
  readonly offset: number;
  readonly bytes: number;
}
