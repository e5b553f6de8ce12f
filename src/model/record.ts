import type { CallId, FileId, Key, LineRef, SessionId, SubagentId } from './ids.ts';
import type { Edge, Env, Fact, Kind, Origin, Spent, Usage } from './line.ts';

/** What a reader sees as one thing: a prompt, an answer with its tool calls, a command with its output, a compaction. */
export interface LogRecord {
  readonly id: Key;
  /** The keys of the other lines folded into it: each finds it. */
  readonly aliases: readonly Key[];
  readonly kind: Kind;
  readonly origin: Origin | null;
  /** Typed while the agent worked and still waiting at the end of the log. */
  readonly queued: boolean;
  readonly hidden: boolean;
  readonly session: SessionId;
  readonly subagent: SubagentId | null;
  /** Nearest kept ancestor, as the log says; `Tree.path` gives the order to read in. */
  readonly parent: Key | null;
  readonly edge: Edge;
  /** Its content, in file order. */
  readonly lines: readonly RecordLine[];
  /** The same lines again in other files. */
  readonly copies: readonly LineRef[];
  readonly time: number | null;
  readonly env: Env;
  readonly calls: readonly ToolCall[];
  readonly usage: Usage | null;
  /** Further responses that its lines and annotations tell of, each once. */
  readonly spent?: readonly Spent[];
  /** The last that is not null. */
  readonly stopReason: string | null;
  readonly annotations: readonly Annotation[];
  /** Grows whenever anything above changes. */
  readonly revision: number;
}

/** `part`: a line of its own content; `reply`: the output of a command, its expanded prompt, the second half of a compaction; `queue`: a step of the queue. */
export interface RecordLine {
  readonly key: Key;
  readonly ref: LineRef;
  readonly time: number | null;
  readonly as: 'part' | 'reply' | 'queue';
  /** Of each result in it, whether its call is known; not told of a line without results. */
  readonly paired?: readonly boolean[];
}

export interface ToolCall {
  readonly id: CallId;
  readonly name: string;
  readonly at: LineRef;
  /** So many calls stand before it in its line. */
  readonly nth: number;
  readonly result: LineRef | null;
  /** Further results of the same call. */
  readonly more: readonly LineRef[];
  /** Instructions the call brought into the conversation (a skill's text). */
  readonly body: LineRef | null;
  readonly isError: boolean;
  readonly subagents: readonly SubagentId[];
}

/** A line that is skipped in the conversation and kept readable at the record above it. `key` is null for text split off a prompt. */
export interface Annotation {
  readonly key: Key | null;
  readonly parent: Key | null;
  readonly kind: string;
  readonly ref: LineRef;
  readonly time: number | null;
}

export interface Session {
  readonly id: SessionId;
  /** Every native session id (file stem, header id) that leads here. */
  readonly aliases: readonly string[];
  readonly project: string;
  readonly format: string;
  /** Main files, in reading order; sub-agents name their own. */
  readonly files: readonly FileId[];
  readonly roots: readonly Key[];
  /** The record the log names as active. */
  readonly leaf: Key | null;
  /** Newest first. */
  readonly threads: readonly Thread[];
  /** The thread to show first (H15). */
  readonly defaultThread: Key | null;
  readonly subagents: readonly Subagent[];
  readonly facts: readonly Fact[];
  /** Skipped lines with no kept record above them. */
  readonly annotations: readonly Annotation[];
  readonly title: Title | null;
  readonly cwd: string | null;
  readonly gitBranch: string | null;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  /** Records over all branches, sub-agents not counted. */
  readonly recordCount: number;
  readonly revision: number;
}

/** The text itself, or the record whose first words are the title; without a prompt the first words of any of these records. */
export type Title =
  | { readonly from: 'custom' | 'generated' | 'summary' | 'slug'; readonly text: string }
  | { readonly from: 'prompt'; readonly record: Key }
  | { readonly from: 'anything'; readonly records: readonly Key[] };

/** One path from root to leaf. Its id is its first record after the fork, so it does not change while the thread grows. */
export interface Thread {
  readonly id: Key;
  readonly fork: Key | null;
  readonly leaf: Key;
  readonly resumeId: string;
  readonly summary: string | null;
  readonly gitBranch: string | null;
  readonly time: number | null;
  readonly recordCount: number;
}

/** The records from one branch point (or the beginning) to the next (or a leaf). */
export interface Segment {
  readonly records: readonly Key[];
  readonly children: readonly Segment[];
}

export interface Subagent {
  readonly id: SubagentId;
  readonly spawn: { readonly record: Key; readonly call: CallId } | null;
  readonly within: SubagentId | null;
  readonly roots: readonly Key[];
  readonly files: readonly FileId[];
  readonly sort: 'task' | 'teammate' | 'workflow' | 'inline' | 'helper';
  /** Warm-ups, compaction helpers and stubs: counted, shown in no view. */
  readonly hidden: boolean;
  readonly recordCount: number;
  readonly time: number | null;
}

/** What one `add` did. A view is brought up to date with it. */
export interface Change {
  readonly revision: number;
  readonly added: readonly Key[];
  readonly changed: readonly Key[];
  readonly removed: readonly Key[];
  readonly sessions: readonly SessionId[];
  readonly merged: readonly { readonly from: SessionId; readonly into: SessionId }[];
}

/** Where the lines went (H23). The five add up to the lines read. */
export interface Accounting {
  readonly records: number;
  readonly folded: number;
  readonly annotations: number;
  readonly bookkeeping: number;
  readonly reported: number;
}
