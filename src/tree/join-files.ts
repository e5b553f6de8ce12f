import type { Graph } from './graph.ts';
import type { Component, Draft, FileState, Node, Spot } from './nodes.ts';

/**
 * A session is everything reachable from a root, across files (H8): files that share a record, or in which one continues the other, are
 * one component. Bonds are counted, so that one can be taken back when a line turns out to be skipped.
 */
export function joinFiles(graph: Graph, a: FileState, b: FileState, by: 1 | -1): void {
  if (a === b) return;
  const key = a.index < b.index ? `${a.index} ${b.index}` : `${b.index} ${a.index}`;
  let bond = graph.bonds.get(key);
  if (!bond) {
    bond = { a, b, count: 0 };
    graph.bonds.set(key, bond);
  }
  bond.count += by;
  if (bond.count === 0) {
    graph.bonds.delete(key);
    graph.bondsBroken = true;
  } else if (bond.count === 1 && by === 1) unite(graph, a.component, b.component);
}

/** A record that stands in two files holds them together; a skipped line never does (H7). */
export function shareFiles(graph: Graph, node: Node, copy: Spot): void {
  const place = node.line.place.as;
  if (node.scope !== null || (place !== 'record' && place !== 'part')) return;
  joinFiles(graph, node.spot.file, copy.file, 1);
  copy.file.component.id = null;
}

/** Keeps the bond between a record's file and its parent's file up to date. */
export function joinToParent(graph: Graph, draft: Draft): void {
  const file = draft.head.spot.file;
  const parent = draft.scope === null && draft.alive ? draft.above : null;
  const wanted = parent && parent.head.spot.file !== file ? parent.head.spot.file : null;
  if (draft.linked === wanted) return;
  if (draft.linked) joinFiles(graph, file, draft.linked, -1);
  draft.linked = wanted;
  if (wanted) joinFiles(graph, file, wanted, 1);
}

function unite(graph: Graph, a: Component, b: Component): void {
  if (a === b) return;
  const [large, small] = a.files.length >= b.files.length ? [a, b] : [b, a];
  for (const file of small.files) {
    file.component = large;
    large.files.push(file);
    graph.touchedFiles.add(file);
  }
  large.arrangement = null;
  large.id = null;
}

/** After a bond broke: the components from scratch. Rare, and as long as the list of files. */
export function rejoin(graph: Graph): void {
  for (const file of graph.files.values()) {
    file.component = { files: [file], revision: 0, arrangement: null, id: null };
    graph.touchedFiles.add(file);
  }
  for (const { a, b } of graph.bonds.values()) unite(graph, a.component, b.component);
  graph.bondsBroken = false;
}
