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
  const { nodes: entries } = index;
  const counts = countChildren(index);
  const nodes = new Array<SessionTreeNode>(entries.length);
  for (let at = 0; at < entries.length; at++)
    nodes[at] = nodeOf(entries[at] as SessionEntry, counts[at] as number, index);
  const roots: SessionTreeNode[] = [];
  for (let at = 0; at < entries.length; at++) {
    const node = nodes[at] as SessionTreeNode;
    const parent = index.parentAt(at);
    if (parent < 0) roots.push(node);
    else if (counts[parent] === 1) (nodes[parent] as SessionTreeNode).children[0] = node;
    else (nodes[parent] as SessionTreeNode).children.push(node);
  }
  for (let at = 0; at < entries.length; at++)
    if ((counts[at] as number) > 1) sortByTime((nodes[at] as SessionTreeNode).children);
  return roots;
}

function countChildren(index: EntryIndex): Int32Array {
  const counts = new Int32Array(index.nodes.length);
  for (let at = 0; at < counts.length; at++) {
    const parent = index.parentAt(at);
    if (parent >= 0) counts[parent] = (counts[parent] as number) + 1;
  }
  return counts;
}

/** Nearly all entries have one child: a list of one takes an eighth of the room that a list has to which one was added. */
function nodeOf(entry: SessionEntry, count: number, { labels }: EntryIndex): SessionTreeNode {
  const label = labels.size > 0 ? labels.get(entry.id) : undefined;
  const children = count === 1 ? [PENDING] : [];
  return { entry, children, label: label?.label, labelTimestamp: label?.timestamp };
}

/** Stands in until the child is made. */
const PENDING = {} as SessionTreeNode;

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
