import type { CallId, Key, LogRecord, SubagentId } from '../model/index.ts';
import type { ModelName } from '../usage/index.ts';

/** While it is being made. There are many steps and calls: what they lack is left out without making objects only to spread them. */
export type Writable<Thing> = { -readonly [Field in keyof Thing]: Thing[Field] };

/** A record of the tree. */
export type ParsedMessage = LogRecord;
export type ModelInfo = ModelName;

/** A thread as a flat list, in the order things happened. No turns are paired: each group stands alone. */
export interface SessionConversation {
  readonly sessionId: string;
  readonly threadId: Key | null;
  readonly items: readonly ChatItem[];
  readonly totalUserGroups: number;
  readonly totalSystemGroups: number;
  readonly totalAIGroups: number;
  readonly totalCompactGroups: number;
  /** Sub-agents whose call is not known. */
  readonly unlinkedProcesses: readonly Process[];
  /** The agent is at work, or a prompt waits for its answer. */
  readonly isOngoing: boolean;
  readonly metrics: SessionMetrics;
}

export type ChatItem =
  | { readonly type: 'user'; readonly group: UserGroup }
  | { readonly type: 'system'; readonly group: SystemGroup }
  | { readonly type: 'ai'; readonly group: EnhancedAIGroup }
  | { readonly type: 'compact'; readonly group: CompactGroup };

export interface UserGroup {
  readonly id: string;
  readonly message: ParsedMessage;
  readonly timestamp: Date;
  readonly content: UserGroupContent;
  /** Among the user groups of the session. */
  readonly index: number;
}

export interface UserGroupContent {
  /** What was typed, without the command. */
  readonly text?: string;
  readonly rawText?: string;
  readonly commands: readonly CommandInfo[];
  readonly images: readonly ImageData[];
  readonly fileReferences: readonly FileReference[];
}

export interface CommandInfo {
  /** Without its slash. */
  readonly name: string;
  readonly args?: string;
  readonly raw: string;
}

export interface ImageData {
  readonly id: string;
  readonly mediaType: string;
  /** Base64, or a reference of the agent's own (`blob:…`). */
  readonly data: string;
}

/** `@src/a.ts#L3-9` in a prompt. */
export interface FileReference {
  readonly path: string;
  readonly raw: string;
  readonly lineRange?: { readonly start: number; readonly end: number };
}

export interface SystemGroup {
  readonly id: string;
  readonly message: ParsedMessage;
  readonly timestamp: Date;
  readonly commandOutput: string;
  readonly commandName?: string;
}

export interface CompactGroup {
  readonly id: string;
  readonly timestamp: Date;
  readonly message: ParsedMessage;
  readonly summary: string;
  readonly tokenDelta?: CompactionTokenDelta;
  readonly startingPhaseNumber?: number;
}

export interface CompactionTokenDelta {
  readonly pre: number;
  readonly post: number;
  readonly delta: number;
}

export interface AIGroup {
  readonly id: string;
  /** Among the AI groups of the session. */
  readonly turnIndex: number;
  readonly startTime: Date;
  readonly endTime: Date;
  readonly durationMs: number;
  readonly steps: readonly SemanticStep[];
  readonly stepGroups: readonly StepGroup[];
  readonly tokens: AIGroupTokens;
  readonly summary: AIGroupSummary;
  readonly status: AIGroupStatus;
  readonly processes: readonly Process[];
  readonly chunkId: string;
  /** Of the group itself. */
  readonly metrics: SessionMetrics;
  /** With all sub-agents it started. */
  readonly totalMetrics: SessionMetrics;
  readonly responses: readonly ParsedMessage[];
  readonly isOngoing?: boolean;
}

export type AIGroupStatus = 'complete' | 'interrupted' | 'error' | 'in_progress';

export interface EnhancedAIGroup extends AIGroup {
  /** Always visible. */
  readonly lastOutput: AIGroupLastOutput | null;
  readonly displayItems: readonly AIGroupDisplayItem[];
  readonly linkedTools: ReadonlyMap<string, LinkedToolItem>;
  readonly itemsSummary: string;
  readonly mainModel: ModelInfo | null;
  readonly subagentModels: readonly ModelInfo[];
}

export interface AIGroupTokens {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly cacheCreation: number;
  readonly total: number;
}

/** For the collapsed view. */
export interface AIGroupSummary {
  readonly thinkingPreview?: string;
  readonly toolCallCount: number;
  readonly outputMessageCount: number;
  readonly subagentCount: number;
  readonly totalDurationMs: number;
  readonly totalTokens: number;
}

export interface SessionMetrics {
  readonly durationMs: number;
  readonly responses: number;
  readonly totalTokens: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheCreationTokens: number;
  readonly messageCount: number;
  /** Null when a model's price is unknown. */
  readonly costUsd: number | null;
}

export type SemanticStepType = 'thinking' | 'tool_call' | 'tool_result' | 'subagent' | 'output' | 'interruption';

