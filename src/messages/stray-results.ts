import type { CallId, LineRef, LogRecord } from '../model/index.ts';
import type { ResultLine } from '../tree/index.ts';

/** Which calls a line answers. */
export type ResultsAt = (ref: LineRef) => ResultLine | null;

/** A result whose call is unknown: it stays with the record that brought it. */
export interface StrayResult {
  readonly call: CallId;
  readonly isError: boolean;
  readonly at: LineRef;
  /** So many results stand before it in its line, and in its record. */
  readonly nth: number;
  readonly number: number;
}

/** Also beside what somebody typed. Those whose call is known are messages of their call's answer. */
export function strayResults({ kind, lines }: LogRecord, resultsAt: ResultsAt): readonly StrayResult[] {
  if (kind !== 'user') return NONE;
  let strays: StrayResult[] | null = null;
  let number = 0;
  for (const { as, ref: at } of lines) {
    const results = as === 'part' ? (resultsAt(at)?.of ?? NONE) : NONE;
    for (const [nth, { call, isError, isPaired }] of results.entries()) {
      if (!isPaired) {
        strays ??= [];
        strays.push({ call, isError, at, nth, number });
      }
      number++;
    }
  }
  return strays ?? NONE;
}

const NONE: readonly never[] = [];
