import { aboveOf, type Draft, extendDraft } from './drafts.ts';
import type { Graph } from './graph.ts';
import type { Component, FileState, Node, Spot } from './nodes.ts';

/**
 * A session is everything reachable from a root, across files (H8): files that share a record, or in which one continues the other, are
 * one component. Bonds are counted, so that one can be taken back when a line turns out to be skipped.
 */
function bond(graph: Graph, a: FileState, b: FileState, by: 1 | -1): void {
  const key = a.index < b.index ? `${a.index} ${b.index}` : `${b.index} ${a.index}`;
  let known = graph.bonds.get(key);
  if (!known) {
    known = { a, b, count: 0 };
    graph.bonds.set(key, known);
  }
  known.count += by;
  if (known.count === 0) {
    graph.bonds.delete(key);
    graph.bondsBroken = true;
  } else if (known.count === 1 && by === 1) unite(graph, a.component, b.component);
}

/** A record that stands in several files holds them together; a skipped line never does (H7). */
export function bondCopies(graph: Graph, node: Node): void {
  if (!node.copies) return;
  releaseCopies(graph, node);
  if (node.scope !== null || (node.role !== 'record' && node.role !== 'part')) return;
  const file = node.spot.file;
  const pairs = node.copies.spots.filter((copy) => copy.file !== file).map((copy) => [file, copy.file] as const);
  graph.copyBonds.set(node, pairs);
  for (const [a, b] of pairs) bond(graph, a, b, 1);
}

export function releaseCopies(graph: Graph, node: Node): void {
  for (const [a, b] of graph.copyBonds.get(node) ?? []) bond(graph, a, b, -1);
  graph.copyBonds.delete(node);
}

/** The same for one more copy. */
export function bondCopy(graph: Graph, node: Node, copy: Spot): void {
  const other = (node.spot === copy ? node.copies?.spots[0] : node.spot)?.file;
  const bonds = graph.copyBonds.get(node);
  if (!bonds) bondCopies(graph, node);
  else if (other && copy.file !== other) {
    bonds.push([other, copy.file]);
    bond(graph, other, copy.file, 1);
  }
}

/** Keeps the bond between a record's file and its parent's file up to date, and who is a root where. */
export function joinToParent(graph: Graph, draft: Draft): void {
  const isMain = draft.scope === null && draft.alive;
  const parent = isMain ? aboveOf(draft) : null;
  // The files in which a line stands hold together anyway: where it was met first stays, where it is read may change.
  const from = draft.head.file;
  const to = parent?.head.file;
  const file = draft.head.spot.file;
  bondTo(graph, draft, from, to && to !== from ? to : null);
  count(graph, draft, isMain ? file : null, isMain && !parent && draft.head.spot.more?.loose !== true);
}

function bondTo(graph: Graph, draft: Draft, from: FileState, to: FileState | null): void {
  const old = draft.more?.bond;
  if (old ? old[0] === from && old[1] === to : !to) return;
  if (old) bond(graph, old[0], old[1], -1);
  extendDraft(draft).bond = to ? [from, to] : null;
  if (to) bond(graph, from, to, 1);
}

function count(graph: Graph, draft: Draft, home: FileState | null, isRoot: boolean): void {
  const old = draft.home;
  if (old !== home) {
    draft.home = home;
    if (draft.more?.isRoot) old?.roots.delete(draft);
    if (old) addRecords(graph, old, -1);
    if (old && !draft.alive) old.ownFrom = 0;
    if (home) addRecords(graph, home, 1);
  }
  if (isRoot) home?.roots.add(draft);
  else if (draft.more?.isRoot) home?.roots.delete(draft);
  if (isRoot || draft.more) extendDraft(draft).isRoot = isRoot;
}

function addRecords(graph: Graph, file: FileState, by: 1 | -1): void {
  const had = file.records > 0;
  file.records += by;
  if (had !== file.records > 0) {
    graph.homesChanged = true;
    if (graph.subagents.size > 0) graph.linksChanged = true;
  }
}

function unite(graph: Graph, a: Component, b: Component): void {
  if (a === b) return;
  const [large, small] = a.files.length >= b.files.length ? [a, b] : [b, a];
  for (const file of small.files) {
    file.component = large;
    large.files.push(file);
    graph.touchFile(file);
  }
  large.arrangement = null;
  graph.homesChanged = true;
  if (graph.subagents.size > 0) graph.linksChanged = true;
}

/** After a bond broke: the components from scratch. Rare, and as long as the list of files. */
export function rejoin(graph: Graph): void {
  for (const file of graph.files.values()) {
    file.component = { files: [file], revision: 0, arrangement: null, id: null };
    graph.touchFile(file);
  }
  for (const { a, b } of graph.bonds.values()) unite(graph, a.component, b.component);
  graph.bondsBroken = false;
  graph.homesChanged = true;
  if (graph.subagents.size > 0) graph.linksChanged = true;
}
