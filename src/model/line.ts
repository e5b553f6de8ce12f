import type { CallId, Key, LineRef, SubagentId } from './ids.ts';
import type { Warning } from './warning.ts';

/**
 * One line of a log, as its format reads it: what it *is* and what it *names*. It knows no other line.
 * What depends on other lines is resolved by `tree/`.
 */
export type Line = ChainLine | QueueLine | BookkeepingLine | ReportedLine;

export interface ChainLine {
  readonly in: 'chain';
  readonly ref: LineRef;
  readonly key: Key;
  readonly parent: Key | null;
  readonly edge: Edge;
  /** For a record one of `Kind`; for an annotation a free name such as `system/turn_duration`. */
  readonly kind: Kind;
  readonly place: Place;
  /** Epoch milliseconds. */
  readonly time: number | null;
  /** `null` on the main line, `INLINE` for a sub-agent without an id of its own. */
  readonly subagent: SubagentId | null;
  readonly origin: Origin | null;
  readonly calls: readonly CallName[];
  readonly usage: Usage | null;
  /** Why the model stopped, where the line says it. */
  readonly stop: string | null;
  /** Equal digests mean equal type and content; what copies change (session id, parent) is left out. */
  readonly digest: number;
  readonly env: Env;
  readonly more: More | null;
  readonly warnings: readonly Warning[];
}

/** One step of a prompt that waited in a queue. It has no id and no parent of its own: it stands where it was written. */
export interface QueueLine extends Omit<ChainLine, 'in'> {
  readonly in: 'queue';
  readonly op: 'enqueue' | 'dequeue' | 'remove' | 'clear';
  /** No text: there is nothing to show. */
  readonly empty: boolean;
}

/** Titles, summaries, active leaf, modes, snapshots: outside the chain. */
export interface BookkeepingLine {
  readonly in: 'bookkeeping';
  readonly ref: LineRef;
  readonly fact: Fact;
  readonly warnings: readonly Warning[];
}

/** Not a JSON object, or torn: kept by reference and counted. */
export interface ReportedLine {
  readonly in: 'report';
  readonly ref: LineRef;
  readonly warnings: readonly Warning[];
}

/** parentUuid | logicalParentUuid, firstKeptEntryId | forkedFrom, parentSession */
export type Edge = 'parent' | 'compaction' | 'fork';

/** How a line takes part in the tree. Holds in any order of arrival. */
export type Place =
  | { readonly as: 'record' }
  /**
   * One record with every line of the same sub-agent that names the same id, but for those behind a prompt, unless they name the same
   * request too. `request` is a digest of its id; 0: it is not known.
   */
  | { readonly as: 'part'; readonly of: string; readonly request: number }
  /**
   * Belongs to the record it answers: its parent, or with no parent (or `before`) the record written before it, or (`either`) one of
   * both, if that is one of the kinds in `of`. `makes` is the kind that record then has. With nothing to answer it is what `otherwise` says.
   */
  | {
      readonly as: 'reply';
      readonly to: 'parent' | 'before' | 'either';
      readonly of: readonly Kind[];
      readonly makes: Kind | null;
      readonly otherwise: 'record' | 'annotation';
    }
  /** Results of calls (`body`: instructions a call brought in). A record of its own while a call is unknown, or when `text` says that a human speaks in it too. */
  | { readonly as: 'result'; readonly of: readonly ResultOf[]; readonly text: boolean; readonly body: boolean }
  /**
   * Skipped: its children hang on the nearest kept record above. `joins: false`: may never connect two sessions (H7).
   * `gathers`: all its children are one line, whatever their parents say (H14).
   */
  | { readonly as: 'annotation'; readonly joins: boolean; readonly gathers: boolean };

export interface ResultOf {
  readonly call: CallId;
  readonly isError: boolean;
}

export type Kind =
  | 'user'
  | 'built_in_command'
  | 'user_defined_command'
  | 'bash'
  | 'assistant'
  | 'compaction'
  | 'branch_summary'
  | 'teammate'
  | 'notification'
  | 'custom'
  | (string & {});

/** Who speaks in a user record. Only `human` is a human prompt; `agent` is the prompt a sub-agent was started with. */
export type Origin = 'human' | 'interruption' | 'memory' | 'agent';

/** A tool call named by a line. `tokens` are what a sub-agent started by it can be recognised by, best first. */
export interface CallName {
  readonly id: CallId;
  readonly name: string;
  readonly tokens: readonly string[];
}

/** Equal keys count once over everything; the greatest output wins. */
export interface Usage {
  readonly key: string;
  readonly model: string;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
  /** What the agent itself wrote down. */
  readonly costUsd: number | null;
  /** Answered by the faster, dearer service. */
  readonly fast?: true;
  /** Carried over with what was copied from another session: counted there, as long as that is there. */
  readonly isCopy?: true;
}

/** A response that is not that of the line which tells of it: of a model that was asked for advice, or of a sub-agent. */
export interface Spent {
  readonly usage: Usage;
  readonly time: number | null;
  /** Its own log says it too, where that is there. */
  readonly isSubagent?: true;
}

/** State of the writing process; equal neighbours share one object. */
export interface Env {
  readonly cwd: string | null;
  readonly gitBranch: string | null;
  readonly slug: string | null;
  readonly version: string | null;
  /** The session id written in the line, which may not be that of the file. */
  readonly session: string | null;
}

/** What only few lines have. */
export interface More {
  /** A copy that says where it was copied from. */
  readonly forked?: boolean;
  /** The line it was copied from, where that has another id. */
  readonly copyOf?: Key;
  /** Injected text that was split off what the human typed. */
  readonly injected?: readonly string[];
  /** Says which sub-agent a call started. */
  readonly links?: readonly Link[];
  /** What a sub-agent that begins with this line can be recognised by. */
  readonly tokens?: readonly string[];
  /** A sub-agent that begins with this line is housekeeping of the agent and shown in no view. */
  readonly helper?: boolean;
  readonly facts?: readonly Fact[];
  /** A prompt that was taken out of the queue and given to the model between two steps. */
  readonly queued?: boolean;
  /** Has no parent of its own and stands where it was written. */
  readonly loose?: boolean;
  /** Shown nowhere unless asked for. */
  readonly hidden?: boolean;
  /** A prompt without words: blank, of images only, or the mere name of a command. A session is not called by it. */
  readonly wordless?: boolean;
  readonly spent?: readonly Spent[];
  /** Counted as reported although it takes part in the chain (too long to be parsed whole). */
  readonly reported?: boolean;
}

export interface Link {
  readonly call: CallId;
  readonly token: string;
  /** Of several links the one with the lowest rank is believed. */
  readonly rank: number;
}

/** `about`: the record it speaks of, if any. The types the tree itself uses: `title`, `summary`, `leaf`, `label`, `worktree`, `session`, `subagent`. Views use `clear`: the window was emptied there. */
export interface Fact {
  readonly type: string;
  readonly about: Key | null;
  readonly value: unknown;
  readonly ref: LineRef;
}
