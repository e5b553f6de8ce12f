import { onFold } from './fold.ts';
import { nodesIn, parentOf, stateOf } from './nodes.ts';

/** What the boxes are called, and the types each stands for. */
const GROUPS: readonly (readonly [name: string, types: readonly string[]])[] = [
  ['user', ['user', 'command', 'bash', 'compaction', 'branch_summary', 'custom']],
  ['assistant', ['assistant', 'interruption', 'teammate']],
  ['thinking', ['thinking']],
  ['tool', ['tool']],
  ['system', ['system', 'hook', 'notification', 'annotation']],
];

interface Box {
  readonly name: string;
  readonly nodes: readonly HTMLElement[];
  readonly input: HTMLInputElement;
  readonly count: HTMLElement;
}

/** Boxes with the number of nodes each shows and has; the choice stands in the address (`?filter=user,assistant`), so that it can be shared. */
export function startFilter(): void {
  const place = document.querySelector('.filters');
  if (!place) return;
  const nodes = nodesIn(document);
  const wanted = new URLSearchParams(location.search).get('filter')?.split(',') ?? GROUPS.map(([name]) => name);
  const boxes = GROUPS.flatMap(([name, types]): Box[] => {
    const own = nodes.filter((node) => types.includes(node.dataset.t ?? ''));
    return own.length === 0 ? [] : [makeBox(name, own, wanted.includes(name))];
  });
  for (const box of boxes) {
    const label = document.createElement('label');
    label.append(box.input, ` ${box.name} `, box.count);
    place.append(label);
    if (!box.input.checked) apply(box);
    box.input.addEventListener('change', () => {
      apply(box);
      remember(boxes);
      recount();
    });
  }
  let waiting = 0;
  const recount = (): void => {
    clearTimeout(waiting);
    waiting = window.setTimeout(() => showCounts(boxes, nodes), 100);
  };
  onFold(recount);
  recount();
}

function makeBox(name: string, nodes: readonly HTMLElement[], checked: boolean): Box {
  const input = document.createElement('input');
  input.type = 'checkbox';
  input.checked = checked;
  const count = document.createElement('span');
  count.className = 'quiet';
  count.textContent = nodes.length.toLocaleString();
  return { name, nodes, input, count };
}

function apply({ nodes, input }: Box): void {
  for (const node of nodes) node.classList.toggle('gone', !input.checked);
}

/** Folded away and filtered out are both not shown. */
function showCounts(boxes: readonly Box[], nodes: readonly HTMLElement[]): void {
  // Parents come before their children.
  const open = new Set<HTMLElement | null>([null]);
  const shown = new Set<HTMLElement>();
  for (const node of nodes) {
    if (!open.has(parentOf(node))) continue;
    if (stateOf(node) !== 'A') open.add(node);
    if (!node.classList.contains('gone')) shown.add(node);
  }
  for (const { nodes, count } of boxes) {
    const seen = nodes.filter((node) => shown.has(node)).length;
    const all = nodes.length.toLocaleString();
    count.textContent = seen === nodes.length ? all : `${seen.toLocaleString()}/${all}`;
  }
}

function remember(boxes: readonly Box[]): void {
  const on = boxes.filter(({ input }) => input.checked).map(({ name }) => name);
  const url = new URL(location.href);
  if (on.length === boxes.length) url.searchParams.delete('filter');
  else url.searchParams.set('filter', on.join(','));
  try {
    history.replaceState(null, '', url);
  } catch {
    // A page from disk may not change its address; the choice holds all the same.
  }
}
