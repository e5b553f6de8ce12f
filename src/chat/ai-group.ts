import type { CallId, LogRecord } from '../model/index.ts';
import type { PriceTable } from '../usage/index.ts';
import { displayItems, HIDDEN_THINKING } from './display-items.ts';
import { distinctCalls, type GroupPart } from './distinct-calls.ts';
import { summarizeItems } from './items-summary.ts';
import { findLastOutput, type LastOutput } from './last-output.ts';
import { linkTools } from './link-tools.ts';
import { cut } from './measure.ts';
import { metricsOf, modelsOf, tokensOf } from './metrics.ts';
import { recordsOf } from './process-records.ts';
import type { Part } from './read-part.ts';
import type { Sent } from './replies.ts';
import { endingInterruption, endsInError, isAtWork } from './running.ts';
import { arrangeSteps, groupSteps, type Timeline } from './steps.ts';
import { atTime } from './times.ts';
import type {
  AIGroupDisplayItem,
  AIGroupStatus,
  AIGroupSummary,
  AIGroupTokens,
  EnhancedAIGroup,
  LinkedToolItem,
  ModelInfo,
  Process,
  SemanticStep,
  SessionMetrics,
  SlashItem,
  StepGroup,
} from './types.ts';

export interface GroupInputs {
  /** When it began, where its first record does not say so. */
  readonly time: number;
  readonly turnIndex: number;
  /** The last item of a log that grew lately: it may be running. */
  readonly mayRun: boolean;
  readonly slash: SlashItem | null;
  /** What each message of a teammate answers. */
  readonly replies: ReadonlyMap<string, Sent | null>;
  /** Notifications whose answer a sub-agent shows. */
  readonly answered: ReadonlyMap<string, CallId | null>;
  readonly context: SemanticStep['context'];
  readonly prices: PriceTable;
}

const PREVIEW = 100;

/**
 * One run of what the agent did between two things others said: group, then enhance. What is in it is worked out when somebody looks: of
 * a long session few groups are ever seen.
 */
export function aiGroup(parts: readonly Part[], processes: readonly Process[], inputs: GroupInputs): EnhancedAIGroup {
  const first = (parts[0] as Part).record;
  const look = new Look(parts, processes, inputs);
  return {
    id: `ai-${first.id}`,
    turnIndex: inputs.turnIndex,
    get startTime() {
      return atTime(look.timeline.start);
    },
    get endTime() {
      return atTime(look.timeline.end);
    },
    get durationMs() {
      return look.duration;
    },
    get steps() {
      return look.timeline.steps;
    },
    get stepGroups() {
      return look.stepGroups;
    },
    get tokens() {
      return look.tokens;
    },
    get summary() {
      return look.summary;
    },
    get status() {
      return statusOf(look.timeline.steps, look.isOngoing);
    },
    processes,
    chunkId: `chunk-${first.id}`,
    get metrics() {
      return look.metrics;
    },
    get totalMetrics() {
      return look.totalMetrics;
    },
    responses: look.records,
    ...(look.isOngoing ? { isOngoing: true } : {}),
    get lastOutput() {
      return look.lastOutput.output;
    },
    get displayItems() {
      return look.items;
    },
    get linkedTools() {
      return look.tools;
    },
    get itemsSummary() {
      return summarizeItems(look.items);
    },
    get mainModel() {
      return look.models[0] ?? null;
    },
    get subagentModels() {
      return look.subagentModels;
    },
  };
}

/** What is seen when a group is looked at, each thing worked out once. */
class Look {
  readonly records: readonly LogRecord[];
  readonly isOngoing: boolean;
  readonly #given: readonly Part[];
  readonly #processes: readonly Process[];
  readonly #inputs: GroupInputs;
  #distinct: readonly GroupPart[] | null = null;
  #timeline: Timeline | null = null;
  #tools: Map<string, LinkedToolItem> | null = null;
  #lastOutput: LastOutput | null = null;
  #items: AIGroupDisplayItem[] | null = null;
  #stepGroups: StepGroup[] | null = null;
  #metrics: SessionMetrics | null = null;
  #totalMetrics: SessionMetrics | null = null;
  #tokens: AIGroupTokens | null = null;
  #summary: AIGroupSummary | null = null;
  #models: ModelInfo[] | null = null;
  #subagentModels: ModelInfo[] | null = null;

