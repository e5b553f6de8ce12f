import type { Key } from '../model/index.ts';
import { type Graph, isIn } from './graph.ts';
import type { Node, Slot } from './nodes.ts';
import { adopt, claimIn, release } from './slots.ts';

/** Notes which id a line hangs on. `before`: the slot of the line before it, which nearly always is the one. */
export function linkParent(graph: Graph, node: Node, before: Slot | null): void {
  const key = parentKey(node);
  const slot = key === null ? slotOfOrigin(graph, node) : before?.key === key ? before : graph.slot(key);
  if (slot === node.parentSlot) return;
  if (node.parentSlot) release(node.parentSlot, node);
  node.parentSlot = slot;
  if (!slot) return;
  adopt(slot, node);
  // The same text is held once.
  if (node.parent === slot.key) node.parent = slot.key;
}

/** Copies may have lost their parent when the history before them was dropped: the first that still has one counts. */
const parentKey = ({ spot, copies }: Node): Key | null => spot.parent ?? copies?.parented?.parent ?? null;

/** A fork may begin with another text than that of the line it names: then it goes on from there. */
function slotOfOrigin(graph: Graph, node: Node): Slot | null {
  const copyOf = node.spot.more?.copyOf;
  if (copyOf === undefined) return null;
  const beginnings = graph.beginnings.get(copyOf);
  if (beginnings) beginnings.add(node);
  else graph.beginnings.set(copyOf, new Set([node]));
  return originOf(node) ? node.slot : null;
}

function originOf({ spot, slot }: Node): Node | null {
  const origin = slot.rivals?.firstOf.get(spot.more?.copyOf ?? '')?.node ?? null;
  return origin?.spot === spot ? null : origin;
}

/** Forks that begin with another text look again for the line with this id. */
export function revisitBeginnings(graph: Graph, key: Key): void {
  for (const node of graph.beginnings.get(key) ?? []) {
    linkParent(graph, node, null);
    // What names no parent begins a conversation, whatever becomes of it.
    graph.rearrange(node.spot.file);
    graph.touchFile(node.spot.file);
    graph.pending.push(node);
  }
}

/**
 * The line a parent id means. With several claims it is the one in the same file, else the first. A skipped line that several files
 * share leads only to lines of its own file, and an injected one never out of it: else unrelated sessions would be joined (H7).
 */
export function findTarget(node: Node): Node | null {
  const slot = node.parentSlot;
  if (!slot) return null;
  const { file, place: own } = node.spot;
  const key = parentKey(node);
  const target = key === null ? originOf(node) : claimIn(slot, key, file);
  if (!target || isIn(target, file)) return target;
  const { place } = target.spot;
  if (target.role === 'annotation' && (place.as !== 'annotation' || !place.joins || slot.rivals)) return null;
  if (own.as === 'annotation' && (!own.joins || node.slot.rivals)) return null;
  return target;
}
