import type { BarCounts, Counts, FoldState } from '../../../outline/index.ts';

/** Nodes of the page: each has a head, maybe a body, and maybe a fold bar and children. */
export const nodesIn = (root: ParentNode): HTMLElement[] => [...root.querySelectorAll<HTMLElement>('section.n')];

const partOf = (node: HTMLElement, name: string): HTMLElement | null => {
  for (const child of node.children) if (child.classList.contains(name)) return child as HTMLElement;
  return null;
};
export const headOf = (node: HTMLElement): HTMLElement | null => partOf(node, 'h');
export const nameOf = (node: HTMLElement): HTMLElement | null => node.querySelector<HTMLElement>(':scope > .h > .who');
export const bodyOf = (node: HTMLElement): HTMLElement | null => partOf(node, 'b');
export const childrenOf = (node: HTMLElement): HTMLElement | null => partOf(node, 'c');
export const barOf = (node: HTMLElement): HTMLElement | null => partOf(node, 'bar');

export function parentOf(node: HTMLElement): HTMLElement | null {
  return node.parentElement?.closest<HTMLElement>('section.n') ?? null;
}

/** Types are left out by a class of the whole page; somebody may have asked for one node all the same. */
export const isFilteredOut = (node: HTMLElement): boolean =>
  document.body.classList.contains(`no-${groupOfType(node.dataset.t ?? '')}`) && !node.classList.contains('shown');

/** What the boxes of the filter are called, and the types each stands for. */
export const TYPE_GROUPS: readonly (readonly [name: string, types: readonly string[]])[] = [
  ['user', ['user', 'command', 'bash', 'compaction', 'branch_summary', 'custom']],
  ['assistant', ['assistant', 'interruption', 'teammate']],
  ['thinking', ['thinking']],
  ['tool', ['tool']],
  ['system', ['system', 'hook', 'notification', 'annotation']],
];

export const groupOfType = (type: string): string => TYPE_GROUPS.find(([, types]) => types.includes(type))?.[0] ?? '';

export const hasChildren = (node: HTMLElement): boolean => node.dataset.s !== undefined;
export const stateOf = (node: HTMLElement): FoldState => (node.dataset.s as FoldState | undefined) ?? 'A';

export function countsOf(node: HTMLElement): BarCounts {
  const byType: Record<string, number> = {};
  for (const part of (node.dataset.k ?? '').split(' ')) {
    const [type = '', count] = part.split(':');
    if (type !== '') byType[type] = Number(count);
  }
  return {
    immediateCount: Number(node.dataset.n),
    totalCount: Number(node.dataset.m),
    immediateByType: byType as Counts,
    allPaired: node.dataset.p !== undefined,
  };
}
