import type { SessionEntry } from './entries.ts';

export type EntriesById = ReadonlyMap<string, SessionEntry>;

/** From the root down to `leaf`. A parent that is not there ends the way, as does one that was met before. */
export function walkPath(leaf: SessionEntry | undefined, byId: EntriesById): SessionEntry[] {
  const path: SessionEntry[] = [];
  for (let entry = leaf; entry; entry = parentIn(byId, entry)) {
    path.push(entry);
    // Only a way that goes round is longer than all entries there are.
    if (path.length > byId.size) return oneRound(path).reverse();
  }
  return path.reverse();
}

const parentIn = (byId: EntriesById, { parentId }: SessionEntry): SessionEntry | undefined =>
  parentId ? byId.get(parentId) : undefined;

function oneRound(path: readonly SessionEntry[]): SessionEntry[] {
  return [...new Set(path)];
}
