import type { FoldState } from '../../../outline/index.ts';

/**
 * Most of a long page begins as text: groups of nodes that become elements when somebody comes near, asks for one of them by its id, or
 * prints. Until then they know how many nodes of which type they hold, and how they were folded by a bar above.
 */
export type Group = HTMLElement;

export const isAsleep = (element: Element): boolean => (element as HTMLElement).dataset.z !== undefined;
export const sleepingIn = (root: ParentNode): Group[] => [...root.querySelectorAll<Group>('.g[data-z]')];

const visitors: ((group: Group) => void)[] = [];
/** Told of each group that wakes. */
export const onWake = (visit: (group: Group) => void): void => void visitors.push(visit);

export function wakeGroup(group: Group): void {
  if (!isAsleep(group)) return;
  group.innerHTML = textIn(group);
  delete group.dataset.z;
  woken.set(group, [...group.querySelectorAll<HTMLElement>('section.n')]);
  const state = group.dataset.f;
  if (state !== undefined) for (const node of group.querySelectorAll<HTMLElement>('[data-s]')) node.dataset.s = state;
  for (const visit of visitors) visit(group);
}

/** What a bar above asks of every bar in it. */
export function foldGroup(group: Group, state: FoldState): void {
  group.dataset.f = state;
}

/** Before each of its nodes is looked at. */
export const holds = (group: Group, id: string): boolean => textIn(group).includes(id);

/** The contents of a long page become a list when they are opened. */
export function startContents(): void {
  const list = document.querySelector<HTMLElement>('.toc ol[data-z]');
  list?.closest('details')?.addEventListener(
    'toggle',
    () => {
      list.innerHTML = textIn(list);
      delete list.dataset.z;
    },
    { once: true },
  );
}

const textIn = (group: Group): string => group.firstElementChild?.textContent ?? '';

/** How many nodes of each type it holds, and how many of them are in view when it is. */
export function countsIn(
  group: Group,
): readonly { readonly type: string; readonly all: number; readonly shown: number }[] {
  return (group.dataset.z ?? '').split(' ').map((part) => {
    const [type = '', counts = ''] = part.split(':');
    const [all = 0, first = 0, top = 0] = counts.split('/').map(Number);
    return { type, all, shown: group.dataset.f === 'C' ? all : group.dataset.f === 'A' ? top : first };
  });
}

/** A node of a sleeping group, in writing: what is known of it without waking the group. */
export interface SleepingNode {
  readonly type: string;
  /** As it stands in the page; '' for none. */
  readonly id: string;
  readonly aliases: readonly string[];
  readonly text: () => string;
  readonly time: string;
  readonly tokens: string;
}

/** A node, or where it will be once its group wakes. */
export type Place = HTMLElement | { readonly group: Group; readonly index: number };

/** Nodes keep their place when a group wakes. */
const woken = new WeakMap<Group, readonly HTMLElement[]>();

export function elementAt(place: Place): HTMLElement {
  if (!('group' in place)) return place;
  wakeGroup(place.group);
  return (woken.get(place.group)?.[place.index] ?? place.group) as HTMLElement;
}

const NODE = '<section class="n"';
const BODY = '<div class="b" data-i>';

/** In the order in which they would be found in it. The marks that are looked for begin with `<`, which no text has. */
export function nodesAsleep(group: Group): SleepingNode[] {
  return textIn(group)
    .split(NODE)
    .slice(1)
    .map((text) => {
      const head = text.slice(0, text.indexOf('>'));
      return {
        type: attribute(head, 'data-t'),
        id: attribute(head, 'id'),
        aliases: attribute(head, 'data-a').split(' '),
        text: () => textOf(text.slice(head.length + 1)),
        time: between(text, '<time>', '<'),
        tokens: between(text, '<span class="quiet tokens" data-u="', '"'),
      };
    });
}

const attribute = (head: string, name: string): string => between(head, ` ${name}="`, '"');

function between(text: string, start: string, end: string): string {
  const from = text.indexOf(start);
  return from < 0 ? '' : text.slice(from + start.length, text.indexOf(end, from + start.length));
}

function textOf(html: string): string {
  const at = html.indexOf(BODY);
  if (at < 0) return plain(html);
  return `${plain(html.slice(0, at))}\n${plain(unescaped(html.slice(at + BODY.length, html.indexOf('</div>', at))))}`;
}

/** The text of markup in writing. */
export const plain = (html: string): string => unescaped(html.replace(/<[^>]*>/g, ''));

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", '#96': '`', amp: '&' };

const unescaped = (text: string): string =>
  text.replace(/&(lt|gt|quot|#39|#96|amp);/g, (_entity, name: string) => ENTITIES[name] ?? '');
