import { childrenOf, headOf, nodesIn } from './nodes.ts';
import { isAsleep, onWake, wakeGroup } from './sleep.ts';

/** What happens to a node when it comes near for the first time, and again after `watch`. */
const visitors: ((node: HTMLElement) => void)[] = [];
export const onNear = (visit: (node: HTMLElement) => void): void => void visitors.push(visit);

/** A long session has a hundred thousand nodes: only what can be seen is worked on. Groups are watched as one until they are near. */
const near = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      if (isAsleep(target)) wakeGroup(target as HTMLElement);
      else if (target.classList.contains('g')) watchAll(target.children);
      else for (const visit of visitors) visit(target.parentElement as HTMLElement);
    }
  },
  { rootMargin: '600px' },
);

export function watch(node: HTMLElement): void {
  const head = headOf(node);
  if (head) near.observe(head);
}

// Whoever wakes a group, its nodes are watched from then on.
onWake((group) => watchAll(group.children));

function watchAll(elements: Iterable<Element>): void {
  for (const element of elements) {
    if (element.classList.contains('g')) {
      near.observe(element);
      continue;
    }
    watch(element as HTMLElement);
    watchAll(childrenOf(element as HTMLElement)?.children ?? []);
  }
}

const PAUSE_MS = 50;

/** While the page is still coming in, what is there can be used: all but the last child, which may not be whole. */
export function watchPage(): void {
  let done = 0;
  let root: HTMLElement | null = null;
  const look = (): void => {
    const isWhole = document.readyState !== 'loading';
    root ??= nodesIn(document)[0] ?? null;
    const children = root ? childrenOf(root)?.children : undefined;
    if (root && children) {
      // Its head is not shown.
      if (done === 0 && children.length > 0) for (const visit of visitors) visit(root);
      const end = children.length - (isWhole ? 0 : 1);
      if (end > done) watchAll([...children].slice(done, end));
      done = Math.max(done, end);
    }
    if (!isWhole) setTimeout(look, PAUSE_MS);
  };
  look();
  document.addEventListener('DOMContentLoaded', look);
}
