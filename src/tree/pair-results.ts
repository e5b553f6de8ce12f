import type { CallName, Place, ResultOf } from '../model/index.ts';
import {
  type CallRare,
  type CallResult,
  type CallSite,
  type CallSlot,
  newSite,
  rareOf,
  sitesAt,
  tokensOf,
} from './calls.ts';
import type { Graph } from './graph.ts';
import { isIn } from './graph.ts';
import { compareSpots, type FileState, type Node, type Spot } from './nodes.ts';

/**
 * Results find their call by id, in any order (H3). A result belongs to the call of its own file, or of the answer it hangs on: a file
 * that goes on where another one stopped may begin with it. Elsewhere an equal id is a copy of the session under new ids.
 */
export function nameCalls(graph: Graph, node: Node, calls: readonly CallName[]): void {
  let last: CallSite | null = null;
  for (const call of calls) {
    const known = graph.calls.get(call.id) ?? null;
    const site = newSite(known, call, node);
    const { slot } = site;
    if (!known) graph.calls.add(slot);
    if (last) last.also = site;
    else node.site = site;
    last = site;
    if (call.tokens.length > 0) graph.spawners.push(site);
    if (startsSubagent(site)) graph.linksChanged = true;
    if (slot.first) insertSite(slot, slot.first, site);
    else slot.first = site;
    if (!slot.results) continue;
    const firstHere = slot.rare?.byFile?.get(node.spot.file);
    revisitResults(graph, slot, firstHere && firstHere !== site ? site : null);
  }
}

/** Whether it may start a sub-agent, or somebody says that it did. */
const startsSubagent = (site: CallSite): boolean => tokensOf(site).length > 0 || site.slot.rare?.isLinked === true;
const compareSites = (a: CallSite, b: CallSite): number => compareSpots(a.node.spot, b.node.spot);

/** After the others nothing changes for them; else the first in each file is looked for again. */
function insertSite(slot: CallSlot, first: CallSite, site: CallSite): void {
  const rare = rareOf(slot);
  rare.sites ??= [first];
  const last = rare.sites.at(-1);
  rare.sites.push(site);
  if (last && compareSites(last, site) > 0) sortSites(slot);
  else if (rare.byFile && !rare.byFile.has(site.node.spot.file)) rare.byFile.set(site.node.spot.file, site);
}

function sortSites(slot: CallSlot): void {
  const { rare } = slot;
  if (!rare) return;
  rare.byFile = null;
  if (rare.sites) slot.first = rare.sites.sort(compareSites)[0] ?? null;
}

export function nameResults(graph: Graph, node: Node, { of, body }: Place & { as: 'result' }): void {
  // Nearly always it answers the line it hangs on.
  const above = node.parentSlot?.first?.site;
  for (let i = of.length - 1; i >= 0; i--) {
    const { call, isError } = of[i] as ResultOf;
    const slot = above?.key === call ? above.slot : graph.callSlot(call);
    node.result = { node, slot, isError, body, site: null, also: node.result, next: slot.results };
    slot.results = node.result;
  }
}

/** A call or a result turned up in another file too: who is nearest may be answered differently now. */
export function pairAgain(graph: Graph, node: Node): void {
  for (let site = node.site; site; site = site.also) {
    const { slot } = site;
    if (startsSubagent(site)) graph.linksChanged = true;
    sortSites(slot);
    revisitResults(graph, slot, null);
    assignAll(graph, slot);
  }
  for (let result = node.result; result; result = result.also) assignAll(graph, result.slot);
}

/** Finds the calls of a result line as far as they are known; true when it has all of them. */
export function pair(graph: Graph, node: Node): boolean {
  let known = true;
  for (let result = node.result; result; result = result.also) {
    const { slot } = result;
    const site = siteOf(slot, node);
    if (site !== result.site) {
      const isFirst = result.site === null && site !== null;
      result.site = site;
      if (isFirst) assign(graph, site, result);
      else assignAll(graph, slot);
    }
    if (!site) known = false;
  }
  return known;
}

/** `later`: a call that is not the first in its file: only results that still look for one can be meant. */
function revisitResults(graph: Graph, slot: CallSlot, later: CallSite | null): void {
  for (let result = slot.results; result; result = result.next) {
    if (!later || !slot.rare?.sites || result.site === null) graph.pending.push(result.node);
  }
}

function siteOf(slot: CallSlot, result: Node): CallSite | null {
  const { first: site, rare } = slot;
  if (!site) return null;
  const here = rare?.sites ? nearestSite(rare, rare.sites, result) : isNear(site.node, result) ? site : null;
  if (here) return here;
  const above = result.target?.anchor;
  if (!above) return null;
  return sitesAt(slot).find((each) => each.node.draft === above) ?? null;
}

function nearestSite(rare: CallRare, sites: readonly CallSite[], result: Node): CallSite | null {
  rare.byFile ??= firstByFile(sites);
  let best: CallSite | null = null;
  for (const { file } of spotsOf(result)) {
    const site = rare.byFile.get(file);
    if (site && (!best || compareSites(site, best) < 0)) best = site;
  }
  return best;
}

function firstByFile(sites: readonly CallSite[]): Map<FileState, CallSite> {
  const byFile = new Map<FileState, CallSite>();
  for (const site of sites) for (const { file } of spotsOf(site.node)) if (!byFile.has(file)) byFile.set(file, site);
  return byFile;
}

const spotsOf = (node: Node): readonly Spot[] => (node.copies ? [node.spot, ...node.copies] : [node.spot]);
const isNear = (a: Node, b: Node): boolean =>
  a.copies ? spotsOf(a).some(({ file }) => isIn(b, file)) : isIn(b, a.spot.file);

/** The results of all calls with one id from the beginning. */
function assignAll(graph: Graph, slot: CallSlot): void {
  for (const site of sitesAt(slot)) {
    site.result = null;
    site.isError = false;
    if (site.rare) {
      site.rare.body = null;
      site.rare.more = null;
    }
    touchSite(graph, site);
  }
  for (let result = slot.results; result; result = result.next) if (result.site) assign(graph, result.site, result);
}

function assign(graph: Graph, site: CallSite, result: CallResult): void {
  const { node } = result;
  const old = result.body ? (site.rare?.body ?? null) : site.result;
  const wins = old === null || isBetter(site, node, old);
  if (wins && result.body) rareOf(site).body = node;
  else if (wins) {
    site.result = node;
    site.isError = result.isError;
  }
  const loser = wins ? old : node;
  if (loser) {
    const rare = rareOf(site);
    if (rare.more) rare.more.push(loser);
    else rare.more = [loser];
  }
  touchSite(graph, site);
}

function isBetter(site: CallSite, a: Node, b: Node): boolean {
  const nearA = isNear(a, site.node);
  const nearB = isNear(b, site.node);
  return nearA === nearB ? compareSpots(a.spot, b.spot) < 0 : nearA;
}

function touchSite(graph: Graph, site: CallSite): void {
  if (site.node.draft) graph.touch(site.node.draft);
}
