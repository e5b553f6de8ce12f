import type { CallId, Key, SessionId, SubagentId, Usage } from '../model/index.ts';

/** One extracted message: a record, or one of the calls and results in it (M1). */
export interface Message {
  /** Of a tool use `<assistant>_tool_<i>`, of its result `<assistant>_result_<i>`. */
  readonly uuid: string;
  readonly parentUuid: string | null;
  readonly sessionId: SessionId;
  readonly type: 'user' | 'assistant' | 'tool_use' | 'tool_result';
  /** Of the record it comes from. */
  readonly kind: string;
  readonly timestamp: number | null;
  readonly isSidechain: boolean;
  readonly content: string;
  /** Of a tool use or result. */
  readonly toolName?: string;
  readonly toolUseId?: CallId;
  /** A tool use has the status of its result. */
  readonly isError?: boolean;
  /** Of an answer. */
  readonly model?: string;
  readonly usage?: Usage;
  readonly costUsd?: number | null;
  /** Of a sub-agent's messages: who, and the call that started it. */
  readonly agentId?: SubagentId;
  readonly spawnToolUseId?: CallId;
  readonly record: Key;
}

/** What a response cost, null when nobody knows: prices are not the business of this folder. */
export type CostOf = (usage: Usage) => number | null;
