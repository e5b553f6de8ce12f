import type { CallId, LineRef } from '../model/index.ts';
import type { Graph } from './graph.ts';
import { type Spot, timeOf } from './nodes.ts';

/** A line with results of calls: when it was written, and which calls it answers. */
export interface ResultLine {
  readonly time: number | null;
  readonly of: readonly FoundResult[];
}

interface FoundResult {
  readonly call: CallId;
  readonly isError: boolean;
  /** Its call is known. */
  readonly isPaired: boolean;
}

/** Null for a line that answers no call, and for the body of an answer. */
export function findResults(graph: Graph, { file, line }: LineRef): ResultLine | null {
  const spot = spotAt(graph.files.get(file)?.spots ?? [], line);
  if (!spot?.node || spot.place.as !== 'result' || spot.place.body) return null;
  const of: FoundResult[] = [];
  for (let result = spot.node.result; result; result = result.also)
    of.push({ call: result.slot.key, isError: result.isError, isPaired: result.site !== null });
  return { time: timeOf(spot), of };
}

/** Spots stand in the order of their lines. */
function spotAt(spots: readonly Spot[], line: number): Spot | undefined {
  let low = 0;
  let high = spots.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((spots[middle] as Spot).lineNumber < line) low = middle + 1;
    else high = middle;
  }
  return spots[low]?.lineNumber === line ? spots[low] : undefined;
}
