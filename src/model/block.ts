import type { CallId, LineRef } from './ids.ts';
import type { LogRecord } from './record.ts';

/** Content of one line, read when a view needs it. */
export type Block = { readonly at: LineRef } & (
  | {
      readonly type: 'text';
      readonly text: string;
      /** The model did not answer, and this is why. */
      readonly error?: true;
      /** The line could not be read: nobody said this, it stands in the place of what was said, and says why. */
      readonly unreadable?: true;
    }
  | { readonly type: 'thinking'; readonly text: string }
  /** Text the agent put into a prompt, not typed by the human. */
  | { readonly type: 'injected'; readonly name: string; readonly text: string }
  | { readonly type: 'command'; readonly name: string; readonly args: string }
  /** What the agent itself had to say; `level` is `info`, `warning`, `error` … where the log says it. */
  | { readonly type: 'system'; readonly subtype: string; readonly level: string | null; readonly text: string }
  | { readonly type: 'output'; readonly stream: 'stdout' | 'stderr'; readonly text: string }
  | { readonly type: 'call'; readonly id: CallId; readonly name: string; readonly input: unknown }
  | {
      readonly type: 'result';
      readonly of: CallId;
      readonly output: unknown;
      readonly detail?: unknown;
      readonly isError: boolean;
      /** The human did not let the call happen. */
      readonly rejected?: true;
      /** As of a text: the output is why it could not be read. */
      readonly unreadable?: true;
      /** Too long for the log: the output is a preview, the whole lies in a file of this name beside the session. */
      readonly offloaded?: string;
    }
  /** From another agent of the same team. */
  | { readonly type: 'teammate'; readonly from: string; readonly summary: string; readonly text: string }
  /** A task in the background says how it stands; `text` is all it says, `result` what it ended with. */
  | {
      readonly type: 'notification';
      readonly task: string | null;
      readonly call: CallId | null;
      readonly status: string;
      readonly summary: string;
      readonly result: string | null;
      readonly usage?: TaskUsage;
      /** Where the agent put what the task said, on the machine it ran on. */
      readonly transcript?: string;
      readonly text: string;
    }
  /** The window was emptied: who asked for it, and the tokens in it before and after, where the log says so. */
  | {
      readonly type: 'compaction';
      readonly trigger: string | null;
      readonly before: number | null;
      readonly after: number | null;
    }
  | { readonly type: 'image'; readonly media: string; readonly data: string }
  | { readonly type: 'unknown'; readonly name: string; readonly json: unknown }
);

/** What a task in the background used, as the agent counts it. */
export interface TaskUsage {
  readonly tokens: number | null;
  readonly toolUses: number | null;
  readonly durationMs: number | null;
}

export type CallBlock = Block & { readonly type: 'call' };
export type ResultBlock = Block & { readonly type: 'result' };

/** What a record says: its own lines, the lines that answer it, and what its calls gave. */
export interface RecordContent {
  readonly own: readonly Block[];
  /** Output of a command, its expanded prompt, the second half of a compaction. */
  readonly replies: readonly Block[];
  readonly results: ReadonlyMap<CallId, CallResult>;
  /** As many as the record has annotations, in their order. */
  readonly annotations: readonly (readonly Block[])[];
}

export interface CallResult {
  readonly block: ResultBlock;
  readonly time: number | null;
  /** Further results of the same call. */
  readonly more: readonly ResultBlock[];
  /** Instructions the call brought into the conversation (a skill's text). */
  readonly body: readonly Block[];
}

/** Stands in the place of a line that could not be read. */
export const isUnreadable = (block: Block): boolean => 'unreadable' in block && block.unreadable === true;

/** All that a call gave, the one that counts first. */
export const resultBlocks = ({ block, more }: CallResult): readonly ResultBlock[] => [block, ...more];

/** Synchronous: the caller has fetched the window it shows. */
export type ContentOf = (record: LogRecord) => RecordContent;
