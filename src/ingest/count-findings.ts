import { checkMessages } from '../messages/index.ts';
import type { FindingCounts } from '../stores/index.ts';
import type { Tree } from '../tree/index.ts';

/** How much is odd about a tree and its messages (M5), as `skein check` lists it, but for what only a survey of every key finds. */
export function countFindings(tree: Tree): FindingCounts {
  const counts = { error: 0, warning: 0, note: 0 };
  for (const { severity } of tree.findings()) counts[severity]++;
  for (const { severity } of checkMessages(tree)) counts[severity]++;
  return counts;
}

/** `times` -1: without them. */
export const addFindings = (
  { error, warning, note }: FindingCounts,
  more: FindingCounts,
  times: 1 | -1 = 1,
): FindingCounts => ({
  error: error + times * more.error,
  warning: warning + times * more.warning,
  note: note + times * more.note,
});