export interface SemanticStep {
  readonly id: string;
  readonly type: SemanticStepType;
  readonly startTime: Date;
  readonly endTime?: Date;
  readonly durationMs: number;
  readonly content: StepContent;
  /** Estimated. */
  readonly tokens?: { readonly input: number; readonly output: number; readonly cached?: number };
  readonly context: 'main' | 'subagent';
  /** Tokens in the window of the response it belongs to. */
  readonly accumulatedContext?: number;
  readonly sourceMessageId: Key;
}

export interface StepContent {
  readonly text?: string;
  readonly toolCallId?: CallId;
  readonly toolName?: string;
  readonly toolInput?: unknown;
  readonly toolResult?: unknown;
  readonly toolUseResult?: unknown;
  readonly isError?: boolean;
  readonly isRejected?: boolean;
  readonly subagentId?: SubagentId;
}

/** The steps of one response. */
export interface StepGroup {
  readonly id: string;
  readonly label: string;
  readonly stepIds: readonly string[];
  readonly startTime: Date;
  readonly endTime: Date;
  readonly durationMs: number;
}

export type AIGroupDisplayItem = { readonly id: string; readonly timestamp: Date } & (
  | { readonly type: 'thinking'; readonly content: string; readonly tokenCount?: number }
  | { readonly type: 'tool'; readonly tool: LinkedToolItem }
  /** The same object as among the `processes` of the group. Who writes both writes its conversation once: sub-agents nest. */
  | { readonly type: 'subagent'; readonly subagent: Process }
  | { readonly type: 'output'; readonly content: string; readonly tokenCount?: number }
  | { readonly type: 'slash'; readonly slash: SlashItem }
  | { readonly type: 'teammate_message'; readonly teammateMessage: TeammateMessage }
  | { readonly type: 'notification'; readonly notification: NotificationItem }
);

export interface LinkedToolItem {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly callTokens?: number;
  readonly result?: {
    readonly content: string | readonly unknown[];
    readonly isError: boolean;
    readonly toolUseResult?: unknown;
    readonly tokenCount?: number;
  };
  /** First 100 characters. */
  readonly inputPreview: string;
  /** First 200 characters. */
  readonly outputPreview?: string;
  readonly startTime: Date;
  readonly endTime?: Date;
  readonly durationMs?: number;
  /** No result came, and none will. */
  readonly isOrphaned: boolean;
  readonly sourceModel?: string;
  readonly skillInstructions?: string;
  readonly skillInstructionsTokenCount?: number;
}

export interface AIGroupLastOutput {
  readonly type: 'text' | 'tool_result' | 'interruption' | 'ongoing' | 'plan_exit';
  readonly text?: string;
  readonly toolName?: string;
  readonly toolResult?: string;
  readonly isError?: boolean;
  readonly interruptionMessage?: string;
  readonly planContent?: string;
  readonly planPreamble?: string;
  /** What the human said to the plan. */
  readonly planVerdict?: 'pending' | 'approved' | 'rejected';
  readonly timestamp: Date;
}

export interface SlashItem {
  readonly id: string;
  readonly name: string;
  readonly args?: string;
  readonly instructions?: string;
  readonly instructionsTokenCount?: number;
  readonly timestamp: Date;
}

export interface TeammateMessage {
  readonly id: string;
  readonly teammateId: string;
  readonly summary: string;
  readonly content: string;
  readonly tokenCount: number;
  readonly timestamp: Date;
  /** The message it answers. */
  readonly replyToToolId?: string;
  readonly replyToSummary?: string;
}

/** A task in the background said how it stands. */
export interface NotificationItem {
  readonly id: string;
  readonly taskId?: string;
  readonly callId?: CallId;
  readonly status: string;
  readonly summary: string;
  /** What it ended with, where no sub-agent shows it. */
  readonly result?: string;
  readonly timestamp: Date;
}

/** A sub-agent, with its own conversation. */
export interface Process {
  readonly id: SubagentId;
  readonly sort: 'task' | 'teammate' | 'workflow' | 'inline' | 'helper';
  readonly description?: string;
  readonly subagentType?: string;
  readonly parentTaskId?: CallId;
  readonly startTime: Date;
  readonly endTime: Date;
  readonly durationMs: number;
  /** Another one started within 100 ms. */
  readonly isParallel: boolean;
  readonly isOngoing: boolean;
  readonly team?: { readonly teamName: string; readonly memberName: string; readonly memberColor?: string };
  readonly models: readonly ModelInfo[];
  readonly metrics: SessionMetrics;
  /** What it cost the window of the one who started it. */
  readonly mainSessionImpact?: { readonly callTokens: number; readonly resultTokens: number };
  readonly files: readonly string[];
  /** In JSON it is written once; where the process stands a second time, only the `session_id` of it, which is the process's id. */
  readonly conversation: SessionConversation;
}
