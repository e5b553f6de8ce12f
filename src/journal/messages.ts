/** What an agent and a model say to each other, as Pi writes it; the names are Pi's. */
export interface TextContent {
  type: 'text';
  text: string;
  textSignature?: string;
}

export interface ImageContent {
  type: 'image';
  data: string;
  mimeType: string;
}

interface ThinkingContent {
  type: 'thinking';
  thinking: string;
  thinkingSignature?: string;
  redacted?: boolean;
}

interface ToolCall {
  type: 'toolCall';
  id: string;
  name: string;
  // biome-ignore lint/suspicious/noExplicitAny: the arguments of a tool are what the model made of its schema.
  arguments: Record<string, any>;
  thoughtSignature?: string;
}

export interface Usage {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  cacheWrite1h?: number;
  reasoning?: number;
  totalTokens: number;
  cost: { input: number; output: number; cacheRead: number; cacheWrite: number; total: number };
}

/** The first is the system prompt; later ones add to it, and change its sections and tools. */
export interface SystemMessage {
  role: 'system';
  content: string | TextContent[];
  sections?: Record<string, string | null>;
  toolsAdded?: { name: string }[];
  toolsRemoved?: { name: string }[];
  timestamp: number;
}

export interface UserMessage {
  role: 'user';
  content: string | (TextContent | ImageContent)[];
  timestamp: number;
}

export interface AssistantMessage {
  role: 'assistant';
  content: (TextContent | ThinkingContent | ToolCall)[];
  api: string;
  provider: string;
  model: string;
  usage: Usage;
  stopReason: string;
  errorMessage?: string;
  timestamp: number;
}

export interface ToolResultMessage {
  role: 'toolResult';
  toolCallId: string;
  toolName: string;
  content: (TextContent | ImageContent)[];
  // biome-ignore lint/suspicious/noExplicitAny: each tool has its own.
  details?: any;
  usage?: Usage;
  isError: boolean;
  timestamp: number;
}

/** What a model can be sent. */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolResultMessage;

/** A command that the human ran with `!`; with `!!` the model does not see it. */
export interface BashExecutionMessage {
  role: 'bashExecution';
  command: string;
  output: string;
  exitCode: number | undefined;
  cancelled: boolean;
  truncated: boolean;
  fullOutputPath?: string;
  timestamp: number;
  excludeFromContext?: boolean;
}

/** Said by an extension. */
export interface CustomMessage<T = unknown> {
  role: 'custom';
  customType: string;
  content: string | (TextContent | ImageContent)[];
  display: boolean;
  details?: T;
  timestamp: number;
}

/** Files that the human named with `@`; only oh-my-pi writes it. */
export interface FileMentionMessage {
  role: 'fileMention';
  files: { path: string; content: string }[];
  timestamp: number;
}

/** Only in a context; in a file it is an entry of its own. */
export interface BranchSummaryMessage {
  role: 'branchSummary';
  summary: string;
  fromId: string | null;
  timestamp: number;
}

/** Only in a context; in a file it is an entry of its own. */
export interface CompactionSummaryMessage {
  role: 'compactionSummary';
  summary: string;
  tokensBefore: number;
  timestamp: number;
}

export type AgentMessage =
  | Message
  | BashExecutionMessage
  | CustomMessage
  | FileMentionMessage
  | BranchSummaryMessage
  | CompactionSummaryMessage;
