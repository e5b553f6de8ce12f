import { type CallSite, tokensOf } from './calls.ts';
import { beginOf } from './find-calls.ts';
import type { Graph } from './graph.ts';
import { type Home, homeAt } from './name-sessions.ts';
import { compareSpots, isGone, type Spot, type SubagentState, timeOf } from './nodes.ts';

/**
 * Calls that start sub-agents and were not taken yet, by what the sub-agents may be recognised by. Old logs start thousands with the same
 * prompt: each of their calls is looked at a few times, not once for each of them.
 */
export class FreeSites {
  readonly #graph: Graph;
  readonly #claimed: ReadonlySet<CallSite>;
  readonly #waiting = new Map<string, Map<Home, Waiting>>();

  constructor(graph: Graph, claimed: ReadonlySet<CallSite>) {
    this.#graph = graph;
    this.#claimed = claimed;
    const byToken = new Map<string, CallSite[]>();
    const sites = graph.spawners.filter(({ node }) => !isGone(node));
    for (const site of sites.sort((a, b) => compareSpots(a.node.spot, b.node.spot))) {
      for (const token of tokensOf(site)) {
        const list = byToken.get(token);
        if (list) list.push(site);
        else byToken.set(token, [site]);
      }
    }
    for (const [token, list] of byToken) {
      const byHome = Map.groupBy(list, ({ node }) => homeAt(graph, node.spot));
      this.#waiting.set(token, new Map([...byHome].map(([home, own]) => [home, new Waiting(own)])));
    }
  }

  /** The first of the calls of its session that was made before a sub-agent began, else the first of all. Sub-agents ask in the order they began. */
  take(token: string, { id }: SubagentState, first: Spot): CallSite | null {
    const waiting = this.#waiting.get(token)?.get(homeAt(this.#graph, first));
    return waiting?.first(beginOf(first), (site) => site.node.scope !== id, this.#claimed) ?? null;
  }
}

/** Calls with one token in one session, in the order of their lines. */
class Waiting {
  readonly #sites: readonly CallSite[];
  /** Those by the time they were made, and how many of them were made before the last sub-agent began. */
  readonly #byTime: readonly number[];
  #due = 0;
  /** Places of calls that are due, the first line at the top. */
  readonly #heap: number[] = [];
  /** All before this one are taken. */
  #from = 0;

  constructor(sites: readonly CallSite[]) {
    this.#sites = sites;
    this.#byTime = [...sites.keys()].sort((a, b) => this.#timeOf(a) - this.#timeOf(b));
  }

  first(begin: number, isOther: (site: CallSite) => boolean, claimed: ReadonlySet<CallSite>): CallSite | null {
    for (; this.#due < this.#byTime.length; this.#due++) {
      const place = this.#byTime[this.#due] as number;
      if (this.#timeOf(place) > begin) break;
      push(this.#heap, place);
    }
    return this.#inTime(isOther, claimed) ?? this.#any(isOther, claimed);
  }

  #inTime(isOther: (site: CallSite) => boolean, claimed: ReadonlySet<CallSite>): CallSite | null {
    const own: number[] = [];
    let found: CallSite | null = null;
    for (let place = this.#heap[0]; place !== undefined && !found; place = this.#heap[0]) {
      const site = this.#sites[place] as CallSite;
      if (!claimed.has(site) && isOther(site)) found = site;
      else {
        pop(this.#heap);
        // A sub-agent is not started by its own call; another one may be.
        if (!claimed.has(site)) own.push(place);
      }
    }
    for (const place of own) push(this.#heap, place);
    return found;
  }

  #any(isOther: (site: CallSite) => boolean, claimed: ReadonlySet<CallSite>): CallSite | null {
    const sites = this.#sites;
    while (this.#from < sites.length && claimed.has(sites[this.#from] as CallSite)) this.#from++;
    for (let at = this.#from; at < sites.length; at++) {
      const site = sites[at] as CallSite;
      if (!claimed.has(site) && isOther(site)) return site;
    }
    return null;
  }

  #timeOf(place: number): number {
    return timeOf((this.#sites[place] as CallSite).node.spot) ?? 0;
  }
}

function push(heap: number[], value: number): void {
  let at = heap.push(value) - 1;
  while (at > 0) {
    const up = (at - 1) >> 1;
    if ((heap[up] as number) <= value) break;
    heap[at] = heap[up] as number;
    at = up;
  }
  heap[at] = value;
}

function pop(heap: number[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let at = 0;
  for (let down = 1; down < heap.length; down = 2 * at + 1) {
    if (down + 1 < heap.length && (heap[down + 1] as number) < (heap[down] as number)) down++;
    if ((heap[down] as number) >= last) break;
    heap[at] = heap[down] as number;
    at = down;
  }
  heap[at] = last;
}
