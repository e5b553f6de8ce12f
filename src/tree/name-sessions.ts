import type { SessionId } from '../model/index.ts';
import type { Graph } from './graph.ts';
import { type Component, type FileState, type Spot, type SubagentState, spotsOf } from './nodes.ts';
import { orderFiles } from './order-files.ts';

/** Where the records of a session are: in files that hang together, or under a native id of which only sub-agents are left (H12). */
export type Home = Component | string;

/**
 * The id of a session: of the files that hold a root the one that has it without saying it was forked, then the one that began first (H8).
 */
export function electId(component: Component): SessionId {
  const only = component.files[0];
  if (component.files.length === 1 && only) return only.native;
  const files = orderFiles(component.files);
  const roots = files.flatMap((file) => [...file.roots]);
  const real = roots.filter(({ head }) => head.parentSlot === null);
  const spots = (real.length > 0 ? real : roots).flatMap(({ head }) => spotsOf(head));
  const original = spots.filter((spot) => spot.more?.forked !== true);
  const holders = new Set((original.length > 0 ? original : spots).map((spot) => spot.file));
  return (files.find((file) => holders.has(file)) ?? files[0])?.native ?? '';
}

export const hasRecords = (component: Component): boolean => component.files.some((file) => file.records > 0);

/** The session a file belongs to: its component, or for a sub-agent's file that of the session it names. */
export function homeOf(graph: Graph, file: FileState, session: string | null): Home {
  if (file.facts.role === 'session') return file.component;
  const native = file.facts.session ?? session ?? file.native;
  return graph.natives.get(native)?.component ?? native;
}

/** Where a line of a sub-agent is listed: with the records of its session, or alone under the session's id. */
export function homeAt(graph: Graph, { file, env }: Spot): Home {
  const home = homeOf(graph, file, env.session);
  if (typeof home !== 'string' && hasRecords(home)) return home;
  const native = typeof home === 'string' ? home : (env.session ?? file.facts.session ?? file.native);
  const named = graph.natives.get(native)?.component;
  return named && hasRecords(named) ? named : native;
}

export const homeOfSubagent = (graph: Graph, { first }: SubagentState): Home => (first ? homeAt(graph, first) : '');

/** Each is listed once, however many sessions ask for theirs. */
export function subagentsAt(graph: Graph, home: Home): readonly SubagentState[] {
  graph.listed ??= Map.groupBy([...graph.subagents.values()].flat(), (state) => homeOfSubagent(graph, state));
  return graph.listed.get(home) ?? NONE;
}

const NONE: readonly SubagentState[] = [];

/** Every session by its id. Two that would have the same id (a file was copied by hand) get different ones: the first by path keeps it. */
export function nameSessions(graph: Graph): Map<SessionId, Home> {
  const homes = new Map<SessionId, Home>();
  const components = new Set([...graph.files.values()].map((file) => file.component));
  const sorted = [...components].filter(hasRecords).sort((a, b) => (firstPath(a) < firstPath(b) ? -1 : 1));
  for (const component of sorted) {
    const id = electId(component);
    const free = homes.has(id) ? `${id}@${firstPath(component)}` : id;
    homes.set(free, component);
    component.id = free;
  }
  for (const state of [...graph.subagents.values()].flat()) {
    const home = homeOfSubagent(graph, state);
    if (typeof home === 'string' && home !== '' && !homes.has(home)) homes.set(home, home);
  }
  return homes;
}

const firstPath = ({ files }: Component): string =>
  files.reduce((first: string, { facts }: FileState) => (first && first < facts.id ? first : facts.id), '');
