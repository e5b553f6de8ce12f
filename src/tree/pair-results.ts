import type { Graph } from './graph.ts';
import { isIn } from './graph.ts';
import { type CallResult, type CallSite, type CallSlot, compareSpots, type Node, type Spot } from './nodes.ts';

/**
 * Results find their call by id, in any order (H3). A result belongs to the call of its own file, or of the answer it hangs on: a file
 * that goes on where another one stopped may begin with it. Elsewhere an equal id is a copy of the session under new ids.
 */
export function nameCalls(graph: Graph, node: Node): void {
  for (const { id, name, tokens } of node.line.calls) {
    const site: CallSite = {
      id,
      name,
      tokens,
      node,
      result: null,
      isError: false,
      more: null,
      body: null,
      subagents: NONE,
    };
    if (node.sites) node.sites.push(site);
    else node.sites = [site];
    if (tokens.length > 0) graph.spawners.push(site);
    if (tokens.length > 0 || graph.linkedCalls.has(id)) graph.linksChanged = true;
    const slot = callSlot(graph, id);
    if (slot.sites) {
      slot.sites.push(site);
      slot.sites.sort(compareSites);
    } else slot.sites = [site];
    revisitResults(graph, slot);
  }
}

const NONE: string[] = [];
const compareSites = (a: CallSite, b: CallSite): number => compareSpots(a.node.spot, b.node.spot);

export function nameResults(graph: Graph, node: Node): void {
  const place = node.line.place;
  if (place.as !== 'result') return;
  node.results = place.of.map((of): CallResult => ({ node, of, body: place.body, site: null }));
  for (const result of node.results) {
    const slot = callSlot(graph, result.of.call);
    if (slot.results) slot.results.push(result);
    else slot.results = [result];
  }
}

/** A call or a result turned up in another file too: who is nearest may be answered differently now. */
export function pairAgain(graph: Graph, node: Node): void {
  for (const { id } of node.sites ?? []) {
    const slot = callSlot(graph, id);
    slot.sites?.sort(compareSites);
    revisitResults(graph, slot);
    assignAll(graph, slot);
  }
  for (const { of } of node.results ?? []) assignAll(graph, callSlot(graph, of.call));
}

/** Finds the calls of a result line as far as they are known; true when it has all of them. */
export function pair(graph: Graph, node: Node): boolean {
  let known = true;
  for (const result of node.results ?? []) {
    const slot = callSlot(graph, result.of.call);
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

function revisitResults(graph: Graph, slot: CallSlot): void {
  for (const { node } of slot.results ?? []) graph.pending.push(node);
}

function callSlot(graph: Graph, id: string): CallSlot {
  let slot = graph.calls.get(id);
  if (!slot) {
    slot = { sites: null, results: null };
    graph.calls.set(id, slot);
  }
  return slot;
}

function siteOf({ sites }: CallSlot, result: Node): CallSite | null {
  if (!sites) return null;
  const here = sites.find((site) => isNear(site.node, result));
  if (here) return here;
  const above = result.target?.anchor;
  return (above && sites.find((site) => site.node.draft === above)) ?? null;
}

const spotsOf = (node: Node): readonly Spot[] => (node.copies ? [node.spot, ...node.copies] : [node.spot]);
const isNear = (a: Node, b: Node): boolean =>
  a.copies ? spotsOf(a).some(({ file }) => isIn(b, file)) : isIn(b, a.spot.file);

/** The results of all calls with one id from the beginning. */
function assignAll(graph: Graph, slot: CallSlot): void {
  for (const site of slot.sites ?? []) {
    site.result = null;
    site.body = null;
    site.isError = false;
    site.more = null;
    touchSite(graph, site);
  }
  for (const result of slot.results ?? []) if (result.site) assign(graph, result.site, result);
}

function assign(graph: Graph, site: CallSite, result: CallResult): void {
  const { node } = result;
  const old = result.body ? site.body : site.result;
  const wins = old === null || isBetter(site, node, old);
  if (wins && result.body) site.body = node;
  else if (wins) {
    site.result = node;
    site.isError = result.of.isError;
  }
  const loser = wins ? old : node;
  if (loser && !site.more) site.more = [loser];
  else if (loser) site.more?.push(loser);
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
