import type { LogRecord } from '../model/index.ts';
import type { Part, RawStep } from './read-part.ts';
import { atTime } from './times.ts';
import type { Process, SemanticStep, StepGroup } from './types.ts';

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
  parts: readonly Part[],
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
    const owner = owners.get(process.parentTaskId) ?? (parts[0] as Part).record;
    timed.push({ raw: subagentStep(process, owner), time: process.startTime.getTime() });
    end = Math.max(end, process.endTime.getTime());
  }
  timed.sort((a, b) => a.time - b.time);
  const start = Math.min(begin, timed[0]?.time ?? begin);
  const steps = timed.map(({ raw, time }, i) => finish(raw, time, timed[i + 1]?.time ?? end, context));
  return { start, end, steps };
}

const NO_OWNERS: ReadonlyMap<string | undefined, LogRecord> = new Map();

const ownersOf = (parts: readonly Part[]): ReadonlyMap<string | undefined, LogRecord> =>
  new Map(parts.flatMap(({ calls, record }) => calls.map(({ call }) => [call.id, record])));

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

function finish(raw: RawStep, time: number, next: number, context: SemanticStep['context']): SemanticStep {
  const isOpen = raw.type === 'tool_call' && raw.end === null;
  const end = isOpen ? null : Math.max(time, raw.end ?? next);
  const usage = raw.record.usage;
  return {
    id: raw.id,
    type: raw.type,
    startTime: atTime(time),
    ...(end === null ? {} : { endTime: atTime(end) }),
    durationMs: end === null ? 0 : end - time,
    content: raw.content,
    ...(raw.tokens ? { tokens: raw.tokens } : {}),
    context: raw.type === 'subagent' ? 'subagent' : context,
    ...(usage ? { accumulatedContext: usage.input + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h } : {}),
    sourceMessageId: raw.record.id,
  };
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
    const first = group[0] as SemanticStep;
    let end = first.startTime.getTime();
    for (const { startTime, endTime } of group) end = Math.max(end, (endTime ?? startTime).getTime());
    return {
      id: `steps-${source}`,
      label: [...new Set(group.map(({ type }) => LABELS[type]))].join(', '),
      stepIds: group.map(({ id }) => id),
      startTime: first.startTime,
      endTime: atTime(end),
      durationMs: end - first.startTime.getTime(),
    };
  });
}
