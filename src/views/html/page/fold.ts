import { barLabels, barTooltips, type FoldButton, type FoldState, press, stateBelow } from '../../../outline/index.ts';
import { onNear, watch } from './near.ts';
import {
  barOf,
  bodyOf,
  childrenOf,
  countsOf,
  hasChildren,
  isFilteredOut,
  nameOf,
  nodesIn,
  parentOf,
  stateOf,
} from './nodes.ts';
import { foldGroup, isAsleep, sleepingIn, wakeGroup } from './sleep.ts';
import { showTime } from './times.ts';
import { wake } from './wake.ts';

const listeners: (() => void)[] = [];
/** Told after anything was folded or unfolded. */
export const onFold = (listener: () => void): void => void listeners.push(listener);
const tell = (): void => {
  for (const listener of listeners) listener();
};

/** Bars are drawn when their node comes near. */
export function startFolding(): void {
  onNear((node) => {
    drawBar(node);
    if (isTool(node)) makeOpener(node);
  });
  document.addEventListener('click', onClick);
  document.addEventListener('keydown', onKey);
}

const isTool = (node: HTMLElement): boolean => node.dataset.t === 'tool' && bodyOf(node) !== null;

/** The name of a tool opens its body. */
function makeOpener(node: HTMLElement): void {
  const name = nameOf(node);
  name?.setAttribute('role', 'button');
  name?.setAttribute('tabindex', '0');
  name?.setAttribute('aria-expanded', `${node.classList.contains('open')}`);
}

/** Buttons that are there stay: one of them may have the focus. */
function drawBar(node: HTMLElement): void {
  if (!hasChildren(node)) return;
  const state = stateOf(node);
  const labels = barLabels(state, countsOf(node));
  const tips = barTooltips(state);
  const bar = barOf(node) ?? insertBar(node);
  drawButton(bar, node, 'one', labels.one, tips.one, state !== 'A');
  if (labels.all !== null) drawButton(bar, node, 'all', labels.all, tips.all, state === 'C');
}

function insertBar(node: HTMLElement): HTMLElement {
  const bar = document.createElement('div');
  bar.className = 'bar';
  node.insertBefore(bar, childrenOf(node));
  return bar;
}

let count = 0;

function drawButton(
  bar: HTMLElement,
  node: HTMLElement,
  which: FoldButton,
  label: string,
  tip: string,
  expanded: boolean,
): void {
  const button = bar.querySelector<HTMLElement>(`[data-b=${which}]`) ?? insertButton(bar, node, which);
  button.textContent = label;
  button.title = tip;
  button.setAttribute('aria-expanded', `${expanded}`);
}

function insertButton(bar: HTMLElement, node: HTMLElement, which: FoldButton): HTMLElement {
  const button = document.createElement('button');
  const children = childrenOf(node);
  if (children && children.id === '') children.id = `c-${count++}`;
  button.type = 'button';
  button.dataset.b = which;
  if (children) button.setAttribute('aria-controls', children.id);
  bar.append(button);
  return button;
}

/** Bars that were set while the page was still coming in: what came later below them does not know. */
const early = new Set<HTMLElement>();

export function finishFolding(): void {
  for (const node of early) setBelow(node);
  early.clear();
}

/** Sets a bar, and every bar below it as the state asks for; no bar above changes (O6). */
function setState(node: HTMLElement, state: FoldState): void {
  node.dataset.s = state;
  setBelow(node);
  if (document.readyState === 'loading') early.add(node);
  drawBar(node);
  tell();
}

function setBelow(node: HTMLElement): void {
  const below = stateBelow(stateOf(node));
  const inside = childrenOf(node);
  for (const each of inside?.querySelectorAll(`section.n[data-s]:not([data-s=${below}])`) ?? [])
    each.setAttribute('data-s', below);
  if (inside) for (const group of sleepingIn(inside)) foldGroup(group, below);
  for (const bar of inside?.getElementsByClassName('bar') ?? []) watch(bar.parentElement as HTMLElement);
}

/** A place that somebody asked for: everything above it shows at least its first level. */
export function reveal(node: HTMLElement): void {
  for (let above = parentOf(node); above; above = parentOf(above)) {
    above.classList.add('shown');
    if (stateOf(above) !== 'A') continue;
    above.dataset.s = 'B';
    drawBar(above);
  }
  node.classList.add('shown');
  openTool(node, true);
  tell();
}

/** The body of a tool opens by its head; every other is there as soon as it can be seen. */
function openTool(node: HTMLElement, open: boolean): void {
  const body = bodyOf(node);
  if (body) wake(body);
  node.classList.toggle('open', open);
  if (isTool(node)) nameOf(node)?.setAttribute('aria-expanded', `${open}`);
}

function onClick(event: MouseEvent): void {
  const target = event.target as HTMLElement;
  const pressed = target.closest<HTMLElement>('.bar button');
  const node = target.closest<HTMLElement>('section.n');
  if (!node) return;
  if (pressed) setState(node, press(stateOf(node), pressed.dataset.b as FoldButton));
  else if (target.closest('.h') && !target.closest('a') && isTool(node))
    openTool(node, !node.classList.contains('open'));
}

/** Arrows move between bars, `*` unfolds everything below (O9). */
function onKey(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  const node = target.closest<HTMLElement>('section.n');
  if (!node) return;
  if (target.classList.contains('who') && isTool(node) && (event.key === 'Enter' || event.key === ' ')) {
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
  const places = [...document.querySelectorAll<HTMLElement>('section.n[data-s], .g[data-z]')];
  for (let i = places.indexOf(node) + step; i >= 0 && i < places.length; i += step) {
    const next = places[i] as HTMLElement;
    if (isHidden(next)) continue;
    if (isAsleep(next)) {
      wakeGroup(next);
      moveFocus(node, step);
      return;
    }
    drawBar(next);
    barOf(next)?.querySelector('button')?.focus();
    return;
  }
}

/** Folded away, or filtered out. */
function isHidden(element: HTMLElement): boolean {
  if (!isAsleep(element) && isFilteredOut(element)) return true;
  for (let above = parentOf(element); above; above = parentOf(above)) if (stateOf(above) === 'A') return true;
  return false;
}

/** Paper cannot be unfolded. */
export function unfoldForPrint(): void {
  for (const group of sleepingIn(document)) wakeGroup(group);
  for (const node of nodesIn(document)) {
    const body = bodyOf(node);
    if (body) wake(body);
    showTime(node);
  }
  for (const each of document.querySelectorAll('details')) each.open = true;
}
