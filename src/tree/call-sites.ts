import { type CallRare, type CallSite, type CallSlot, rareOf } from './calls.ts';
import { compareSpots, type FileState, type Node, type Spot, spotsOf } from './nodes.ts';

/** The first of the calls with one id that stand in a file, and its line there. */
export interface FirstIn {
  readonly site: CallSite;
  readonly line: number;
}

/** Enters a call with its id. True when results may have to turn to it: it is the first, or the first in a file. */
export function addSite(slot: CallSlot, site: CallSite): boolean {
  const { first } = slot;
  if (!first) {
    slot.first = site;
    return true;
  }
  const rare = rareOf(slot);
  if (!rare.sites) {
    rare.sites = [first, site];
    rare.isSorted = false;
    noteSpots(slot, first);
    noteSpots(slot, site);
    return true;
  }
  if (rare.isSorted && compareSites(rare.sites.at(-1) as CallSite, site) > 0) rare.isSorted = false;
  rare.sites.push(site);
  return note(rare, site);
}

/** The line of a call stands in another file too. True as above. */
export function noteSpots({ rare }: CallSlot, site: CallSite, spot?: Spot): boolean {
  if (!rare?.sites) return true;
  rare.isSorted = false;
  return note(rare, site, spot ? [spot] : undefined);
}

/** A call that is not there after all; another with its id is. */
export function dropSite(slot: CallSlot, site: CallSite): void {
  const { rare } = slot;
  const others = sitesAt(slot).filter((other) => other !== site);
  slot.first = others[0] ?? null;
  if (!rare) return;
  rare.sites = others.length > 1 ? others : null;
  rare.byFile = null;
  rare.far = null;
  for (const other of rare.sites ?? []) note(rare, other);
}

/** Where it stands counts, not where its original does: that may move, and thousands of calls would have to be gone through again. */
function note(rare: CallRare, site: CallSite, spots: readonly Spot[] = spotsOf(site.node)): boolean {
  rare.byFile ??= new Map();
  let isNearer = false;
  for (const { file, lineNumber } of spots) {
    const known = rare.byFile.get(file);
    if (known && known.line <= lineNumber) continue;
    rare.byFile.set(file, { site, line: lineNumber });
    isNearer = true;
  }
  return isNearer;
}

/** The call with an id in the file of a result; of several files the first by path. */
export function siteIn({ byFile }: CallRare, result: Node): CallSite | null {
  let best: FileState | null = null;
  for (const { file } of spotsOf(result))
    if (byFile?.has(file) && (!best || file.facts.id < best.facts.id)) best = file;
  return (best && byFile?.get(best)?.site) ?? null;
}

/** The call with an id that was entered last, as far as nobody asked for their order since. */
export const newestSite = ({ first, rare }: CallSlot): CallSite | null => rare?.sites?.at(-1) ?? first;

/** All calls with one id, in order. */
export function sitesAt(slot: CallSlot): readonly CallSite[] {
  const { first, rare } = slot;
  if (!rare?.sites) return first ? [first] : [];
  if (!rare.isSorted) {
    slot.first = rare.sites.sort(compareSites)[0] ?? null;
    rare.isSorted = true;
  }
  return rare.sites;
}

const compareSites = (a: CallSite, b: CallSite): number => compareSpots(a.node.spot, b.node.spot);
