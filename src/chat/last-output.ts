import { resultText } from './measure.ts';
import { endingInterruption, isPlanExit } from './running.ts';
import type { AIGroupLastOutput, SemanticStep } from './types.ts';

export interface LastOutput {
  readonly output: AIGroupLastOutput | null;
  /** Steps it shows, which are not repeated as items. */
  readonly shown: readonly string[];
}

const NONE: readonly string[] = [];

/** What stays visible when the group is folded: the first of these that there is (C8). */
export function findLastOutput(steps: readonly SemanticStep[], isRunning: boolean): LastOutput {
  const interruption = endingInterruption(steps);
  if (interruption) {
    const { text, toolResult } = interruption.content;
    const shown = interruption.type === 'interruption' ? [interruption.id] : NONE;
    return {
      output: {
        type: 'interruption',
        interruptionMessage: text ?? resultText(toolResult),
        timestamp: interruption.startTime,
      },
      shown,
    };
  }
  const last = steps.at(-1);
  if (isRunning && last) return { output: { type: 'ongoing', timestamp: last.startTime }, shown: NONE };
  return planExit(steps) ?? lastText(steps) ?? { output: lastResult(steps), shown: NONE };
}

/** A plan stays in view while no text follows it. */
function planExit(steps: readonly SemanticStep[]): LastOutput | null {
  for (let i = steps.length - 1; i >= 0; i--) {
    const step = steps[i] as SemanticStep;
    if (step.type === 'output') return null;
    if (!isPlanExit(step)) continue;
    const preamble = steps.slice(0, i).findLast(({ type }) => type === 'output');
    const result = steps.find(({ id, type }) => type === 'tool_result' && id === `${step.id}:result`);
    const output: AIGroupLastOutput = {
      type: 'plan_exit',
      planContent: planIn(step.content.toolInput) || planIn(result?.content.toolUseResult),
      ...(preamble?.content.text === undefined ? {} : { planPreamble: preamble.content.text }),
      planVerdict: verdictOf(result),
      timestamp: step.startTime,
    };
    return { output, shown: preamble ? [preamble.id] : NONE };
  }
  return null;
}

/** Newer versions keep the plan in a file, and tell it with the result. */
function planIn(given: unknown): string {
  const plan = (given as { plan?: unknown } | null | undefined)?.plan;
  return typeof plan === 'string' ? plan : '';
}

function verdictOf(result: SemanticStep | undefined): 'pending' | 'approved' | 'rejected' {
  if (!result) return 'pending';
  return result.content.isError || result.content.isRejected ? 'rejected' : 'approved';
}

function lastText(steps: readonly SemanticStep[]): LastOutput | null {
  const step = steps.findLast(({ type }) => type === 'output');
  if (!step) return null;
  const { text = '', isError } = step.content;
  return {
    output: { type: 'text', text, ...(isError ? { isError } : {}), timestamp: step.startTime },
    shown: [step.id],
  };
}

function lastResult(steps: readonly SemanticStep[]): AIGroupLastOutput | null {
  const step = steps.findLast(({ type }) => type === 'tool_result');
  if (!step) return null;
  const { toolName, toolResult, isError = false } = step.content;
  return {
    type: 'tool_result',
    ...(toolName === undefined ? {} : { toolName }),
    toolResult: resultText(toolResult),
    isError,
    timestamp: step.startTime,
  };
}
