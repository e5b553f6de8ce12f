import type { SubagentId } from '../model/index.ts';
import type { Graph } from './graph.ts';
import { type Home, homeAt, homeOf } from './name-sessions.ts';
import { type FileState, type Spot, type SubagentPart, SubagentState } from './nodes.ts';

/**
 * An id is given out once in a session, but two sessions may give out the same one: their files lie in the folders of their sessions, or
 * name them. So an id that several files name is a sub-agent of each of the sessions they belong to.
 */
export function divideSubagents(graph: Graph): void {
  for (const [id, parts] of graph.subagentParts) if (parts.size > 1) divide(graph, id, [...parts.values()]);
  for (const [id, sidecars] of graph.sidecars) {
    const states = graph.subagents.get(id) ?? [];
    for (const state of states) state.sidecar = tokensFor(graph, state, sidecars, states.length === 1);
  }
}

function divide(graph: Graph, id: SubagentId, parts: readonly SubagentPart[]): void {
  const known = graph.subagents.get(id) ?? [];
  const sorted = [...parts].sort((a, b) => (a.file.facts.id < b.file.facts.id ? -1 : 1));
  const left = new Set(known);
  const states: SubagentState[] = [];
  for (const own of Map.groupBy(sorted, ({ first }) => homeAt(graph, first)).values()) {
    const before = known.find((state) => left.has(state) && state.parts.some((part) => own.includes(part)));
    const state = before ?? new SubagentState(id);
    left.delete(state);
    if (!isSame(state.parts, own)) {
      for (const { file } of own) graph.touchFile(file);
      graph.touchedSubagents.add(id);
      graph.homesChanged = true;
      state.parts = own;
    }
    states.push(state);
  }
  graph.subagents.set(id, states);
}

const isSame = (a: readonly SubagentPart[], b: readonly SubagentPart[]): boolean =>
  a.length === b.length && a.every((part, i) => part === b[i]);

function tokensFor(
  graph: Graph,
  { first }: SubagentState,
  sidecars: readonly { readonly file: FileState; readonly tokens: readonly string[] }[],
  isOnly: boolean,
): readonly string[] {
  const home = first && homeAt(graph, first);
  const own = isOnly ? sidecars : sidecars.filter(({ file }) => homeOf(graph, file, null) === home);
  return own.at(-1)?.tokens ?? [];
}

/** The sub-agent with an id in the session that a line belongs to. */
export function subagentAt(graph: Graph, id: SubagentId, spot: Spot): SubagentState | undefined {
  const states = graph.subagents.get(id);
  if (!states || states.length < 2) return states?.[0];
  return states.find(({ parts }) => parts.some(({ file }) => file === spot.file)) ?? inHome(graph, states, spot);
}

const inHome = (graph: Graph, states: readonly SubagentState[], spot: Spot): SubagentState | undefined => {
  const home: Home = homeAt(graph, spot);
  return states.find(({ first }) => first && homeAt(graph, first) === home) ?? states[0];
};
