import type { SessionEntry } from './entries.ts';
import type { Labels } from './labels.ts';

/**
 * A path as a session of its own: the labels on it leave and are set anew at its end. What hung on a label hangs on the entry above
 * it, and a compaction that kept from a label on keeps from the entry below it.
 */
export function branchPath(path: readonly SessionEntry[], labels: Labels): SessionEntry[] {
  const kept: SessionEntry[] = [];
  const instead = new Map<string, string>();
  let skipped: string[] = [];
  for (const entry of path) {
    if (entry.type === 'label') {
      skipped.push(entry.id);
      continue;
    }
    for (const id of skipped) instead.set(id, entry.id);
    skipped = [];
    const parentId = kept.at(-1)?.id ?? null;
    if (entry.type === 'compaction') {
      const anchor = entry.firstKeptEntryId;
      kept.push({ ...entry, parentId, firstKeptEntryId: instead.get(anchor) ?? anchor });
    } else kept.push({ ...entry, parentId });
  }
  const targets = new Set(kept.map(({ id }) => id));
  return [...kept, ...labels.rebuild(targets, kept.at(-1)?.id ?? null)];
}
