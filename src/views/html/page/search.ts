import { reveal } from './fold.ts';
import { bodyOf, headOf } from './nodes.ts';
import { elementAt, isAsleep, nodesAsleep, type Place, plain } from './sleep.ts';

const MOST = 1000;
let hits: Place[] = [];
let at = -1;

export function startSearch(): void {
  const box = document.querySelector<HTMLInputElement>('.search input[type=search]');
  const regex = document.querySelector<HTMLInputElement>('.search .regex');
  const output = document.querySelector<HTMLOutputElement>('.hits');
  if (!box || !regex || !output) return;
  let waiting = 0;
  let searched = '';
  const run = (): void => {
    clearMarks();
    searched = box.value;
    const pattern = patternOf(box.value, regex.checked);
    hits = pattern === null ? [] : find(pattern);
    at = -1;
    output.textContent = box.value === '' ? '' : pattern === null ? 'not a pattern' : countText();
  };
  const step = (by: number): void => {
    if (hits.length === 0) return;
    at = (at + by + hits.length) % hits.length;
    go(elementAt(hits[at] as Place), patternOf(box.value, regex.checked));
    output.textContent = `${at + 1} of ${countText()}`;
  };
  box.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = window.setTimeout(run, 150);
  });
  regex.addEventListener('change', run);
  box.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    clearTimeout(waiting);
    // Somebody may be faster than the pause.
    if (searched !== box.value) run();
    step(event.shiftKey ? -1 : 1);
  });
  document.querySelector('.next')?.addEventListener('click', () => step(1));
  document.querySelector('.prev')?.addEventListener('click', () => step(-1));
}

const countText = (): string => `${hits.length === MOST ? `${MOST}+` : hits.length}`;

function patternOf(text: string, isRegex: boolean): RegExp | null {
  if (text === '') return null;
  try {
    return new RegExp(isRegex ? text : text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'gi');
  } catch {
    return null;
  }
}

/** Folded nodes are searched too, and groups that are not elements yet: their text is there, if not shown. */
function find(pattern: RegExp): Place[] {
  const found: Place[] = [];
  const take = (place: Place, text: string): boolean => {
    pattern.lastIndex = 0;
    if (pattern.test(text)) found.push(place);
    return found.length < MOST;
  };
  for (const place of document.querySelectorAll<HTMLElement>('section.n, .g[data-z]')) {
    if (isAsleep(place)) {
      for (const [index, node] of nodesAsleep(place).entries())
        if (!take({ group: place, index }, node.text())) return found;
      // The title stands above the page already.
    } else if (place.dataset.t !== 'session' && !take(place, textOf(place))) return found;
  }
  return found;
}

function textOf(node: HTMLElement): string {
  const body = bodyOf(node);
  const text = body?.textContent ?? '';
  // A body that is still text is markup in writing.
  return `${headOf(node)?.textContent ?? ''}\n${body?.dataset.i === undefined ? text : plain(text)}`;
}

function go(node: HTMLElement, pattern: RegExp | null): void {
  clearMarks();
  reveal(node);
  for (const part of [headOf(node), bodyOf(node)]) if (part && pattern) mark(part, pattern);
  const first = node.querySelector('mark');
  const folded = first?.closest('details');
  if (folded) folded.open = true;
  (first ?? node).scrollIntoView({ block: 'center' });
}

/** What is found may go over several elements: colours of code, links. Each piece of it is marked. */
function mark(root: HTMLElement, pattern: RegExp): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: {
    readonly text: Text;
    readonly from: number;
    readonly parts: (string | HTMLElement)[];
    done: number;
  }[] = [];
  let whole = '';
  while (walker.nextNode()) {
    const text = walker.currentNode as Text;
    texts.push({ text, from: whole.length, parts: [], done: 0 });
    whole += text.data;
  }
  let first = 0;
  for (const { 0: found, index } of whole.matchAll(pattern)) {
    const end = index + found.length;
    while (texts[first] && endOf(texts[first] as Span) <= index) first++;
    for (let i = first; found !== '' && i < texts.length && (texts[i]?.from ?? end) < end; i++) {
      const span = texts[i] as (typeof texts)[number];
      const [start, stop] = [Math.max(0, index - span.from), Math.min(span.text.length, end - span.from)];
      const element = document.createElement('mark');
      element.textContent = span.text.data.slice(start, stop);
      span.parts.push(span.text.data.slice(span.done, start), element);
      span.done = stop;
    }
  }
  for (const { text, parts, done } of texts) if (parts.length > 0) text.replaceWith(...parts, text.data.slice(done));
}

interface Span {
  readonly text: Text;
  readonly from: number;
}

const endOf = ({ text, from }: Span): number => from + text.length;

function clearMarks(): void {
  for (const element of document.querySelectorAll('mark')) {
    const parent = element.parentNode;
    element.replaceWith(element.textContent ?? '');
    parent?.normalize();
  }
}
