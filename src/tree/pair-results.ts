import type { CallName, Place, ResultOf } from '../model/index.ts';
import { addSite, dropSite, newestSite, noteSpots, siteIn, sitesAt } from './call-sites.ts';
import { type CallResult, type CallSite, type CallSlot, newSite, rareOf, sitesOf } from './calls.ts';
import { type Draft, partsOf } from './drafts.ts';
import { holds } from './empty-rings.ts';
import { type Graph, isIn } from './graph.ts';
import { compareSpots, type Node, type Spot, spotsOf } from './nodes.ts';

/**
 * Results find their call by id, in any order (H3). A result belongs to the call of its own file, or of the answer it hangs on: a file
 * that goes on where another one stopped may begin with it. Elsewhere an equal id is a copy of the session under new ids. Some models
 * use an id again with every answer: of calls that share one, that of the answer above has the result, else the first in its file.
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
    const before = newestSite(slot);
    const isNearer = addSite(slot, site);
    if (call.tokens.length > 0 && node.scope === null)
      rareOf(slot).spawnsIn = (rareOf(slot).spawnsIn ?? new Set()).add(node.spot.file);
    // Of those of one line that share an id the first is enough.
    if (slot.results && before?.node !== node) revisitResults(graph, slot, isNearer);
  }
}

/** Whether it may start a sub-agent, or somebody says that it did. */
function startsSubagent({ slot, node, rare }: CallSite): boolean {
  if (rare && rare.tokens.length > 0) return true;
  // Where another starts sub-agents, one that does not is never taken; a sub-agent's own call cannot have started it.
  const { file } = node.spot;
  return slot.rare?.isLinked === true && !(file.facts.role === 'session' && slot.rare.spawnsIn?.has(file));
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
export function pairAgain(graph: Graph, node: Node, spot?: Spot): void {
  const seen = new Set<CallSlot>();
  for (let site = node.site; site; site = site.also) {
    const { slot } = site;
    if (startsSubagent(site)) graph.linksChanged = true;
    if (seen.has(slot)) continue;
    seen.add(slot);
    revisitResults(graph, slot, noteSpots(slot, site, spot));
    graph.reassigned.add(slot);
  }
  for (let result = node.result; result; result = result.also) graph.reassigned.add(result.slot);
}

/** A line turned out to be a copy of another, which makes the same calls and brings the same results. */
export function forgetCalls(graph: Graph, node: Node): void {
  for (let site = node.site; site; site = site.also) {
    const { slot } = site;
    dropSite(slot, site);
    graph.recalled.add(slot);
    graph.reassigned.add(slot);
    if (startsSubagent(site)) graph.linksChanged = true;
  }
  for (let result = node.result; result; result = result.also) {
    const { slot } = result;
    forgetResult(slot, result);
    graph.reassigned.add(slot);
  }
  node.site = null;
  node.result = null;
}

function forgetResult(slot: CallSlot, result: CallResult): void {
  slot.rare?.far?.delete(result.node);
  if (slot.results === result) {
    slot.results = result.next;
    return;
  }
  for (let at = slot.results; at; at = at.next) if (at.next === result) at.next = result.next;
}

/** Finds the calls of a result line as far as they are known; true when it has all of them. */
export function pair(graph: Graph, node: Node): boolean {
  let known = true;
  let before: CallResult | null = null;
  for (let result = node.result; result; result = result.also) {
    const { slot } = result;
    const old = result.site;
    const site: CallSite | null = before?.slot === slot ? before.site : siteOf(result);
    before = result;
    result.site = site;
    if (!old && site) assign(graph, site, result);
    else if (old !== site) graph.reassigned.add(slot);
    if (!site) known = false;
    // A record that brought a result has it as long as nobody else does.
    if (!old !== !site && node.draft) graph.touch(node.draft);
  }
  return known;
}

/** The lines of answers stand in another order: of calls that share an id another one may be the first. */
export function pairOrdered(graph: Graph, drafts: readonly Draft[]): void {
  const slots = drafts.flatMap(partsOf).flatMap(sitesOf);
  for (const slot of new Set(slots.map((site) => site.slot))) if (slot.rare?.sites) revisitResults(graph, slot, true);
}

/** `all`: else only those that no call of the answer above has. Once for all calls that are fed. */
function revisitResults(graph: Graph, slot: CallSlot, all: boolean): void {
  if (all) graph.recalled.add(slot);
  else graph.farFrom.add(slot);
}

/** Looks again at results of which a call came after them. */
export function revisitAnswered(graph: Graph): void {
  const nodes = new Set<Node>();
  for (const { results } of graph.recalled)
    for (let result = results; result; result = result.next) nodes.add(result.node);
  for (const { rare } of graph.farFrom) for (const node of rare?.far ?? []) nodes.add(node);
  graph.recalled.clear();
  graph.farFrom.clear();
  // The last is looked at first.
  for (const node of nodes.size > 1 ? belowFirst(nodes) : nodes) graph.pending.push(node);
}

/** What a line becomes, all lines below it go by until a record comes: from below, thousands would go through thousands. */
function belowFirst(nodes: ReadonlySet<Node>): Node[] {
  const sorted: Node[] = [];
  const passed = new Set<Node>();
  for (const node of nodes) {
    const way: Node[] = [];
    for (let at: Node | null = node; at && !passed.has(at) && (nodes.has(at) || !holds(at)); at = at.target) {
      passed.add(at);
      if (nodes.has(at)) way.push(at);
    }
    for (let at = way.pop(); at; at = way.pop()) sorted.push(at);
  }
  return sorted.reverse();
}

function siteOf({ slot, node }: CallResult): CallSite | null {
  const { first, rare } = slot;
  if (!first) return null;
  if (!rare?.sites && isNear(first.node, node)) return first;
  const above = node.target?.anchor;
  const own = above ? siteOfAnswer(slot, above) : null;
  if (!rare?.sites) return own;
  if (own) rare.far?.delete(node);
  else rare.far = (rare.far ?? new Set()).add(node);
  return own ?? siteIn(rare, node);
}

/** The first of the calls with an id that an answer makes. It may make thousands, and nearly always few share an id. */
function siteOfAnswer(slot: CallSlot, answer: Draft): CallSite | null {
  const { first, rare } = slot;
  if (!rare?.sites) return first && isPartOf(first.node, answer) ? first : null;
  if (rare.sites.length > FEW) return siteInParts(slot, answer);
  let best: CallSite | null = null;
  for (const site of rare.sites)
    if (isPartOf(site.node, answer) && (!best || compareSpots(site.node.spot, best.node.spot) < 0)) best = site;
  return best;
}

const FEW = 8;
const isPartOf = ({ draft, role }: Node, answer: Draft): boolean => draft === answer && role !== 'reply';

function siteInParts(slot: CallSlot, { head, others }: Draft): CallSite | null {
  const first = siteOfLine(slot, head);
  if (first || !others) return first;
  for (const part of others) {
    const site = siteOfLine(slot, part);
    if (site) return site;
  }
  return null;
}

function siteOfLine(slot: CallSlot, { site }: Node): CallSite | null {
  for (let each = site; each; each = each.also) if (each.slot === slot) return each;
  return null;
}

const isNear = (a: Node, b: Node): boolean =>
  a.copies ? spotsOf(a).some(({ file }) => isIn(b, file)) : isIn(b, a.spot.file);

/** The results of all calls with one id from the beginning, of each id once: a copied answer may repeat one in thousands of lines. */
export function assignAgain(graph: Graph): void {
  for (const slot of graph.reassigned) {
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
  graph.reassigned.clear();
}

/** A line that answers a call several times is one of its results: what it says is read from the line. */
function assign(graph: Graph, site: CallSite, result: CallResult): void {
  const { node } = result;
  const old = result.body ? (site.rare?.body ?? null) : site.result;
  if (old === node) return;
  const wins = old === null || isBetter(site, node, old);
  if (wins && result.body) rareOf(site).body = node;
  else if (wins) {
    site.result = node;
    site.isError = result.isError;
  }
  const loser = wins ? old : node;
  if (loser) {
    const rare = rareOf(site);
    if (!rare.more) rare.more = [loser];
    else if (rare.more.at(-1) !== loser) rare.more.push(loser);
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
