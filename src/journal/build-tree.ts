import type { SessionEntry } from './entries.ts';
import type { EntryIndex } from './entry-index.ts';
import { timeIn } from './values.ts';

export interface SessionTreeNode {
  entry: SessionEntry;
  /** Oldest first. */
  children: SessionTreeNode[];
  label?: string | undefined;
  /** When the label was last changed. */
  labelTimestamp?: string | undefined;
}

/** The roots in the order of the file; an entry whose parent is not there is one. */
export function buildTree(index: EntryIndex): SessionTreeNode[] {
  const nodes = new Map<string, SessionTreeNode>();
  for (const entry of index.byId.values()) {
    const label = index.labels.size > 0 ? index.labels.get(entry.id) : undefined;
    nodes.set(entry.id, { entry, children: [], label: label?.label, labelTimestamp: label?.timestamp });
  }
  const roots: SessionTreeNode[] = [];
  const forks = new Set<SessionTreeNode>();
  let previous: SessionTreeNode | undefined;
  for (const node of nodes.values()) {
    const { id, parentId } = node.entry;
    // Most entries hang on the one before them: that one need not be looked for.
    let above = parentId === null ? undefined : previous?.entry.id === parentId ? previous : nodes.get(parentId);
    if (index.cuts.size > 0 && index.cuts.has(id)) above = undefined;
    if (!above) roots.push(node);
    else if (above.children.push(node) > 1) forks.add(above);
    previous = node;
  }
  for (const fork of forks) sortByTime(fork.children);
  return roots;
}

/** A time that is none counts as that of the sibling before it. */
function sortByTime(siblings: SessionTreeNode[]): void {
  const times = new Map<SessionTreeNode, number>();
  let time = Number.NEGATIVE_INFINITY;
  for (const node of siblings) {
    const own = timeIn(node.entry.timestamp);
    if (!Number.isNaN(own)) time = own;
    times.set(node, time);
  }
  // Two times without a value would differ by NaN.
  siblings.sort((a, b) => (times.get(a) ?? 0) - (times.get(b) ?? 0) || 0);
}
