import type { Key } from '../model/index.ts';
import { compareSpots, type FileState, type Node, type Rivals, type Slot, type Spot, spotsOf } from './nodes.ts';

/** The slot of an id that was named and not claimed yet. */
export const emptySlot = (key: Key): Slot => ({ key, first: null, children: null, rivals: null });

/** Puts a claim in its place. */
export function claim(slot: Slot, node: Node): void {
  const { first } = slot;
  if (!first) {
    slot.first = node;
    return;
  }
  slot.rivals ??= noRivals();
  const { others } = slot.rivals;
  if (compareSpots(node.spot, first.spot) < 0) {
    slot.first = node;
    others.unshift(first);
  } else others.splice(placeIn(others, node.spot), 0, node);
}

export function unclaim(slot: Slot, node: Node): void {
  const [first = null, ...others] = claimsOn(slot).filter((other) => other !== node);
  slot.first = first;
  if (!first || others.length === 0) {
    slot.rivals = null;
    return;
  }
  slot.rivals = { ...noRivals(), others };
  for (const other of [first, ...others]) for (const spot of spotsOf(other)) noteSpot(slot.rivals, spot);
}

/** After the place of a claim changed. */
export function sortClaims(slot: Slot): void {
  if (!slot.rivals) return;
  const [first, ...others] = [...claimsOn(slot)].sort((a, b) => compareSpots(a.spot, b.spot));
  slot.first = first as Node;
  slot.rivals.others = others;
}

const noRivals = (): Rivals => ({ others: [], firstIn: new Map(), firstOf: new Map(), bySign: null });

/** Enters one more place of a claim. True when lines of its file mean another claim now than before. */
export function noteSpot({ firstIn, firstOf }: Rivals, spot: Spot): boolean {
  const named = firstOf.get(spot.key);
  if (!named || compareSpots(spot, named) < 0) firstOf.set(spot.key, spot);
  const known = firstIn.get(spot.file);
  if (known && known.lineNumber < spot.lineNumber) return false;
  firstIn.set(spot.file, spot);
  return known !== undefined;
}

/** How many of the claims stand before a place. */
function placeIn(claims: readonly Node[], spot: Spot): number {
  let low = 0;
  let high = claims.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareSpots((claims[middle] as Node).spot, spot) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

const NO_NODES: readonly Node[] = [];

/** All claims, in order. */
export function claimsOn({ first, rivals }: Slot): readonly Node[] {
  if (!first) return NO_NODES;
  return rivals ? [first, ...rivals.others] : [first];
}

/** What an id means: of several claims the one that stands first under it. */
export const claimNamed = ({ first, rivals }: Slot, name: Key): Node | null => rivals?.firstOf.get(name)?.node ?? first;

/** The same for a line in a file: there it means one that stands in the file too. */
export const claimIn = (slot: Slot, name: Key, file: FileState): Node | null =>
  slot.rivals?.firstIn.get(file)?.node ?? claimNamed(slot, name);

/** Whether anything may hang on a claim: of thousands of lines with one id all but a few are never meant by it. */
export function isMeant(node: Node): boolean {
  const { slot, spot, copies } = node;
  const { first, rivals } = slot;
  if (!rivals || copies || first === node) return true;
  return rivals.firstIn.get(spot.file)?.node === node || rivals.firstOf.get(spot.key)?.node === node;
}

/** The claim that stands at a place. */
export function claimAt({ first, rivals }: Slot, file: string, line: number): Node | null {
  const isThere = (node: Node | null | undefined): node is Node =>
    node?.spot.lineNumber === line && node.spot.file.facts.id === file;
  if (isThere(first)) return first;
  const others = rivals?.others ?? NO_NODES;
  let low = 0;
  let high = others.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const { spot } = others[middle] as Node;
    const id = spot.file.facts.id;
    if (id < file || (id === file && spot.lineNumber < line)) low = middle + 1;
    else high = middle;
  }
  return isThere(others[low]) ? (others[low] as Node) : null;
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
