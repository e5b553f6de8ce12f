import { SkeinError } from '../../src/model/index.ts';

/** Something that must not be. */
export interface Violation {
  /** What was done. */
  readonly step: string;
  readonly message: string;
  /** Where it was thrown, the innermost places first. */
  readonly stack: readonly string[];
}

class Broken extends Error {}

/** Unless it holds, the step has failed. */
export function must(holds: boolean, message: () => string): asserts holds {
  if (!holds) throw new Broken(message());
}

/** What was done to one case, and what went wrong. */
export class Verdict {
  readonly violations: Violation[] = [];
  sessions = 0;
  checks = 0;
  slowest: { readonly step: string; readonly milliseconds: number } = { step: '', milliseconds: 0 };

  /** A `SkeinError` is an answer; anything else that is thrown is a violation. */
  async step<T>(step: string, run: () => T | Promise<T>): Promise<T | null> {
    const begun = performance.now();
    this.checks++;
    try {
      return await run();
    } catch (error) {
      if (error instanceof SkeinError) return null;
      this.violations.push({ step, message: messageOf(error), stack: stackOf(error) });
      return null;
    } finally {
      const milliseconds = performance.now() - begun;
      if (milliseconds > this.slowest.milliseconds) this.slowest = { step, milliseconds };
    }
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Broken ? error.message : `unexpected error: ${String(error).split('\n')[0]}`;

const stackOf = (error: unknown): string[] =>
  error instanceof Broken || !(error instanceof Error)
    ? []
    : (error.stack ?? '')
        .split('\n')
        .filter((line) => line.trimStart().startsWith('at '))
        .slice(0, 6)
        .map((line) => line.trim().replace(/\(?file:\/\/.*\/(src|test)\//, '($1/'));

/** The same defect, found again. */
export const kindOf = ({ step, message, stack }: Violation): string =>
  [
    step,
    message.replace(/['"‘].*|\d+/g, ''),
    stack.find((line) => line.includes('(src/'))?.replace(/:\d+:\d+\)?$/, '') ?? '',
  ].join(' | ');
