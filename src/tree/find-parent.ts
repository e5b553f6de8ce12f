import type { SubagentId } from '../model/index.ts';
import { type Draft, extendDraft } from './drafts.ts';
import type { Graph } from './graph.ts';
import { joinToParent } from './join-files.ts';
import type { Node } from './nodes.ts';

/** Nearest record of the main line, or of the same sub-agent, above a node. */
export function nearest(node: Node, scope: SubagentId | null): Draft | null {
  const target = node.target;
  if (!target) return null;
  if (scope === null) return target.main;
  return target.anchor?.scope === scope ? target.anchor : null;
}

export function reparent(graph: Graph, draft: Draft): void {
  const parent = nearest(draft.head, draft.scope);
  if (parent === draft) graph.inward.add(draft);
  else hang(graph, draft, parent);
}

/** Answers whose first line hangs on a later one of their own; there may be thousands of those. */
export function reparentInward(graph: Graph): void {
  for (const draft of graph.inward) {
    const parent = nearest(draft.head, draft.scope);
    if (draft.alive) hang(graph, draft, parent === draft ? beyond(draft) : parent);
  }
  graph.inward.clear();
}

function hang(graph: Graph, draft: Draft, parent: Draft | null): void {
  if (parent !== draft.parent || draft.more?.cycle) setParent(graph, draft, parent);
  joinToParent(graph, draft);
}

/** A part may name another part, or a result of one, as its parent: goes on until the answer is left. */
function beyond(draft: Draft): Draft | null {
  const seen = new Set<Node>();
  let node: Node | null = draft.head;
  let parent: Draft | null = draft;
  while (parent === draft && node && !seen.has(node)) {
    seen.add(node);
    node = node.target;
    parent = node ? nearest(node, draft.scope) : null;
  }
  return parent;
}

function setParent(graph: Graph, draft: Draft, parent: Draft | null): void {
  if (draft.more?.cycle) dissolve(graph, draft.more.cycle);
  if (draft.order >= 0 || draft.more?.cut) graph.rearrange(draft.head.spot.file);
  if (draft.parent !== parent) graph.touch(draft);
  draft.parent = parent;
  if (!parent) return;
  const a = setOf(draft);
  const b = setOf(parent);
  if (a !== b) a.set = b;
  else if (reaches(parent, draft)) cutCycle(graph, draft);
}

function setOf(draft: Draft): Draft {
  let top = draft;
  while (top.set !== top) {
    top.set = top.set.set;
    top = top.set;
  }
  return top;
}

function reaches(from: Draft, goal: Draft): boolean {
  for (let at: Draft | null = from; at; at = at.more?.cycle ? null : at.parent) if (at === goal) return true;
  return false;
}

/** A cycle is cut at its first record in the file (H11). */
function cutCycle(graph: Graph, start: Draft): void {
  const cycle = [start];
  for (let at = start.parent; at && at !== start; at = at.parent) cycle.push(at);
  let first = start;
  for (const draft of cycle) {
    extendDraft(draft).cycle = cycle;
    graph.rearrange(draft.head.spot.file);
    if (compareHeads(draft, first) < 0) first = draft;
    graph.touch(draft);
  }
  extendDraft(first).cut = true;
  graph.cycles.add(cycle);
  joinToParent(graph, first);
}

export function dissolve(graph: Graph, cycle: Draft[]): void {
  graph.cycles.delete(cycle);
  for (const draft of cycle) {
    const more = extendDraft(draft);
    more.cycle = null;
    if (!more.cut) continue;
    more.cut = false;
    graph.touch(draft);
    joinToParent(graph, draft);
  }
}

function compareHeads(a: Draft, b: Draft): number {
  const x = a.head.spot;
  const y = b.head.spot;
  if (x.file === y.file) return x.lineNumber - y.lineNumber;
  return x.file.facts.id < y.file.facts.id ? -1 : 1;
}
