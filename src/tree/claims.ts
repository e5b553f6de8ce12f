import { linkParent, revisitBeginnings } from './find-target.ts';
import { signOf } from './find-twin.ts';
import { type Graph, revisitAllStrays, revisitChildren, revisitStrays, touchLeaf } from './graph.ts';
import { bondCopy } from './join-files.ts';
import { Copies, compareCopies, type Node, type Slot, type Spot, spotsOf } from './nodes.ts';
import { pairAgain } from './pair-results.ts';
import { settle } from './settle-nodes.ts';
import { claim, claimNamed, noteSpot, sortClaims } from './slots.ts';
import { unitePart } from './unite-parts.ts';

/** One more line claims an id. Whoever names it may mean this one, and what the others are called may change. */
export function addClaim(graph: Graph, slot: Slot, node: Node): void {
  const { first, rivals: before } = slot;
  claim(slot, node);
  const { rivals } = slot;
  if (!first || !rivals) {
    revisitChildren(graph, slot);
    return;
  }
  rivals.bySign?.set(signOf(node), node);
  graph.rearrange(node.spot.file);
  graph.touchFile(node.spot.file);
  if (!before) {
    // That there are several is news for all that hang on one of them.
    graph.conflicts.add(slot);
    for (const spot of spotsOf(first)) noteSpot(rivals, spot);
    revisitChildren(graph, slot);
    rename(graph, slot, first, node);
    for (const { key } of spotsOf(first)) revisitBeginnings(graph, key);
  }
  for (const spot of spotsOf(node)) addSpot(graph, slot, spot);
  if (slot.first === node) rename(graph, slot, first, node);
}

/** A line stands in one more place. */
function addSpot(graph: Graph, slot: Slot, spot: Spot): void {
  const { rivals } = slot;
  if (rivals) {
    const meant = claimNamed(slot, spot.key);
    const named = rivals.firstOf.get(spot.key);
    if (noteSpot(rivals, spot)) revisitChildren(graph, slot);
    if (rivals.firstOf.get(spot.key) !== named) revisitBeginnings(graph, spot.key);
    const means = claimNamed(slot, spot.key);
    if (meant && means && meant !== means) rename(graph, slot, meant, means);
  }
  revisitStrays(graph, slot, spot.file);
}

/** Another claim is meant by an id now. */
function rename(graph: Graph, slot: Slot, from: Node, to: Node): void {
  touchLeaf(graph, slot);
  revisitAllStrays(graph, slot);
  for (const node of [from, to]) {
    graph.rearrange(node.spot.file);
    graph.touchFile(node.spot.file);
    graph.pending.push(node);
    if (node.draft) graph.renamed.add(node.draft);
  }
}

/** A line that is there stands in one more place. */
export function addCopy(graph: Graph, node: Node, spot: Spot): void {
  spot.node = node;
  graph.rearrange(spot.file);
  graph.rearrange(node.spot.file);
  graph.touchFile(spot.file);
  const becomesOriginal = compareCopies(spot, node.spot) < 0;
  node.copies ??= new Copies();
  node.copies.add(becomesOriginal ? node.spot : spot);
  if (becomesOriginal) moveOriginal(graph, node, spot);
  else if (node.draft) graph.touch(node.draft);
  addSpot(graph, node.slot, spot);
  bondCopy(graph, node, spot);
  const hasParent = node.spot.parent === null && spot.parent !== null;
  if (hasParent || becomesOriginal) linkParent(graph, node, null);
  if (node.spot.place.as === 'part') unitePart(graph, node, spot);
  pairAgain(graph, node, spot);
  if (node.holder) graph.touch(node.holder);
  settle(graph, node);
}

/** The line is read from another place now, and the order of what it is part of may change with it. */
function moveOriginal(graph: Graph, node: Node, spot: Spot): void {
  const { slot, draft } = node;
  const { first } = slot;
  // Of several claims all but the first are called by their place.
  const isRenamed = slot.rivals !== null || node.spot.key !== spot.key;
  graph.touchFile(node.spot.file);
  node.spot.file.times = null;
  if (node.spot.file.loose.delete(node)) spot.file.loose.add(node);
  node.spot = spot;
  sortClaims(slot);
  if (slot.first && first && slot.first !== first) rename(graph, slot, first, slot.first);
  if (!draft) return;
  if (draft.others) graph.disordered.add(draft);
  if (isRenamed) graph.renamed.add(draft);
  graph.touch(draft);
}
