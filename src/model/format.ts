import type { Block } from './block.ts';
import type { CallId, FileId, LineRef } from './ids.ts';
import type { Line } from './line.ts';

/** One agent's log format. A new one is a folder under `formats/` and a line in its list. */
export interface Format {
  readonly name: string;
  readonly title: string;
  /** `stored`: every record with several children is a branch point; `inferred`: only real ones are (H14). */
  readonly branches: 'stored' | 'inferred';
  /** Where its files live, as data; `sources/` interprets it. */
  readonly locations: readonly Location[];
  /** Files and folders beside the folder of projects that belong to its sessions, such as a history of prompts. */
  readonly beside?: readonly string[];
  readonly promptHistory?: PromptHistory;
  /** How surely a file is of this format, told by what its first lines say. */
  readonly sniff: (firstLines: readonly Readonly<Record<string, unknown>>[]) => Certainty;
  /** What a path below a project folder is; null: not a log. */
  readonly roleOf: (pathInProject: string) => Pick<FileFacts, 'role' | 'native' | 'session' | 'tokens'> | null;
  /** The working folder that a project folder belongs to, told from the first lines of one of its files; its name alone cannot be turned back. */
  readonly cwdOf: (firstLines: readonly string[], folder: string) => string | null;
  /** The command that goes on with a thread, run in its working folder. */
  readonly resume: (thread: { readonly resumeId: string; readonly file: string }) => readonly string[];
  readonly open: (file: FileFacts, state?: unknown, options?: ReadOptions) => Reader;
  /** A small JSON file beside a transcript. */
  readonly readSidecar?: (file: FileFacts, text: string) => Line | null;
}

/** 0: it is not; 1: others write such lines too; 2: nobody else is known to; 3: they have what only one agent writes. */
export type Certainty = 0 | 1 | 2 | 3;

/** What was typed in all sessions, in a file of its own that outlives them. */
export interface PromptHistory {
  /** Beside the folder of projects; one of `beside`. */
  readonly name: string;
  /** Null where a line is none. */
  readonly read: (line: string) => Prompt | null;
  /** The project folder of a working folder. */
  readonly folderOf: (cwd: string) => string;
  /** A log of a session that says these prompts and nothing else. */
  readonly write: (session: string, prompts: readonly Prompt[]) => string;
}

export interface Prompt {
  /** Null where a line does not say whose it is. */
  readonly session: string | null;
  readonly cwd: string | null;
  readonly time: number | null;
  readonly text: string;
}

export interface ReadOptions {
  /**
   * Whether keys, values and blocks that no known version has are named as warnings (default: yes). It costs a third of the reading;
   * the lines are the same without it, and nothing of them is lost.
   */
  readonly survey?: boolean;
  /** Whether the blocks of the lines will be asked for (default: yes). Where not, some lines throw when they are asked after the next one was read. */
  readonly blocks?: boolean;
  /**
   * Whether what tools say beside their results will be asked for (default: yes). Where not, a result may be had as `coded`, and throws when it is
   * asked for its blocks after the next line was read.
   */
  readonly details?: boolean;
}

export interface Reader {
  next(bytes: Uint8Array, ref: LineRef, cut?: boolean, torn?: boolean): Parsed;
  /** What must survive a restart (JSON). */
  readonly state: unknown;
}

/** The blocks are made when asked for: building the tree needs none of them. `next` of any reader may end what could be had (`ReadOptions`). */
export interface Parsed {
  readonly line: Line;
  /** What a line says that brings the whole output of one call and nothing else, where it was not decoded. */
  readonly coded?: CodedResult;
  blocks(): readonly Block[];
}

/** A result whose texts are codes. */
export interface CodedResult {
  readonly of: CallId;
  readonly output: unknown;
}

/** `$env` replaces `home`; `home` begins with `~/`. `projects` is the folder below it that holds one folder per project. */
export interface Location {
  readonly env: string | null;
  readonly home: string;
  readonly projects: string;
}

export interface FileFacts {
  readonly id: FileId;
  readonly path: string;
  readonly format: string;
  readonly role: 'session' | 'subagent' | 'journal' | 'sidecar';
  readonly project: string;
  /** File stem for a session, agent id for a sub-agent. */
  readonly native: string;
  /** The session a sub-agent file lies under, when its folder says so. */
  readonly session: string | null;
  /** What the sub-agent in this file can be recognised by. */
  readonly tokens: readonly string[];
  readonly branches: Format['branches'];
}
