import { type Draft, extendDraft, newDraft, partsOf, repliesTo, sortParts } from './drafts.ts';
import { emptyRings } from './empty-rings.ts';
import { findHost } from './find-host.ts';
import { dissolve, nearest, reparent, reparentInward } from './find-parent.ts';
import { findTarget } from './find-target.ts';
import { type Graph, isIn, namesOf, revisitChildren, stray, touchLeaf, touchNamed } from './graph.ts';
import { bondCopies, joinToParent } from './join-files.ts';
import { isGone, type Node, type Role } from './nodes.ts';
import { pair, pairOrdered, revisitAnswered } from './pair-results.ts';
import { isMeant } from './slots.ts';
import { unitePart } from './unite-parts.ts';

/**
 * Decides what a line is in the light of the lines known so far, and what follows for the lines below it. It is called again whenever
 * something it depends on arrives, and does nothing when nothing changed.
 */
export function settle(graph: Graph, first: Node): void {
  const { pending } = graph;
  const limit = 10_000 + 64 * graph.slots.size;
  let steps = 0;
  for (let node: Node | undefined = first; node; node = pending.pop()) {
    // Every step brings the tree nearer to rest; a file that could keep it busy for ever must not hang the reader.
    if (++steps > limit) pending.length = 0;
    if (settleOne(graph, node) && isMeant(node)) revisitChildren(graph, node.slot);
  }
}

/** Two or three are usual; what could go on for ever goes on with the next commit. */
const MOST_ROUNDS = 1000;

/** What is done once for all that was fed, and not for each line: there may be thousands that would go through thousands. */
export function settleRest(graph: Graph): void {
  const { disordered, recalled, farFrom, turned, inward } = graph;
  const rest = [disordered, recalled, farFrom, turned, inward];
  for (let rounds = 0; rounds < MOST_ROUNDS && rest.some(({ size }) => size > 0); rounds++) {
    orderParts(graph);
    revisitAnswered(graph);
    emptyRings(graph);
    reparentInward(graph);
    const first = graph.pending.pop();
    if (first) settle(graph, first);
  }
  for (const draft of graph.renamed) touchNamed(graph, draft);
  graph.renamed.clear();
}

/** Puts the lines of answers in order; the first gives the answer its id and its parent. */
function orderParts(graph: Graph): void {
  const drafts = [...graph.disordered].filter(({ alive }) => alive);
  graph.disordered.clear();
  pairOrdered(graph, drafts);
  for (const draft of drafts) {
    const { head } = draft;
    sortParts(draft);
    graph.pending.push(draft.head);
    if (draft.head === head) continue;
    graph.rearrange(draft.head.spot.file);
    graph.renamed.add(draft);
    for (const { slot } of partsOf(draft)) revisitChildren(graph, slot);
  }
}

/** True when the lines below have to be looked at again. */
function settleOne(graph: Graph, node: Node): boolean {
  if (isGone(node)) return false;
  const target = findTarget(node);
  if (node.parentSlot && !(target && isIn(target, node.spot.file))) stray(graph, node.parentSlot, node);
  const turned = target !== node.target;
  node.target = target;
  if (node.scope !== null && graph.subagentParts.get(node.scope)?.get(node.spot.file)?.first.node === node)
    graph.linksChanged = true;
  const host = node.spot.place.as === 'reply' ? findHost(node) : null;
  const role = roleOf(graph, node, host);
  if (role === 'annotation' && node.spot.place.as === 'reply' && target && !isIn(target, node.spot.file))
    node.target = null;
  const old = node.role;
  if (role !== node.role || (role === 'reply' && node.draft !== (host?.draft ?? null)))
    changeRole(graph, node, role, host);
  const own = role === 'record' || role === 'part' || role === 'reply' ? node.draft : null;
  // A line that is new closes no circle: a line below it does, when it turns to it.
  if (node.slot.children && old !== 'none' && (turned || old !== role)) graph.turned.add(node);
  const anchor = own ?? node.target?.anchor ?? null;
  const main = own?.scope === null ? own : (node.target?.main ?? null);
  const moved = anchor !== node.anchor || main !== node.main;
  // A summary that speaks of a line is shown with the record the line leads to: the session of the old one and of the new one read differently.
  if (moved && graph.summaries.size > 0 && namesOf(graph, node.slot).some((key) => graph.summaries.has(key)))
    for (const draft of [node.anchor, node.main, anchor, main]) if (draft) graph.touchFile(draft.head.spot.file);
  if (moved) touchLeaf(graph, node.slot);
  node.anchor = anchor;
  node.main = main;
  // Which of its lines is the first, and has the parent, is not known yet.
  if (own && !graph.disordered.has(own)) reparent(graph, own);
  hold(graph, node, role === 'annotation' ? nearest(node, node.scope) : undefined);
  return moved || old !== role;
}

function roleOf(graph: Graph, node: Node, host: Node | null): Role {
  const place = node.spot.place;
  if (place.as === 'reply') return host ? 'reply' : place.otherwise;
  if (place.as !== 'result') return place.as;
  if (pair(graph, node)) return place.text ? 'record' : 'result';
  return place.body ? 'annotation' : 'record';
}

export function changeRole(graph: Graph, node: Node, role: Role, host: Node | null): void {
  const old = node.draft;
  if (old && node.role === 'reply') {
    extendDraft(old).replies = repliesTo(old).filter((other) => other !== node);
    graph.touch(old);
  } else if (old && node.role === 'record') dropDraft(graph, old);
  node.draft = null;
  if (node.role !== 'none') {
    graph.rearrange(node.spot.file);
    node.spot.file.ownFrom = 0;
  }
  node.role = role;
  if (role === 'part') graph.touch(unitePart(graph, node, node.spot));
  else if (role === 'record') {
    node.draft = newDraft(node);
    graph.touch(node.draft);
  } else if (role === 'reply' && host?.draft) {
    node.draft = host.draft;
    const more = extendDraft(host.draft);
    if (more.replies) more.replies.push(node);
    else more.replies = [node];
    graph.touch(host.draft);
    // What the command is now may decide which branches are real.
    if (node.spot.place.as === 'reply' && node.spot.place.makes) graph.rearrange(host.draft.head.spot.file);
  }
  bondCopies(graph, node);
}

export function dropDraft(graph: Graph, draft: Draft): void {
  draft.alive = false;
  graph.rearrange(draft.head.spot.file);
  if (draft.more?.cycle) dissolve(graph, draft.more.cycle);
  draft.parent = null;
  joinToParent(graph, draft);
  graph.touch(draft);
}

/** Moves an annotation to the record it is read at. */
export function hold(graph: Graph, node: Node, holder: Draft | null | undefined): void {
  if (node.holder === holder) return;
  const { loose } = node.spot.file;
  graph.touchFile(node.spot.file);
  if (holder === null) loose.add(node);
  else loose.delete(node);
  if (node.holder) {
    node.holder.more?.annotations?.delete(node);
    graph.touch(node.holder);
  }
  node.holder = holder;
  if (holder) {
    const more = extendDraft(holder);
    more.annotations ??= new Set();
    more.annotations.add(node);
    graph.touch(holder);
  }
  if (node.scope !== null) graph.touchedSubagents.add(node.scope);
}
