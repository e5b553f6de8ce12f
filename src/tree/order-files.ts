import type { Draft } from './drafts.ts';
import { type FileState, type Node, type Spot, timeOf } from './nodes.ts';

/** The files of a session, the one it began in first: by the first record that stands in no other file, then by path (H8). */
export function orderFiles(files: readonly FileState[]): FileState[] {
  if (files.length === 1) return [...files];
  const rank = new Map(files.map((file) => [file, firstOwnTime(file)]));
  return [...files].sort((a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0) || (a.facts.id < b.facts.id ? -1 : 1));
}

/** A file with nothing of its own counts as earliest. */
function firstOwnTime(file: FileState): number {
  for (; file.ownFrom < file.spots.length; file.ownFrom++) {
    const spot = file.spots[file.ownFrom];
    const draft = spot?.node?.draft;
    if (!draft?.alive || draft.scope !== null || spot?.node?.role === 'reply' || isShared(draft, file)) continue;
    return timeOf(spot as Spot) ?? Number.MAX_SAFE_INTEGER;
  }
  return Number.MIN_SAFE_INTEGER;
}

function isShared({ head, others }: Draft, file: FileState): boolean {
  const isElsewhere = ({ spot, copies }: Node): boolean => spot.file !== file || (copies?.isBeyond(file) ?? false);
  return isElsewhere(head) || (others?.some(isElsewhere) ?? false);
}
