import type { CallId, Key, SessionId, Usage } from '../model/index.ts';
import type { Category, CategoryTokens } from './categories.ts';

/** Something the model has in its window. */
export interface ContextPart {
  readonly record: Key;
  /** Which message of the record it is in, counted from 0: a call's result is a message of its own. */
  readonly message: number;
  readonly role: 'user' | 'assistant' | 'tool';
  readonly type: PartType;
  readonly category: Category;
  /** Of a call, its result and its skill. */
  readonly call: CallId | null;
  /** A file, a tool with what it was asked for, or how a text begins. */
  readonly label: string;
  /** An estimate. */
  readonly tokens: number;
}

export type PartType =
  | 'text'
  | 'thinking'
  | 'call'
  | 'result'
  | 'skill'
  | 'command'
  | 'output'
  | 'teammate'
  | 'notification'
  | 'image'
  | 'file'
  | 'summary'
  | 'injected'
  | 'other';

/** One answer of the model, and the window it was given from (C15). */
export interface ResponseContext {
  readonly record: Key;
  readonly phase: number;
  readonly usage: Usage | null;
  /** What came into the window since the response before was given. */
  readonly added: readonly ContextPart[];
  /** What the response itself put there, for those after it. */
  readonly answer: readonly ContextPart[];
  /** The window it was given from: everything since the phase began, `added` included and `answer` not. */
  readonly total: CategoryTokens;
  /** What the provider counted for that window; null when the log does not say. */
  readonly reported: number | null;
  /** `reported` less `total`: the system prompt, tool descriptions, and what the estimate missed. */
  readonly notAttributed: number | null;
}

/** A stretch in which the window only grows (C14). */
export interface Phase {
  /** 2, 3, … after a compaction or a clear. */
  readonly number: number;
  readonly begins: 'start' | 'compaction' | 'clear';
  /** Its first record. */
  readonly record: Key;
  /** Tokens in the window before and after what began it: as the log says, else what the responses around it used. */
  readonly before: number | null;
  readonly after: number | null;
  /** What came into the window after its last response. */
  readonly rest: readonly ContextPart[];
  /** At its end, `rest` and the last answer included. */
  readonly total: CategoryTokens;
}

/** The window of a thread, from its beginning to its leaf. */
export interface ContextView {
  readonly session: SessionId;
  readonly thread: Key;
  readonly phases: readonly Phase[];
  readonly responses: readonly ResponseContext[];
}
