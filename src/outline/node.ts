import type { Block, CallBlock, CallId, CallResult, Key, SubagentId, Usage } from '../model/index.ts';

export type NodeType =
  | 'session'
  | 'branch'
  | 'subagent'
  | 'user'
  | 'command'
  | 'bash'
  | 'compaction'
  | 'branch_summary'
  | 'assistant'
  | 'thinking'
  | 'interruption'
  | 'teammate'
  | 'notification'
  | 'tool'
  | 'system'
  | 'hook'
  | 'annotation'
  | 'custom';

/** One thing that is shown and folded as one: a prompt, an answer, a call with its result. */
export interface Row {
  /** Stable across runs and appends (O2). */
  readonly id: string;
  /** Further anchors that lead here. */
  readonly aliases: readonly string[];
  readonly type: NodeType;
  /** 0 session, 0.5 branch, 1 prompts and sub-agents without a call, 2 answers, 3 tools; each sub-agent adds 2 (O1). */
  readonly level: number;
  readonly record: Key | null;
  readonly time: number | null;
  readonly subagent: SubagentId | null;
  /** What it says, as plain text. */
  readonly text: string;
  readonly blocks: readonly Block[];
  readonly tool?: RowTool;
  /** The second half of a pair (O3). */
  readonly pair?: RowPair;
  /** Says the same as another node, which is shown instead (O4). */
  readonly sameAs?: string;
  readonly isError?: boolean;
  /** Of the response, on the first thing it shows. */
  readonly usage?: Usage;
}

export interface RowTool {
  readonly id: CallId;
  readonly name: string;
  readonly call: CallBlock | null;
  readonly result: CallResult | null;
  readonly isError: boolean;
  readonly subagents: readonly SubagentId[];
}

export interface RowPair {
  readonly id: string;
  readonly type: 'assistant' | 'result' | 'output';
  readonly text: string;
  readonly blocks: readonly Block[];
  readonly time: number | null;
  readonly durationMs: number | null;
}

/** A row in its place. */
export interface OutlineNode extends Row {
  /** From the session down to its parent. */
  readonly ancestry: readonly string[];
  readonly children: readonly OutlineNode[];
  readonly hasChildren: boolean;
  readonly immediateCount: number;
  readonly totalCount: number;
  readonly immediateByType: Counts;
  readonly totalByType: Counts;
  /** Of all tools below: every one has its result. */
  readonly allPaired: boolean;
}

export type Counts = Readonly<Partial<Record<NodeType, number>>>;

export interface Outline {
  readonly sessionId: string;
  readonly root: OutlineNode;
  /** The branches on the way to the thread that is shown first. */
  readonly openBranches: readonly string[];
}
