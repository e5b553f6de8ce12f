import { sitesAt } from './call-sites.ts';
import { type CallSite, type CallSlot, tokensOf } from './calls.ts';
import type { Graph } from './graph.ts';
import { type Home, homeAt } from './name-sessions.ts';
import { type Spot, type SubagentState, timeOf } from './nodes.ts';

export const beginOf = (first: Spot | null): number => (first && timeOf(first)) ?? Number.MAX_SAFE_INTEGER;
export const isSpawner = (site: CallSite): boolean => tokensOf(site).length > 0;

/** Calls by their id, for one look at all sub-agents: in which session a call stands may change between two. */
export class CallFinder {
  readonly #graph: Graph;
  readonly #byHome = new Map<CallSlot, Map<Home, CallSite[]>>();

  constructor(graph: Graph) {
    this.#graph = graph;
  }

  /** Of several: one of the sub-agent's own session that starts sub-agents, and of those the last before it began. */
  find(call: string, { id, first }: SubagentState): CallSite | null {
    const slot = this.#graph.calls.get(call);
    if (!slot) return null;
    const sites = sitesAt(slot);
    const isOther = (site: CallSite): boolean => site.node.scope !== id;
    const near = sites.length > 1 && first ? this.#spawnersNear(slot, first) : sites;
    const begin = beginOf(first);
    const before = near.findLast((site) => isOther(site) && beginOf(site.node.spot) <= begin);
    return before ?? near.find(isOther) ?? sites.find(isOther) ?? null;
  }

  /** Of a session; of all where it has none. */
  #spawnersNear(slot: CallSlot, spot: Spot): readonly CallSite[] {
    const sites = sitesAt(slot);
    let byHome = this.#byHome.get(slot);
    if (!byHome) {
      byHome = Map.groupBy(sites, ({ node }) => homeAt(this.#graph, node.spot));
      for (const [home, own] of byHome) byHome.set(home, spawners(own));
      this.#byHome.set(slot, byHome);
    }
    return byHome.get(homeAt(this.#graph, spot)) ?? spawners(sites);
  }
}

/** Those that start sub-agents, where some do. */
function spawners(sites: readonly CallSite[]): CallSite[] {
  const some = sites.filter(isSpawner);
  return some.length > 0 ? some : [...sites];
}
