import type { PriceTable } from '../usage/index.ts';
import { displayItems, HIDDEN_THINKING } from './display-items.ts';
import { summarizeItems } from './items-summary.ts';
import { findLastOutput } from './last-output.ts';
import { linkTools } from './link-tools.ts';
import { cut } from './measure.ts';
import { addMetrics, metricsOf, modelsOf, tokensOf } from './metrics.ts';
import type { Part } from './read-part.ts';
import type { Sent } from './replies.ts';
import { endingInterruption, endsInError, isAtWork } from './running.ts';
import { arrangeSteps, groupSteps } from './steps.ts';
import { atTime } from './times.ts';
import type {
  AIGroupStatus,
  EnhancedAIGroup,
  ModelInfo,
  Process,
  SemanticStep,
  SessionMetrics,
  SlashItem,
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
  readonly context: SemanticStep['context'];
  readonly prices: PriceTable;
}

const PREVIEW = 100;

/** One run of what the agent did between two things others said: group, then enhance. */
export function aiGroup(parts: readonly Part[], processes: readonly Process[], inputs: GroupInputs): EnhancedAIGroup {
  const first = (parts[0] as Part).record;
  const { slash, replies } = inputs;
  const { steps, start, end } = arrangeSteps(parts, processes, inputs.time, inputs.context);
  const isOngoing = inputs.mayRun && isAtWork(steps);
  const tools = linkTools(parts, start, inputs.mayRun && !endingInterruption(steps));
  const last = findLastOutput(steps, isOngoing);
  const items = displayItems({ steps, parts, tools, processes, start, shown: last.shown, slash, replies });
  const records = parts.map(({ record }) => record);
  const metrics = metricsOf(records, end - start, inputs.prices);
  const [mainModel = null] = modelsOf(records);
  return {
    id: `ai-${first.id}`,
    turnIndex: inputs.turnIndex,
    startTime: atTime(start),
    endTime: atTime(end),
    durationMs: end - start,
    steps,
    stepGroups: groupSteps(steps),
    tokens: tokensOf(metrics),
    summary: summaryOf(steps, end - start, metrics.totalTokens),
    status: statusOf(steps, isOngoing),
    processes,
    chunkId: `chunk-${first.id}`,
    metrics,
    totalMetrics: addMetrics(metrics, processes.map(totalOf)),
    responses: records,
    ...(isOngoing ? { isOngoing } : {}),
    lastOutput: last.output,
    displayItems: items,
    linkedTools: tools,
    itemsSummary: summarizeItems(items),
    mainModel,
    subagentModels: distinctModels(processes, mainModel?.id),
  };
}

/** With what its own sub-agents used. */
const totalOf = ({ metrics, conversation }: Process): SessionMetrics => addMetrics(metrics, nestedOf(conversation));

const nestedOf = ({ items }: Process['conversation']): SessionMetrics[] =>
  items.flatMap((item) => (item.type === 'ai' ? item.group.processes.map(totalOf) : []));

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
