import type { Key } from '../model/index.ts';
import { compareSpots, type Node, type Slot } from './nodes.ts';

/** The slot of an id that was named and not claimed yet. */
export const emptySlot = (key: Key): Slot => ({ key, first: null, children: null, rivals: null });

/** Puts a claim in its place; 0: it is the first now. */
export function claim(slot: Slot, node: Node): number {
  if (!slot.first) {
    slot.first = node;
    return 0;
  }
  const last = slot.rivals?.others.at(-1) ?? slot.first;
  if (compareSpots(last.spot, node.spot) < 0) {
    if (slot.rivals) slot.rivals.others.push(node);
    else slot.rivals = { others: [node], firstIn: null, bySign: null };
  } else hold(slot, [...claimsOn(slot), node].sort(compareNodes));
  return slot.first === node ? 0 : 1;
}

export function unclaim(slot: Slot, node: Node): void {
  hold(
    slot,
    claimsOn(slot).filter((other) => other !== node),
  );
}

/** After the place of a claim changed. */
export function sortClaims(slot: Slot): void {
  if (slot.rivals) hold(slot, [...claimsOn(slot)].sort(compareNodes));
}

const compareNodes = (a: Node, b: Node): number => compareSpots(a.spot, b.spot);

function hold(slot: Slot, [first, ...others]: readonly Node[]): void {
  slot.first = first ?? null;
  const { firstIn = null, bySign = null } = slot.rivals ?? {};
  slot.rivals = others.length > 0 ? { others, firstIn, bySign } : null;
}

const NO_NODES: readonly Node[] = [];

/** All claims, in order. */
export function claimsOn({ first, rivals }: Slot): readonly Node[] {
  if (!first) return NO_NODES;
  return rivals ? [first, ...rivals.others] : [first];
}

export function adopt(slot: Slot, child: Node): void {
  child.sibling = slot.children;
  slot.children = child;
}

export function release(slot: Slot, child: Node): void {
  if (slot.children === child) slot.children = child.sibling;
  else {
    let at = slot.children;
    while (at && at.sibling !== child) at = at.sibling;
    if (at) at.sibling = child.sibling;
  }
  child.sibling = null;
}
