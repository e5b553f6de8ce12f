import type { Usage as LogUsage } from '../model/index.ts';
import type {
  AgentMessage,
  AssistantMessage,
  CustomMessage,
  ImageContent,
  SystemMessage,
  TextContent,
  ToolResultMessage,
  Usage,
  UserMessage,
} from './messages.ts';

export const CURRENT_SESSION_VERSION = 3;

/** The customType of the entry that keeps the leaf where it was when the session was closed. */
export const LEAF_ENTRY = 'skein/leaf';

/** `{"type":"session","version":3,"id":"…","timestamp":"…","cwd":"/p","parentSession":"/p/parent.jsonl"}` */
export interface SessionHeader {
  type: 'session';
  /** Version 1 did not say. */
  version?: number;
  id: string;
  timestamp: string;
  cwd: string;
  /** The file this session was forked from; oh-my-pi may write its session id. */
  parentSession?: string;
  /** oh-my-pi's name for the session. */
  title?: unknown;
}

export interface SessionEntryBase {
  type: string;
  id: string;
  /** Null: a root. */
  parentId: string | null;
  timestamp: string;
  /** Written by Skein, and passed over by Pi: what the answer this one was copied from used, as it is counted there. */
  skein?: { readonly usage: LogUsage };
}

export interface SessionMessageEntry extends SessionEntryBase {
  type: 'message';
  message: AgentMessage;
}

export interface ThinkingLevelChangeEntry extends SessionEntryBase {
  type: 'thinking_level_change';
  thinkingLevel: string;
}

export interface ModelChangeEntry extends SessionEntryBase {
  type: 'model_change';
  provider: string;
  modelId: string;
  /** oh-my-pi reads `provider/modelId` here, and no entry of another role than `default` changes the model of the conversation. */
  model?: string;
  role?: string;
}

export interface UsageEntry extends SessionEntryBase {
  type: 'usage';
  kind: string;
  provider: string;
  model: string;
  usage: Usage;
  note?: string;
}

export interface CompactionEntry<T = unknown> extends SessionEntryBase {
  type: 'compaction';
  summary: string;
  /** Its own id: nothing is kept. */
  firstKeptEntryId: string;
  tokensBefore: number;
  details?: T | undefined;
  usage?: Usage | undefined;
  fromHook?: boolean | undefined;
  /** What `fromHook` is called in oh-my-pi. */
  fromExtension?: boolean | undefined;
  /** Of oh-my-pi: what handlers of `session.compacting` want to find again. */
  preserveData?: Record<string, unknown> | undefined;
  /** The system prompt and tools as they stood here: what set them is no longer in the context. */
  systemMessage?: SystemMessage;
}

export interface BranchSummaryEntry<T = unknown> extends SessionEntryBase {
  type: 'branch_summary';
  /** The leaf that was left; `root` where there was none, or where the summary stands before everything. */
  fromId: string;
  summary: string;
  details?: T | undefined;
  usage?: Usage | undefined;
  fromHook?: boolean | undefined;
  fromExtension?: boolean | undefined;
}

/** Data of an extension; the model does not see it. */
export interface CustomEntry<T = unknown> extends SessionEntryBase {
  type: 'custom';
  customType: string;
  data?: T | undefined;
}

/** Text of an extension; the model sees it. */
export interface CustomMessageEntry<T = unknown> extends SessionEntryBase {
  type: 'custom_message';
  customType: string;
  content: string | (TextContent | ImageContent)[];
  details?: T | undefined;
  display: boolean;
}

export type ContextEditableContent =
  | UserMessage['content']
  | AssistantMessage['content']
  | ToolResultMessage['content']
  | CustomMessage['content'];

/** Changes what an earlier entry of the branch says to the model; null: it says nothing. */
export interface ContextEditEntry extends SessionEntryBase {
  type: 'context_edit';
  targetId: string;
  replacement: { content: ContextEditableContent } | null;
}

export interface LabelEntry extends SessionEntryBase {
  type: 'label';
  targetId: string;
  /** Absent or empty: the label is taken away. */
  label?: string | undefined;
}

export interface SessionInfoEntry extends SessionEntryBase {
  type: 'session_info';
  name?: string;
}

/** Of oh-my-pi: the plan mode and the like. */
export interface ModeChangeEntry extends SessionEntryBase {
  type: 'mode_change';
  mode: string;
  data?: unknown;
}

/** Of oh-my-pi: the rules that were put before the model once, and need not be again. */
export interface TtsrInjectionEntry extends SessionEntryBase {
  type: 'ttsr_injection';
  injectedRules: string[];
}

export type SessionEntry =
  | SessionMessageEntry
  | ThinkingLevelChangeEntry
  | ModelChangeEntry
  | UsageEntry
  | CompactionEntry
  | BranchSummaryEntry
  | CustomEntry
  | CustomMessageEntry
  | ContextEditEntry
  | LabelEntry
  | SessionInfoEntry
  | ModeChangeEntry
  | TtsrInjectionEntry;

/** One line of a file. */
export type FileEntry = SessionHeader | SessionEntry;

export const isHeader = (entry: { type?: unknown; id?: unknown }): entry is SessionHeader =>
  entry.type === 'session' && typeof entry.id === 'string';

/** The message of an entry. Lines are not checked when they are read: what is called a message may hold none. */
export function messageOf(entry: SessionEntry): AgentMessage | null {
  if (entry.type !== 'message') return null;
  const message: unknown = entry.message;
  return typeof message === 'object' && message !== null ? (message as AgentMessage) : null;
}
