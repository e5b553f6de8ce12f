import type { LogRecord, SubagentId } from '../model/index.ts';
import type { GroupPart } from './distinct-calls.ts';
import type { RawStep } from './read-part.ts';
import { atTime } from './times.ts';
import type { Process, SemanticStep, StepGroup, Writable } from './types.ts';

/** Steps in the order they happened, each with its end. */
export interface Timeline {
  readonly start: number;
  readonly end: number;
  readonly steps: readonly SemanticStep[];
}

interface TimedStep {
  readonly raw: RawStep;
  readonly time: number;
}

/** A call ends at its result, a sub-agent when it is done, everything else when the next step begins or nothing follows (C4). */
export function arrangeSteps(
  parts: readonly GroupPart[],
  processes: readonly Process[],
  begin: number,
  context: SemanticStep['context'],
): Timeline {
  const timed: TimedStep[] = [];
  let clock = begin;
  let end = clock;
  for (const { record, steps } of parts) {
    // A record without steps lasts too: a notification, a message of a teammate.
    if (record.time !== null) end = Math.max(end, record.time);
    for (const raw of steps) {
      const time: number = raw.time ?? clock;
      if (raw.type !== 'tool_result') clock = time;
      timed.push({ raw, time });
      end = Math.max(end, time, raw.end ?? time);
    }
  }
  const owners = processes.length > 0 ? ownersOf(parts) : NO_OWNERS;
  for (const process of processes) {
    const owner = owners.get(process.id) ?? (parts[0] as GroupPart).record;
    timed.push({ raw: subagentStep(process, owner), time: process.startTime.getTime() });
    end = Math.max(end, process.endTime.getTime());
  }
  timed.sort((a, b) => a.time - b.time);
  const start = Math.min(begin, timed[0]?.time ?? begin);
  const last = atTime(end);
  const times = timed.map(({ time }) => atTime(time));
  const steps = timed.map(({ raw }, i) => finish(raw, times[i] as Date, times[i + 1] ?? last, context));
  return { start, end, steps };
}

const NO_OWNERS: ReadonlyMap<SubagentId, LogRecord> = new Map();

const ownersOf = (parts: readonly GroupPart[]): ReadonlyMap<SubagentId, LogRecord> =>
  new Map(parts.flatMap(({ record }) => record.calls.flatMap(({ subagents }) => subagents.map((id) => [id, record]))));

function subagentStep(process: Process, record: LogRecord): RawStep {
  return {
    id: `subagent:${process.id}`,
    type: 'subagent',
    time: process.startTime.getTime(),
    content: { subagentId: process.id, ...(process.description === undefined ? {} : { text: process.description }) },
    tokens: { input: process.metrics.inputTokens, output: process.metrics.outputTokens },
    record,
    end: process.endTime.getTime(),
  };
}

function finish(raw: RawStep, startTime: Date, next: Date, context: SemanticStep['context']): SemanticStep {
  const start = startTime.getTime();
  const isOpen = raw.type === 'tool_call' && raw.end === null;
  const endTime = isOpen ? null : endOf(raw.end, startTime, next);
  const usage = raw.record.usage;
  const step: Writable<SemanticStep> = {
    id: raw.id,
    type: raw.type,
    startTime,
    durationMs: endTime ? endTime.getTime() - start : 0,
    content: raw.content,
    context: raw.type === 'subagent' ? 'subagent' : context,
    sourceMessageId: raw.record.id,
  };
  if (endTime) step.endTime = endTime;
  if (raw.tokens) step.tokens = raw.tokens;
  if (usage) step.accumulatedContext = usage.input + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h;
  return step;
}

function endOf(end: number | null, start: Date, next: Date): Date {
  if (end === null || end === next.getTime()) return next > start ? next : start;
  return end > start.getTime() ? atTime(end) : start;
}

const LABELS = {
  thinking: 'Thinking',
  tool_call: 'Tools',
  tool_result: 'Results',
  subagent: 'Sub-agents',
  output: 'Output',
  interruption: 'Interruption',
} as const;

/** The steps of each response together; results and sub-agents belong to the response that asked for them. */
export function groupSteps(steps: readonly SemanticStep[]): StepGroup[] {
  const bySource = new Map<string, SemanticStep[]>();
  for (const step of steps) {
    const group = bySource.get(step.sourceMessageId);
    if (group) group.push(step);
    else bySource.set(step.sourceMessageId, [step]);
  }
  return [...bySource].map(([source, group]) => {
    const { startTime } = group[0] as SemanticStep;
    let endTime = startTime;
    for (const step of group) {
      const end = step.endTime ?? step.startTime;
      if (end > endTime) endTime = end;
    }
    return {
      id: `steps-${source}`,
      label: labelOf(group),
      stepIds: group.map(({ id }) => id),
      startTime,
      endTime,
      durationMs: endTime.getTime() - startTime.getTime(),
    };
  });
}

function labelOf(group: readonly SemanticStep[]): string {
  const labels: string[] = [];
  for (const { type } of group) if (!labels.includes(LABELS[type])) labels.push(LABELS[type]);
  return labels.join(', ');
}
