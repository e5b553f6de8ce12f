import { initialState, type OutlineNode } from '../../outline/index.ts';

/** Nodes stand in groups of about so many: the browser lays out those that are near, and of the others only the groups. */
const GROUP = 50;

/** Children in groups, where there are many nodes below. */
export function groupsOf({ children, totalCount }: OutlineNode): OutlineNode[][] | null {
  if (totalCount <= 2 * GROUP) return null;
  const groups: OutlineNode[][] = [];
  let weight = GROUP;
  for (const child of children) {
    if (weight >= GROUP) {
      groups.push([]);
      weight = 0;
    }
    weight += 1 + child.totalCount;
    groups.at(-1)?.push(child);
  }
  return groups;
}

/** Whether no group is inside of it. */
export const isInnermost = (nodes: readonly OutlineNode[]): boolean =>
  nodes.every(({ totalCount }) => totalCount <= 2 * GROUP);

/** The end of the element that holds it, or the beginning of a comment in it: neither is ever written. */
const UNSAFE = /<\/[sS][cC]|<!--/;

/**
 * A group of a long page as text: a hundred thousand nodes take a browser seconds to build, and the same number of bytes of text a
 * moment. It wakes when it comes near. In a data block nothing has to be escaped once more; all that is written here is markup of
 * ours around escaped text, so nothing in it can end the block.
 */
export const sleepingGroup = (
  nodes: readonly OutlineNode[],
  html: string,
  openBranches: ReadonlySet<string>,
): string =>
  UNSAFE.test(html)
    ? `<div class="g">${html}</div>`
    : `<div class="g" data-z="${countsIn(nodes, openBranches)}"><script type="text/plain">${html}</script></div>`;

/** `tool:40/10/0`: how many of a type there are, how many are in view while nothing was folded, and how many when all is folded. */
function countsIn(nodes: readonly OutlineNode[], openBranches: ReadonlySet<string>): string {
  const counts = new Map<string, [all: number, first: number, top: number]>();
  const count = (node: OutlineNode, isInView: boolean, isTop: boolean): void => {
    const known = counts.get(typeOf(node)) ?? [0, 0, 0];
    known[0]++;
    if (isInView) known[1]++;
    if (isTop) known[2]++;
    counts.set(typeOf(node), known);
    const isOpen = isInView && initialState(node, openBranches) !== 'A';
    for (const child of node.children) count(child, isOpen, false);
  };
  for (const node of nodes) count(node, true, true);
  return [...counts].map(([type, each]) => `${type}:${each.join('/')}`).join(' ');
}

/** A thought with its answer is an answer. */
export const typeOf = ({ type, pair }: OutlineNode): string => (type === 'thinking' && pair ? 'assistant' : type);
