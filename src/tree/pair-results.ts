import type { ResultOf } from '../model/index.ts';
import { type Graph, isIn } from './graph.ts';
import { type CallResult, type CallSite, type CallSlot, compareSpots, type Node, type Spot } from './nodes.ts';

/**
 * Results find their call by id, in any order, over all files (H3). A result belongs to the call of its own file, else to the first one:
 * copies of a session with new ids repeat the ids of calls.
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
    if (!slot.sites) slot.sites = [site];
    else {
      const at = slot.sites.findLastIndex((other) => compareSpots(other.node.spot, node.spot) < 0) + 1;
      slot.sites.splice(at, 0, site);
      slot.byFile = null;
    }
    if (slot.results) assignAll(graph, slot);
  }
}

const NONE: string[] = [];

export function nameResults(graph: Graph, node: Node): void {
  const place = node.line.place;
  if (place.as !== 'result') return;
  for (const of of place.of) {
    const slot = callSlot(graph, of.call);
    const result: CallResult = { node, of, body: place.body };
    if (slot.results) slot.results.push(result);
    else slot.results = [result];
    const site = siteOf(slot, node);
    if (site) assign(graph, site, result);
  }
}

/** A call or a result turned up in another file too: who is nearest may be answered differently now. */
export function pairAgain(graph: Graph, node: Node): void {
  for (const { id } of node.sites ?? []) again(graph, id);
  if (node.line.place.as === 'result') for (const { call } of node.line.place.of) again(graph, call);
}

function again(graph: Graph, id: string): void {
  const slot = graph.calls.get(id);
  if (!slot) return;
  slot.sites?.sort((a, b) => compareSpots(a.node.spot, b.node.spot));
  slot.byFile = null;
  assignAll(graph, slot);
}

export function areCallsKnown(graph: Graph, of: readonly ResultOf[]): boolean {
  for (const { call } of of) if (!graph.calls.get(call)?.sites) return false;
  return true;
}

function callSlot(graph: Graph, id: string): CallSlot {
  let slot = graph.calls.get(id);
  if (!slot) {
    slot = { sites: null, results: null, byFile: null };
    graph.calls.set(id, slot);
  }
  return slot;
}

function siteOf(slot: CallSlot, result: Node): CallSite | undefined {
  const sites = slot.sites;
  if (!sites || sites.length === 1) return sites?.[0];
  if (!slot.byFile) {
    slot.byFile = new Map();
    for (const site of sites) {
      for (const { file } of spotsOf(site.node)) if (!slot.byFile.has(file)) slot.byFile.set(file, site);
    }
  }
  for (const { file } of inPathOrder(result)) {
    const near = slot.byFile.get(file);
    if (near) return near;
  }
  return sites[0];
}

/** A call became known: its results are no records of their own any more. */
function assignAll(graph: Graph, slot: CallSlot): void {
  for (const site of slot.sites ?? []) {
    site.result = null;
    site.body = null;
    site.isError = false;
    site.more = null;
    touchSite(graph, site);
  }
  for (const result of slot.results ?? []) {
    const site = siteOf(slot, result.node);
    if (site) assign(graph, site, result);
    graph.pending.push(result.node);
  }
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
  if (loser) site.more = [...(site.more ?? []), loser];
  touchSite(graph, site);
}

const spotsOf = (node: Node): readonly Spot[] => (node.copies ? [node.spot, ...node.copies] : [node.spot]);
const inPathOrder = (node: Node): readonly Spot[] =>
  node.copies ? [...spotsOf(node)].sort(compareSpots) : [node.spot];
const isNear = (a: Node, b: Node): boolean => spotsOf(a).some(({ file }) => isIn(b, file));

function isBetter(site: CallSite, a: Node, b: Node): boolean {
  const nearA = isNear(a, site.node);
  const nearB = isNear(b, site.node);
  return nearA === nearB ? compareSpots(a.spot, b.spot) < 0 : nearA;
}

function touchSite(graph: Graph, site: CallSite): void {
  if (site.node.draft) graph.touch(site.node.draft);
}
