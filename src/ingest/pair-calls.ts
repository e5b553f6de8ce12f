import type { ResultsAt } from '../messages/index.ts';
import type { CallId, LineRef, ToolCall } from '../model/index.ts';
import type { ResultLine } from '../tree/index.ts';

/** Which of the results in a line is that of a call. */
export interface PairedResult {
  readonly time: number | null;
  readonly nth: number;
}

/** What the calls of one record say about each other. Found out once for all of them: one answer may have thousands. */
export class PairedCalls {
  readonly #resultsAt: ResultsAt;
  /** Null where there is only one. */
  readonly #answered: ReadonlyMap<CallId, ToolCall> | null;
  #at: LineRef | null = null;
  #results: ResultLine | null = null;
  #numbers: ReadonlyMap<CallId, number> | null = null;

  constructor(calls: readonly ToolCall[], resultsAt: ResultsAt) {
    this.#resultsAt = resultsAt;
    this.#answered =
      calls.length < 2 ? null : new Map(calls.flatMap((call) => (call.result ? [[call.id, call] as const] : [])));
  }

  /** Of calls that share an id the last one that has a result gives it, as everywhere. */
  answered(call: ToolCall): ToolCall {
    return this.#answered?.get(call.id) ?? call;
  }

  result(at: LineRef, call: CallId): PairedResult {
    if (!this.#at || !isSamePlace(this.#at, at)) this.#read(at);
    const nth = this.#numbers
      ? (this.#numbers.get(call) ?? -1)
      : (this.#results?.of.findIndex((of) => of.call === call) ?? -1);
    return { time: nth < 0 ? null : (this.#results?.time ?? null), nth: Math.max(0, nth) };
  }

  #read(at: LineRef): void {
    this.#at = at;
    this.#results = this.#resultsAt(at);
    const { of } = this.#results ?? { of: [] };
    // The first of each id.
    this.#numbers = of.length < MANY ? null : new Map(of.map(({ call }, i) => [call, i] as const).reverse());
  }
}

const MANY = 16;

const isSamePlace = (a: LineRef, b: LineRef): boolean => a.line === b.line && a.file === b.file;
