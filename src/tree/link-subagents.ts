import type { SubagentId } from '../model/index.ts';
import { type CallSite, rareOf, sitesOf, subagentsOf } from './calls.ts';
import { divideSubagents, subagentAt } from './divide-subagents.ts';
import { partsOf } from './drafts.ts';
import { beginOf, CallFinder, isSpawner } from './find-calls.ts';
import { FreeSites } from './free-sites.ts';
import type { Graph } from './graph.ts';
import { homeAt } from './name-sessions.ts';
import type { Node, SubagentState } from './nodes.ts';

/**
 * Brings sub-agents to the calls that started them (H12). What names a sub-agent exactly comes first; the guesses (equal prompt, name,
 * description) take each call once, in the order in which calls and sub-agents began, and only within one session.
 */
export function linkSubagents(graph: Graph): void {
  divideSubagents(graph);
  const states = [...graph.subagents.values()]
    .flat()
    .filter((state) => state.first)
    .sort(byBeginning);
  const finder = new CallFinder(graph);
  const sites = new Map<SubagentState, CallSite>();
  const claimed = new Set<CallSite>();
  const claim = (state: SubagentState, site: CallSite): void => {
    sites.set(state, site);
    claimed.add(site);
  };
  for (const state of states) {
    const site = exactSite(graph, finder, state);
    if (site) claim(state, site);
  }
  const free = new FreeSites(graph, claimed);
  for (const sort of GUESSES) {
    for (const state of states) {
      if (sites.has(state)) continue;
      const site = guessSite(graph, finder, state, sort, free);
      if (site) claim(state, site);
    }
  }
  for (const state of states) {
    const seen = new Set<SubagentState>();
    let before: SubagentState | null = state;
    while (before && !sites.has(before) && !seen.has(before)) {
      seen.add(before);
      before = continued(graph, before);
    }
    const site = before && sites.get(before);
    if (site && site.node.scope !== state.id) sites.set(state, site);
  }
  cutLoops(graph, states, sites);
  publishLinks(graph, states, sites);
}

const GUESSES = ['prompt:', 'parent', 'name:', 'summary:'] as const;

function byBeginning(a: SubagentState, b: SubagentState): number {
  const x = beginOf(a.first);
  const y = beginOf(b.first);
  return x - y || (a.id < b.id ? -1 : 1);
}

function exactSite(graph: Graph, finder: CallFinder, state: SubagentState): CallSite | null {
  for (const token of state.sidecar) {
    const site = token.startsWith('call:') ? finder.find(token.slice('call:'.length), state) : null;
    if (site) return site;
  }
  const tokens = [`agent:${state.id}`];
  for (const { facts } of state.files)
    for (const token of facts.tokens) if (token.startsWith('run:')) tokens.push(token);
  for (const token of tokens) {
    const calls = callsNamed(graph, token);
    const found = calls.flatMap((call) => finder.find(call, state) ?? []).filter((site) => isOwn(graph, state, site));
    const best = found.find(isSpawner) ?? found[0];
    if (best) return best;
  }
  return null;
}

/** Where several sessions gave out an id, each looks for its own calls: in its files, or in one of another name whose lines name it. */
function isOwn(graph: Graph, { id, first }: SubagentState, { node: { spot } }: CallSite): boolean {
  if (!first || (graph.subagents.get(id)?.length ?? 0) < 2) return true;
  const home = homeAt(graph, first);
  return homeAt(graph, spot) === home || spot.env.session === home;
}

/** The calls that are said to have started what a token names, the most trusted first. */
function callsNamed(graph: Graph, token: string): string[] {
  const calls = [...(graph.links.get(token) ?? [])];
  return calls.sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1)).map(([call]) => call);
}

function guessSite(
  graph: Graph,
  finder: CallFinder,
  state: SubagentState,
  sort: (typeof GUESSES)[number],
  free: FreeSites,
): CallSite | null {
  const { first, opening } = state;
  if (!first) return null;
  if (sort === 'parent') return parentSite(first.node);
  const tokens = [...(opening?.more?.tokens ?? []), ...state.sidecar].filter((token) => token.startsWith(sort));
  for (const token of tokens) {
    for (const call of callsNamed(graph, token)) {
      const site = finder.find(call, state);
      if (site) return site;
    }
    const site = free.take(token, state, first);
    if (site) return site;
  }
  return null;
}

/** Old logs hang the first record of a sub-agent on the answer that started it. */
function parentSite(node: Node | null): CallSite | null {
  const above = node?.target?.anchor;
  if (!node || !above || above.scope === node.scope) return null;
  const sites = partsOf(above).flatMap(sitesOf).filter(isSpawner);
  return sites.length === 1 ? (sites[0] ?? null) : null;
}

/** A teammate may have a file for each time it was woken; the next begins where the last one ended. */
function continued(graph: Graph, state: SubagentState): SubagentState | null {
  const before = state.first?.node?.target;
  const scope = before?.scope;
  return scope && scope !== state.id ? (subagentAt(graph, scope, before.spot) ?? null) : null;
}

/** Two sub-agents that claim to have started each other: the chain is opened where it was entered. */
function cutLoops(graph: Graph, states: readonly SubagentState[], sites: Map<SubagentState, CallSite>): void {
  for (const state of states) {
    const seen = new Set<SubagentState>();
    for (let at: SubagentState | undefined = state; at; ) {
      if (seen.has(at)) {
        sites.delete(at);
        break;
      }
      seen.add(at);
      const node: Node | undefined = sites.get(at)?.node;
      at = node?.scope ? subagentAt(graph, node.scope, node.spot) : undefined;
    }
  }
}

function publishLinks(
  graph: Graph,
  states: readonly SubagentState[],
  sites: ReadonlyMap<SubagentState, CallSite>,
): void {
  const owned = new Map<CallSite, SubagentId[]>();
  for (const state of states) {
    const site = sites.get(state) ?? null;
    if (state.site !== site) for (const file of state.files) graph.touchFile(file);
    state.site = site;
    if (!site) continue;
    const ids = owned.get(site);
    if (ids) ids.push(state.id);
    else owned.set(site, [state.id]);
  }
  for (const site of graph.spawnedAt) if (!owned.has(site)) setSubagents(graph, site, []);
  graph.spawnedAt = new Set(owned.keys());
  for (const [site, ids] of owned) setSubagents(graph, site, ids);
}

function setSubagents(graph: Graph, site: CallSite, ids: SubagentId[]): void {
  const known = subagentsOf(site);
  if (known.length === ids.length && known.every((id, i) => id === ids[i])) return;
  rareOf(site).subagents = ids;
  if (site.node.draft) graph.touch(site.node.draft);
  graph.homesChanged = true;
}
