import type { CallId } from './ids.ts';
import type { ToolCall } from './record.ts';

/** One of the calls of a record. */
export interface CallInTurn {
  readonly call: ToolCall;
  /** Its place among all of them. */
  readonly number: number;
  /** So many before it have the same id. */
  readonly again: number;
}

/**
 * Gives the calls of a record to who goes through its blocks. An id may stand in an answer twice: then the first block is the first call.
 * Only calls that have a result show one, else thousands that share an id would each show the results of all.
 */
export function callsInTurn(calls: readonly ToolCall[]): (id: CallId) => CallInTurn | null {
  const [only] = calls;
  // Nearly always there is one.
  if (only && calls.length === 1) {
    let isTaken = false;
    return (id) => {
      if (isTaken || id !== only.id) return null;
      isTaken = true;
      return { call: only, number: 0, again: 0 };
    };
  }
  const byId = Map.groupBy(calls.keys(), (number) => (calls[number] as ToolCall).id);
  const taken = new Map<CallId, number>();
  return (id) => {
    const again = taken.get(id) ?? 0;
    const number = byId.get(id)?.[again];
    if (number === undefined) return null;
    taken.set(id, again + 1);
    return { call: calls[number] as ToolCall, number, again };
  };
}
