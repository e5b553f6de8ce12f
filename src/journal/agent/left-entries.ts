import type { SessionEntry } from '../entries.ts';
import type { ReadonlySessionManager } from '../session-manager.ts';

export interface LeftEntries {
  entries: SessionEntry[];
  commonAncestorId: string | null;
}

/** What going from one entry to another leaves behind: everything on the old path that is not above the target. Pi's name for it. */
export function collectEntriesForBranchSummary(
  session: Pick<ReadonlySessionManager, 'getBranch'>,
  oldLeafId: string | null,
  targetId: string,
): LeftEntries {
  if (oldLeafId === null) return { entries: [], commonAncestorId: null };
  const oldPath = session.getBranch(oldLeafId);
  const targetPath = session.getBranch(targetId);
  let shared = 0;
  while (shared < oldPath.length && oldPath[shared]?.id === targetPath[shared]?.id) shared++;
  return { entries: oldPath.slice(shared), commonAncestorId: oldPath[shared - 1]?.id ?? null };
}
