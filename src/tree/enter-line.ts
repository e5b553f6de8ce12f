import type { ChainLine, Key } from '../model/index.ts';
import { enterSubagent, noteTime, scopeOf } from './enter-subagent.ts';
import { findTwin, signOf } from './find-twin.ts';
import { type Graph, isIn, revisitChildren, touchLeaf } from './graph.ts';
import { bondCopy } from './join-files.ts';
import { newNode, spotOf } from './make-nodes.ts';
import { compareSpots, type FileState, type Node, type Rivals, type Slot, type Spot, spotsOf } from './nodes.ts';
import { nameCalls, nameResults, pairAgain } from './pair-results.ts';
import { settle } from './settle-nodes.ts';
import { adopt, claim, claimsOn, release, sortClaims } from './slots.ts';
import { unitePart } from './unite-parts.ts';

/** One line enters: as a new node, or as a copy of one. */
export function enter(graph: Graph, file: FileState, line: ChainLine): Node {
  const scope = scopeOf(graph, file, line);
  graph.touchFile(file);
  const slot = graph.slots.get(line.key) ?? null;
  const twin = slot && findTwin(slot, file, line, scope);
  const node = twin ?? newNode(line, file, slot, scope);
  const spot = twin ? spotOf(line, file) : node.spot;
  const before = scope === null ? file.lastMain : file.lastSub;
  if (scope === null) file.lastMain = spot;
  else file.lastSub = spot;
  file.spots.push(spot);
  if (twin) addCopy(graph, twin, spot);
  else addNode(graph, node, before, line);
  const state = scope === null ? null : enterSubagent(graph, scope, spot);
  if (line.time !== null && line.place.as !== 'annotation') noteTime(state ?? file, line.time);
  return node;
}

/** A step of the queue is shown: it has no id and no parent, and stands where it was written. */
export function addQueueNode(graph: Graph, node: Node): void {
  node.slot = graph.slots.get(node.key) ?? node;
  addNode(graph, node, null, null);
}

/** `before`: the line before it, of the main line or of sub-agents. */
function addNode(graph: Graph, node: Node, before: Spot | null, line: ChainLine | null): void {
  const { slot } = node;
  if (slot === node) graph.slots.add(slot);
  node.node = node;
  linkParent(graph, node, before?.node?.slot ?? null);
  if (line?.place.as === 'result') nameResults(graph, node, line.place);
  const at = claim(slot, node);
  const { rivals } = slot;
  if (!rivals) revisitChildren(graph, slot);
  else if (rivals.others.length === 1 || at === 0 || rivals.others.at(-1) !== node) orderClaims(graph, slot, rivals);
  else addClaim(graph, slot, rivals, node);
  if (line && line.calls.length > 0) nameCalls(graph, node, line.calls);
  settle(graph, node);
}

/** One more claim after the others changes nothing for them. */
function addClaim(graph: Graph, slot: Slot, { bySign, firstIn }: Rivals, node: Node): void {
  const { file } = node.spot;
  graph.rearrange(file);
  bySign?.set(signOf(node), node);
  if (firstIn?.has(file)) return;
  firstIn?.set(file, node.spot);
  revisitChildren(graph, slot);
}

/** The claims on an id are several, or their order changed: names change, and lines below turn to the claim of their own file. */
function orderClaims(graph: Graph, slot: Slot, rivals: Rivals): void {
  graph.conflicts.add(slot);
  touchLeaf(graph, slot.key);
  rivals.bySign = null;
  rivals.firstIn = new Map();
  for (const node of claimsOn(slot)) {
    graph.rearrange(node.spot.file);
    graph.touchFile(node.spot.file);
    for (const spot of spotsOf(node)) {
      const known = rivals.firstIn.get(spot.file);
      if (!known || spot.lineNumber < known.lineNumber) rivals.firstIn.set(spot.file, spot);
    }
    graph.pending.push(node);
    if (node.draft) graph.renamed.add(node.draft);
  }
  revisitChildren(graph, slot);
}

/** `before`: the slot of the line before it, which nearly always is the parent. */
function linkParent(graph: Graph, node: Node, before: Slot | null): void {
  const key = parentKey(node);
  const slot = key === null ? null : before?.key === key ? before : graph.slot(key);
  if (slot === node.parentSlot) return;
  if (node.parentSlot) release(node.parentSlot, node);
  node.parentSlot = slot;
  if (!slot) return;
  adopt(slot, node);
  if (node.parent === key) node.parent = slot.key;
}

/** Copies may have lost their parent when the history before them was dropped: the first that still has one counts. */
function parentKey(node: Node): Key | null {
  if (node.spot.parent !== null || !node.copies) return node.spot.parent;
  for (const copy of [...node.copies].sort(compareCopies)) if (copy.parent !== null) return copy.parent;
  return null;
}

/** The original is the copy that does not say it was forked, then the first by path. */
function compareCopies(a: Spot, b: Spot): number {
  const forkedA = a.more?.forked === true ? 1 : 0;
  const forkedB = b.more?.forked === true ? 1 : 0;
  return forkedA - forkedB || compareSpots(a, b);
}

function addCopy(graph: Graph, node: Node, spot: Spot): void {
  spot.node = node;
  graph.rearrange(spot.file);
  graph.rearrange(node.spot.file);
  graph.touchFile(spot.file);
  const isNewFile = !isIn(node, spot.file);
  const becomesOriginal = compareCopies(spot, node.spot) < 0;
  const copy = becomesOriginal ? node.spot : spot;
  if (node.copies) node.copies.push(copy);
  else node.copies = [copy];
  if (becomesOriginal) moveOriginal(graph, node, spot);
  else if (node.draft) graph.touch(node.draft);
  bondCopy(graph, node, spot);
  const hasParent = node.spot.parent === null && spot.parent !== null;
  if (!isNewFile && !becomesOriginal && !hasParent) return;
  if (node.slot.rivals) orderClaims(graph, node.slot, node.slot.rivals);
  linkParent(graph, node, null);
  if (node.spot.place.as === 'part') unitePart(graph, node, spot.file);
  pairAgain(graph, node);
  if (node.holder) graph.touch(node.holder);
  // Lines below that may not leave their file find their parent there now.
  revisitChildren(graph, node.slot);
  settle(graph, node);
}

/** The line is read from another place now, and the order of what it is part of may change with it. */
function moveOriginal(graph: Graph, node: Node, spot: Spot): void {
  graph.touchFile(node.spot.file);
  if (node.spot.file.loose.delete(node)) spot.file.loose.add(node);
  node.spot = spot;
  sortClaims(node.slot);
  const { draft } = node;
  if (!draft) return;
  if (draft.others) graph.disordered.add(draft);
  graph.touch(draft);
}
