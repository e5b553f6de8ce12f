import type { Draft, FileState } from './nodes.ts';

/** The files of a session, the one it began in first: by the first record that stands in no other file, then by path (H8). */
export function orderFiles(files: readonly FileState[]): FileState[] {
  if (files.length === 1) return [...files];
  const rank = new Map(files.map((file) => [file, firstOwnTime(file)]));
  return [...files].sort((a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0) || (a.facts.id < b.facts.id ? -1 : 1));
}

/** A file with nothing of its own counts as earliest. */
export function firstOwnTime(file: FileState): number {
  for (const spot of file.spots) {
    const draft = spot.node?.draft;
    if (!draft?.alive || draft.scope !== null || spot.node?.role === 'reply') continue;
    if (!isShared(draft)) return draft.head.line.time ?? Number.MAX_SAFE_INTEGER;
  }
  return Number.MIN_SAFE_INTEGER;
}

function isShared(draft: Draft): boolean {
  const { spot, copies } = draft.head;
  return copies?.some((copy) => copy.file !== spot.file) ?? false;
}
