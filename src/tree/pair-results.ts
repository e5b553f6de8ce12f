import type { ResultOf } from '../model/index.ts';
import type { Graph } from './graph.ts';
import { type CallSite, type CallSlot, compareSpots, type Node } from './nodes.ts';

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
      more: [],
      body: null,
      subagents: [],
    };
    node.sites ??= [];
    node.sites.push(site);
    if (tokens.length > 0) {
      graph.spawners.push(site);
      graph.linksChanged = true;
    }
    const slot = callSlot(graph, id);
    const at = slot.sites.findLastIndex((other) => compareSpots(other.node.spot, node.spot) < 0) + 1;
    slot.sites.splice(at, 0, site);
    if (slot.sites.length > 1) slot.byFile = null;
    if (slot.results.length > 0) assignAll(graph, slot);
  }
}

export function nameResults(graph: Graph, node: Node): void {
  const place = node.line.place;
  if (place.as !== 'result') return;
  for (const of of place.of) {
    const slot = callSlot(graph, of.call);
    const result = { node, of, body: place.body };
    slot.results.push(result);
    const site = siteOf(slot, node);
    if (site) assign(graph, site, result);
  }
}

export function areCallsKnown(graph: Graph, of: readonly ResultOf[]): boolean {
  for (const { call } of of) if ((graph.calls.get(call)?.sites.length ?? 0) === 0) return false;
  return true;
}

function callSlot(graph: Graph, id: string): CallSlot {
  let slot = graph.calls.get(id);
  if (!slot) {
    slot = { sites: [], results: [], byFile: null };
    graph.calls.set(id, slot);
  }
  return slot;
}

function siteOf(slot: CallSlot, result: Node): CallSite | undefined {
  const first = slot.sites[0];
  if (!first || slot.sites.length === 1) return first;
  if (!slot.byFile) {
    slot.byFile = new Map();
    for (const site of slot.sites)
      if (!slot.byFile.has(site.node.spot.file)) slot.byFile.set(site.node.spot.file, site);
  }
  return slot.byFile.get(result.spot.file) ?? first;
}

/** A call became known: its results are no records of their own any more. */
function assignAll(graph: Graph, slot: CallSlot): void {
  for (const site of slot.sites) {
    site.result = null;
    site.body = null;
    site.isError = false;
    site.more.length = 0;
    touchSite(graph, site);
  }
  for (const result of slot.results) {
    const site = siteOf(slot, result.node);
    if (site) assign(graph, site, result);
    graph.pending.push(result.node);
  }
}

function assign(graph: Graph, site: CallSite, result: CallSlot['results'][number]): void {
  if (result.body) site.body = site.body && !isBetter(site, result.node, site.body) ? site.body : result.node;
  else if (site.result === null || isBetter(site, result.node, site.result)) {
    if (site.result) site.more.push(site.result);
    site.result = result.node;
    site.isError = result.of.isError;
  } else site.more.push(result.node);
  touchSite(graph, site);
}

function isBetter(site: CallSite, a: Node, b: Node): boolean {
  const file = site.node.spot.file;
  const nearA = a.spot.file === file;
  const nearB = b.spot.file === file;
  return nearA === nearB ? compareSpots(a.spot, b.spot) < 0 : nearA;
}

function touchSite(graph: Graph, site: CallSite): void {
  if (site.node.draft) graph.touch(site.node.draft);
}
