import { onFold } from './fold.ts';
import { groupOfType, isFilteredOut, parentOf, stateOf, TYPE_GROUPS } from './nodes.ts';
import { countsIn, isAsleep, onWake } from './sleep.ts';

interface Box {
  readonly name: string;
  readonly input: HTMLInputElement;
  readonly count: HTMLElement;
}

/** Boxes with the number of nodes each shows and has; the choice stands in the address (`?filter=user,assistant`), so that it can be shared. */
export function startFilter(): void {
  const place = document.querySelector('.filters');
  if (!place) return;
  const wanted = new URLSearchParams(location.search).get('filter')?.split(',') ?? TYPE_GROUPS.map(([name]) => name);
  const all = countNodes().all;
  const boxes = TYPE_GROUPS.flatMap(([name]): Box[] => (all.has(name) ? [makeBox(name, wanted.includes(name))] : []));
  for (const box of boxes) {
    const label = document.createElement('label');
    label.append(box.input, ` ${box.name} `, box.count);
    place.append(label);
    apply(box);
    box.input.addEventListener('change', () => {
      for (const node of document.querySelectorAll('.n.shown')) node.classList.remove('shown');
      apply(box);
      remember(boxes);
      recount();
    });
  }
  let waiting = 0;
  const recount = (): void => {
    clearTimeout(waiting);
    waiting = window.setTimeout(() => showCounts(boxes), 100);
  };
  onFold(recount);
  onWake(recount);
  recount();
}

function makeBox(name: string, checked: boolean): Box {
  const input = document.createElement('input');
  input.type = 'checkbox';
  input.checked = checked;
  const count = document.createElement('span');
  count.className = 'quiet';
  return { name, input, count };
}

/** By the style: no node has to be touched. */
const apply = ({ name, input }: Box): void => void document.body.classList.toggle(`no-${name}`, !input.checked);

/** By box: how many there are, and how many are neither folded away nor filtered out. */
function countNodes(): { readonly all: Map<string, number>; readonly shown: Map<string, number> } {
  const all = new Map<string, number>();
  const shown = new Map<string, number>();
  const add = (counts: Map<string, number>, type: string, count: number): void => {
    const name = groupOfType(type);
    if (name !== '') counts.set(name, (counts.get(name) ?? 0) + count);
  };
  // Parents come before their children.
  const open = new Set<HTMLElement | null>([null]);
  for (const place of document.querySelectorAll<HTMLElement>('section.n, .g[data-z]')) {
    const isInView = open.has(parentOf(place));
    if (isAsleep(place)) {
      for (const counts of countsIn(place)) {
        add(all, counts.type, counts.all);
        if (isInView && !document.body.classList.contains(`no-${groupOfType(counts.type)}`))
          add(shown, counts.type, counts.shown);
      }
      continue;
    }
    const type = place.dataset.t ?? '';
    add(all, type, 1);
    if (!isInView) continue;
    if (stateOf(place) !== 'A') open.add(place);
    if (!isFilteredOut(place)) add(shown, type, 1);
  }
  return { all, shown };
}

function showCounts(boxes: readonly Box[]): void {
  const { all, shown } = countNodes();
  for (const { name, count } of boxes) {
    const [seen, total] = [shown.get(name) ?? 0, all.get(name) ?? 0];
    count.textContent = seen === total ? total.toLocaleString() : `${seen.toLocaleString()}/${total.toLocaleString()}`;
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
