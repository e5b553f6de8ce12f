import type { Key, SubagentId } from '../model/index.ts';
import { compareSpots, type Node, type Slot, type Spot } from './nodes.ts';

/** The slot of an id that was named and not claimed yet. */
export const emptySlot = (key: Key): Slot => ({
  key,
  first: null,
  children: null,
  others: null,
  firstIn: null,
  bySign: null,
});

/** `slot`: that of its id, where there is one already. */
export function newNode(slot: Slot | null, spot: Spot, scope: SubagentId | null): Node {
  const node: Omit<Node, 'slot'> & { slot: Slot | null } = {
    key: spot.key,
    first: null,
    children: null,
    others: null,
    firstIn: null,
    bySign: null,
    slot,
    spot,
    copies: null,
    parentSlot: null,
    sibling: null,
    target: null,
    role: 'none',
    draft: null,
    anchor: null,
    main: null,
    holder: undefined,
    site: null,
    result: null,
    scope,
  };
  node.slot ??= node as Slot;
  return node as Node;
}

/** Puts a claim in its place; 0: it is the first now. */
export function claim(slot: Slot, node: Node): number {
  if (!slot.first) {
    slot.first = node;
    return 0;
  }
  const last = slot.others?.at(-1) ?? slot.first;
  if (compareSpots(last.spot, node.spot) < 0) {
    if (slot.others) slot.others.push(node);
    else slot.others = [node];
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
  if (slot.others) hold(slot, [...claimsOn(slot)].sort(compareNodes));
}

const compareNodes = (a: Node, b: Node): number => compareSpots(a.spot, b.spot);

function hold(slot: Slot, [first, ...others]: readonly Node[]): void {
  slot.first = first ?? null;
  slot.others = others.length > 0 ? others : null;
}

const NO_NODES: readonly Node[] = [];

/** All claims, in order. */
export function claimsOn({ first, others }: Slot): readonly Node[] {
  if (!first) return NO_NODES;
  return others ? [first, ...others] : [first];
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
