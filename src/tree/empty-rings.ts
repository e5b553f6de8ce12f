import { type Graph, revisitChildren } from './graph.ts';
import type { Node } from './nodes.ts';

/**
 * When the way up from a line leads back to it before it meets a record, the lines on it hold nothing. They would go on feeding each
 * other a value from before the circle closed. Ways up are long where thousands of lines follow each other without a record, so each
 * line is passed once for all lines that may have closed a circle.
 */
export function emptyRings(graph: Graph): void {
  if (graph.turned.size === 0) return;
  for (const ofMain of [false, true]) {
    const passed = new Map<Node, Node>();
    for (const start of graph.turned) {
      let at: Node | null = start;
      for (; at && !passed.has(at) && !holds(at, ofMain); at = at.target) passed.set(at, start);
      if (at && passed.get(at) === start) emptyRing(graph, at, ofMain);
    }
  }
  graph.turned.clear();
}

function emptyRing(graph: Graph, first: Node, ofMain: boolean): void {
  let at: Node | null = first;
  do {
    if (ofMain) at.main = null;
    else at.anchor = null;
    graph.pending.push(at);
    revisitChildren(graph, at.slot);
    at = at.target;
  } while (at && at !== first);
}

/** Whether a line ends the way up. `ofMain`: only a record of the main line does. */
export const holds = ({ draft, role }: Node, ofMain = false): boolean =>
  draft !== null && role !== 'result' && (!ofMain || draft.scope === null);