  constructor(parts: readonly Part[], processes: readonly Process[], inputs: GroupInputs) {
    this.records = parts.map(({ record }) => record);
    this.#given = parts;
    this.#processes = processes;
    this.#inputs = inputs;
    this.isOngoing = inputs.mayRun && isAtWork(this.timeline.steps);
  }

  get #parts(): readonly GroupPart[] {
    this.#distinct ??= distinctCalls(this.#given);
    return this.#distinct;
  }

  get timeline(): Timeline {
    const { time, context } = this.#inputs;
    this.#timeline ??= arrangeSteps(this.#parts, this.#processes, time, context);
    return this.#timeline;
  }

  get duration(): number {
    return this.timeline.end - this.timeline.start;
  }

  get tools(): Map<string, LinkedToolItem> {
    const { steps, start } = this.timeline;
    this.#tools ??= linkTools(this.#parts, start, this.#inputs.mayRun && !endingInterruption(steps));
    return this.#tools;
  }

  get lastOutput(): LastOutput {
    this.#lastOutput ??= findLastOutput(this.timeline.steps, this.isOngoing);
    return this.#lastOutput;
  }

  get items(): AIGroupDisplayItem[] {
    const { steps, start } = this.timeline;
    this.#items ??= displayItems({
      steps,
      start,
      parts: this.#parts,
      tools: this.tools,
      processes: this.#processes,
      shown: this.lastOutput.shown,
      slash: this.#inputs.slash,
      replies: this.#inputs.replies,
      answered: this.#inputs.answered,
    });
    return this.#items;
  }

  get stepGroups(): StepGroup[] {
    this.#stepGroups ??= groupSteps(this.timeline.steps);
    return this.#stepGroups;
  }

  get metrics(): SessionMetrics {
    this.#metrics ??= this.#metricsOf(this.records);
    return this.#metrics;
  }

  #metricsOf(records: readonly LogRecord[]): SessionMetrics {
    return metricsOf(records, this.duration, this.#inputs.prices);
  }

  get totalMetrics(): SessionMetrics {
    this.#totalMetrics ??=
      this.#processes.length === 0 ? this.metrics : this.#metricsOf(this.records.concat(recordsOf(this.#processes)));
    return this.#totalMetrics;
  }

  get tokens(): AIGroupTokens {
    this.#tokens ??= tokensOf(this.metrics);
    return this.#tokens;
  }

  get summary(): AIGroupSummary {
    this.#summary ??= summaryOf(this.timeline.steps, this.duration, this.metrics.totalTokens);
    return this.#summary;
  }

  get models(): ModelInfo[] {
    this.#models ??= modelsOf(this.records);
    return this.#models;
  }

  get subagentModels(): ModelInfo[] {
    this.#subagentModels ??= distinctModels(this.#processes, this.models[0]?.id);
    return this.#subagentModels;
  }
}

function statusOf(steps: readonly SemanticStep[], isOngoing: boolean): AIGroupStatus {
  if (endingInterruption(steps)) return 'interrupted';
  if (isOngoing) return 'in_progress';
  return endsInError(steps) ? 'error' : 'complete';
}

function summaryOf(steps: readonly SemanticStep[], totalDurationMs: number, totalTokens: number) {
  let toolCallCount = 0;
  let outputMessageCount = 0;
  let subagentCount = 0;
  let thought: string | undefined;
  for (const { type, content } of steps) {
    if (type === 'tool_call') toolCallCount++;
    else if (type === 'output') outputMessageCount++;
    else if (type === 'subagent') subagentCount++;
    else if (type === 'thinking') thought ??= content.text?.trim() || HIDDEN_THINKING;
  }
  return {
    ...(thought === undefined ? {} : { thinkingPreview: cut(thought, PREVIEW) }),
    toolCallCount,
    outputMessageCount,
    subagentCount,
    totalDurationMs,
    totalTokens,
  };
}

function distinctModels(processes: readonly Process[], main: string | undefined): ModelInfo[] {
  if (processes.length === 0) return [];
  const byId = new Map(processes.flatMap(({ models }) => models).map((model) => [model.id, model]));
  return [...byId.values()].filter(({ id }) => id !== main);
}
