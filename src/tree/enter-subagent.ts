import { type ChainLine, INLINE, type Key, type SubagentId } from '../model/index.ts';
import type { Graph } from './graph.ts';
import {
  compareSpots,
  type FileState,
  type Node,
  newTimes,
  type Slot,
  type Spot,
  SubagentPart,
  SubagentState,
  spotsOf,
  type Times,
  timeOf,
} from './nodes.ts';
import { claimsOn } from './slots.ts';

/**
 * The sub-agent a line belongs to. Old logs write sub-agents between the lines of the session without an id: there it is the sub-agent
 * of the parent in this file; no parent, or one of the main line, begins a new one; a parent nobody knows means the one before.
 */
export function scopeOf(graph: Graph, file: FileState, line: ChainLine): SubagentId | null {
  if (line.subagent !== INLINE) return line.subagent;
  const parent = line.parent === null ? null : firstClaimIn(graph.find(line.parent), line.parent, file);
  if (parent?.scope) return parent.scope;
  if (line.parent === null || parent) return line.key;
  return file.lastSub?.node?.scope ?? line.key;
}

/** What other files say of an id does not matter here. */
function firstClaimIn(slot: Slot | null, key: Key, file: FileState): Node | null {
  let first: Spot | null = null;
  for (const node of slot ? claimsOn(slot) : []) {
    for (const each of spotsOf(node)) {
      if (each.file === file && each.key === key && (!first || each.lineNumber < first.lineNumber)) first = each;
    }
  }
  return first?.node ?? null;
}

export function enterSubagent(graph: Graph, id: SubagentId, spot: Spot): SubagentPart {
  graph.touchedSubagents.add(id);
  const part = partIn(graph, id, spot);
  part.spots.push(spot);
  if (spot.more?.tokens && (!part.opening || compareSpots(spot, part.opening) < 0)) {
    part.opening = spot;
    graph.linksChanged = true;
  }
  if (part.spots.length > 1 && compareSpots(part.first, spot) <= 0) return part;
  part.first = spot;
  graph.homesChanged = true;
  graph.linksChanged = true;
  return part;
}

function partIn(graph: Graph, id: SubagentId, spot: Spot): SubagentPart {
  let parts = graph.subagentParts.get(id);
  if (!parts) {
    parts = new Map();
    graph.subagentParts.set(id, parts);
  }
  let part = parts.get(spot.file);
  if (!part) {
    part = new SubagentPart(spot);
    parts.set(spot.file, part);
    // Whose it is will be told when all is known.
    const [state = new SubagentState(id), ...others] = graph.subagents.get(id) ?? [];
    state.parts.push(part);
    graph.subagents.set(id, [state, ...others]);
  }
  return part;
}

export function noteTime(times: Times | null, time: number): void {
  if (!times) return;
  if (times.first === null || time < times.first) times.first = time;
  if (times.last === null || time > times.last) times.last = time;
}

/** When the lines of a file were written that are shown: no copies, and nothing that is skipped or hidden. */
export function timesOf(file: FileState): Times {
  if (file.times) return file.times;
  const times = newTimes();
  for (const spot of file.spots) {
    const { node, place, more } = spot;
    if ((node && (node.spot !== spot || node.scope !== null)) || place.as === 'annotation' || more?.hidden) continue;
    const time = timeOf(spot);
    if (time !== null) noteTime(times, time);
  }
  file.times = times;
  return times;
}
