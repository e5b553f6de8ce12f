import type { SemanticStep } from './types.ts';

const QUIET_AFTER = 5 * 60 * 1000;

/** A log that did not grow for five minutes belongs to nobody who works (C10). */
export const isFresh = (now: number, lastGrowth: number | null): boolean =>
  lastGrowth !== null && now - lastGrowth <= QUIET_AFTER;

/** Whether the agent did something after the last thing that ends a turn. */
export function isAtWork(steps: readonly SemanticStep[]): boolean {
  for (let i = steps.length - 1; i >= 0; i--) {
    const step = steps[i] as SemanticStep;
    if (isEnding(step)) return false;
    if (step.type !== 'subagent') return true;
  }
  return false;
}

const isEnding = ({ type, content }: SemanticStep): boolean =>
  type === 'output' ||
  type === 'interruption' ||
  (type === 'tool_result' && content.isRejected === true) ||
  isPlanExit({ type, content });

/** The agent asks whether its plan is right; the second name is that of old versions. */
export const isPlanExit = ({ type, content }: Pick<SemanticStep, 'type' | 'content'>): boolean =>
  type === 'tool_call' && (content.toolName === 'ExitPlanMode' || content.toolName === 'exit_plan_mode');

/** The step that interrupted the group, if it ends so: what the agent did after an early one stands. */
export function endingInterruption(steps: readonly SemanticStep[]): SemanticStep | null {
  for (let i = steps.length - 1; i >= 0; i--) {
    const step = steps[i] as SemanticStep;
    if (step.type === 'subagent') continue;
    if (step.type === 'interruption') return step;
    return step.type === 'tool_result' && step.content.isRejected ? step : null;
  }
  return null;
}

/** The group ends in an error with no answer after it (C9). */
export function endsInError(steps: readonly SemanticStep[]): boolean {
  for (let i = steps.length - 1; i >= 0; i--) {
    const { type, content } = steps[i] as SemanticStep;
    if (type === 'subagent') continue;
    return (type === 'tool_result' || type === 'output') && content.isError === true;
  }
  return false;
}
