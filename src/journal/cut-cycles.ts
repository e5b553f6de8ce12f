import type { SessionEntry } from './entries.ts';
import type { EntriesById } from './walk-path.ts';

/** One entry of every ring of parents: the first in the file. Without its parent all ways end. */
export function cutCycles(byId: EntriesById): ReadonlySet<string> {
  const cuts = new Set<string>();
  const places = new Map([...byId.keys()].map((id, place) => [id, place]));
  /** By which walk an entry was reached first. */
  const reached = new Map<string, number>();
  let walk = 0;
  for (const start of byId.values()) {
    walk++;
    let entry: SessionEntry | undefined = start;
    while (entry && !reached.has(entry.id)) {
      reached.set(entry.id, walk);
      entry = above(entry, byId);
    }
    if (entry && reached.get(entry.id) === walk) cuts.add(firstInRing(entry, byId, places));
  }
  return cuts;
}

function firstInRing(start: SessionEntry, byId: EntriesById, places: ReadonlyMap<string, number>): string {
  const placeOf = ({ id }: SessionEntry) => places.get(id) ?? 0;
  let first = start;
  for (let entry = above(start, byId); entry && entry.id !== start.id; entry = above(entry, byId)) {
    if (placeOf(entry) < placeOf(first)) first = entry;
  }
  return first.id;
}

const above = ({ parentId }: SessionEntry, byId: EntriesById): SessionEntry | undefined =>
  parentId === null ? undefined : byId.get(parentId);
