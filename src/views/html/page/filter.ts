import { nodesIn } from './nodes.ts';

/** What the boxes are called, and the types each stands for. */
const GROUPS: readonly (readonly [name: string, types: readonly string[]])[] = [
  ['user', ['user', 'command', 'bash', 'compaction', 'branch_summary', 'custom']],
  ['assistant', ['assistant', 'interruption', 'teammate']],
  ['thinking', ['thinking']],
  ['tool', ['tool']],
  ['system', ['system', 'hook', 'notification', 'annotation']],
];

/** Boxes with the number of nodes each shows; the choice stands in the address (`?filter=user,assistant`), so that it can be shared. */
export function startFilter(): void {
  const place = document.querySelector('.filters');
  if (!place) return;
  const nodes = nodesIn(document);
  const wanted = new URLSearchParams(location.search).get('filter')?.split(',') ?? GROUPS.map(([name]) => name);
  for (const [name, types] of GROUPS) {
    const own = nodes.filter((node) => types.includes(node.dataset.t ?? ''));
    if (own.length === 0) continue;
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.checked = wanted.includes(name);
    const label = document.createElement('label');
    label.append(box, ` ${name} ${own.length.toLocaleString()}`);
    place.append(label);
    const apply = (): void => {
      for (const node of own) node.classList.toggle('gone', !box.checked);
    };
    box.dataset.name = name;
    box.addEventListener('change', () => {
      apply();
      remember(place);
    });
    if (!box.checked) apply();
  }
}

function remember(place: Element): void {
  const boxes = [...place.querySelectorAll<HTMLInputElement>('input')];
  const on = boxes.filter((box) => box.checked).map((box) => box.dataset.name ?? '');
  const url = new URL(location.href);
  if (on.length === boxes.length) url.searchParams.delete('filter');
  else url.searchParams.set('filter', on.join(','));
  try {
    history.replaceState(null, '', url);
  } catch {
    // A page from disk may not change its address; the choice holds all the same.
  }
}
