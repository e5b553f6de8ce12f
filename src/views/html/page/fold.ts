import { barLabels, barTooltips, type FoldButton, type FoldState, press, stateBelow } from '../../../outline/index.ts';
import { barOf, bodyOf, childrenOf, countsOf, hasChildren, headOf, nodesIn, parentOf, stateOf } from './nodes.ts';
import { wake } from './wake.ts';

/** Bars are drawn when their node comes into view: a long session has thousands of them. */
const seen = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      drawBar(target as HTMLElement);
    }
  },
  { rootMargin: '600px' },
);

export function startFolding(root: ParentNode): void {
  for (const node of nodesIn(root)) {
    if (hasChildren(node)) seen.observe(node);
    else if (node.dataset.t === 'tool') headOf(node)?.setAttribute('tabindex', '0');
  }
  document.addEventListener('click', onClick);
  document.addEventListener('keydown', onKey);
}

function drawBar(node: HTMLElement): void {
  if (!hasChildren(node)) return;
  const state = stateOf(node);
  const labels = barLabels(state, countsOf(node));
  const tips = barTooltips(state);
  const bar = barOf(node) ?? insertBar(node);
  bar.replaceChildren(
    button('one', labels.one, tips.one, state !== 'A', node),
    ...(labels.all === null ? [] : [button('all', labels.all, tips.all, state === 'C', node)]),
  );
}

function insertBar(node: HTMLElement): HTMLElement {
  const bar = document.createElement('div');
  bar.className = 'bar';
  node.insertBefore(bar, childrenOf(node));
  return bar;
}

let count = 0;

function button(which: FoldButton, label: string, tip: string, expanded: boolean, node: HTMLElement): HTMLElement {
  const element = document.createElement('button');
  const children = childrenOf(node);
  if (children && children.id === '') children.id = `c-${count++}`;
  element.type = 'button';
  element.dataset.b = which;
  element.textContent = label;
  element.title = tip;
  element.setAttribute('aria-expanded', `${expanded}`);
  if (children) element.setAttribute('aria-controls', children.id);
  return element;
}

/** Sets a bar, and every bar below it as the state asks for; no bar above changes (O6). */
function setState(node: HTMLElement, state: FoldState): void {
  const below = stateBelow(state);
  for (const each of nodesIn(childrenOf(node) ?? node)) {
    if (!hasChildren(each) || stateOf(each) === below) continue;
    each.dataset.s = below;
    if (barOf(each)) seen.observe(each);
  }
  node.dataset.s = state;
  drawBar(node);
}

/** A place that somebody asked for: everything above it shows at least its first level. */
export function reveal(node: HTMLElement): void {
  for (let above = parentOf(node); above; above = parentOf(above)) {
    above.classList.remove('gone');
    if (stateOf(above) !== 'A') continue;
    above.dataset.s = 'B';
    drawBar(above);
  }
  node.classList.remove('gone', 'off');
  if (bodyOf(node)?.dataset.i !== undefined) openTool(node, true);
}

/** The body of a tool opens by its head. */
function openTool(node: HTMLElement, open: boolean): void {
  const body = bodyOf(node);
  if (body) wake(body);
  node.classList.toggle('open', open);
}

function onClick(event: MouseEvent): void {
  const target = event.target as HTMLElement;
  const pressed = target.closest<HTMLElement>('.bar button');
  const node = target.closest<HTMLElement>('section.n');
  if (!node) return;
  if (pressed) setState(node, press(stateOf(node), pressed.dataset.b as FoldButton));
  else if (target.closest('.h') && !target.closest('a') && bodyOf(node) && Number(node.dataset.l) >= 3)
    openTool(node, !node.classList.contains('open'));
}

/** Arrows move between bars, `*` unfolds everything below (O9). */
function onKey(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  const node = target.closest<HTMLElement>('section.n');
  if (!node) return;
  if (target.classList.contains('h') && (event.key === 'Enter' || event.key === ' ')) {
    openTool(node, !node.classList.contains('open'));
    event.preventDefault();
    return;
  }
  if (!target.closest('.bar')) return;
  if (event.key === '*') setState(node, 'C');
  else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') moveFocus(node, event.key === 'ArrowDown' ? 1 : -1);
  else return;
  event.preventDefault();
}

function moveFocus(node: HTMLElement, step: 1 | -1): void {
  const shown = nodesIn(document).filter((each) => hasChildren(each) && each.offsetParent !== null);
  const next = shown[shown.indexOf(node) + step];
  if (!next) return;
  drawBar(next);
  barOf(next)?.querySelector('button')?.focus();
}

/** Paper cannot be unfolded. */
export function unfoldForPrint(): void {
  for (const node of nodesIn(document)) {
    const body = bodyOf(node);
    if (body) wake(body);
  }
  for (const each of document.querySelectorAll('details')) each.open = true;
}
