import { reveal } from './fold.ts';
import { headOf } from './nodes.ts';
import { elementAt, isAsleep, nodesAsleep, type Place } from './sleep.ts';
import { timeIn } from './times.ts';

const NS = 'http://www.w3.org/2000/svg';
const WIDTH = 1000;
const HEIGHT = 34;
const TICK = 8;
/** Nights and week-ends would leave no room for the work. */
const LONGEST_PAUSE = 5 * 60_000;
const ROWS: readonly (readonly [type: string, top: number])[] = [
  ['user', 0],
  ['assistant', TICK],
  ['tool', 2 * TICK],
];

interface Moment {
  readonly place: Place;
  readonly type: string;
  readonly time: number;
  readonly tokens: number;
  x: number;
}

/** A strip over the whole session: a tick per node by its time, and below the tokens of each response. A click leads there. */
export function startStrip(): void {
  const place = document.querySelector<HTMLElement>('.strip');
  const moments = place ? momentsIn(document) : [];
  if (!place || moments.length < 2) return;
  const svg = draw('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' });
  for (const [type, top] of ROWS)
    svg.append(draw('path', { class: `s-${type}`, d: ticks(moments, (each) => rowOf(each) === type, top) }));
  svg.append(draw('path', { class: 's-tokens', d: tokenBars(moments) }));
  place.append(svg);
  place.title = 'Prompts, answers, tools and tokens over time, pauses shortened. Click to go there.';
  place.addEventListener('click', (event) => {
    const { left, width } = place.getBoundingClientRect();
    const x = ((event.clientX - left) / width) * WIDTH;
    const nearest = moments.reduce((best, each) => (Math.abs(each.x - x) < Math.abs(best.x - x) ? each : best));
    const node = elementAt(nearest.place);
    reveal(node);
    node.scrollIntoView({ block: 'start' });
  });
}

function momentsIn(root: ParentNode): Moment[] {
  const moments: Moment[] = [];
  const add = (place: Place, type: string, when: string, figures: string): void => {
    const time = Date.parse(when);
    if (Number.isNaN(time) || type === 'branch') return;
    const tokens = figures === '' ? 0 : figures.split(' ').reduce((total, count) => total + Number(count), 0);
    moments.push({ place, type, time, tokens, x: 0 });
  };
  for (const place of root.querySelectorAll<HTMLElement>('section.n, .g[data-z]')) {
    if (isAsleep(place)) {
      for (const [index, { type, time, tokens }] of nodesAsleep(place).entries())
        add({ group: place, index }, type, time, tokens);
    } else {
      const head = headOf(place);
      const figures = head?.querySelector<HTMLElement>('.tokens')?.dataset.u ?? '';
      add(place, place.dataset.t ?? '', timeIn(head), figures);
    }
  }
  moments.sort((a, b) => a.time - b.time);
  let at = 0;
  moments.forEach((each, i) => {
    at += Math.min(LONGEST_PAUSE, each.time - (moments[i - 1]?.time ?? each.time));
    each.x = at;
  });
  for (const each of moments) each.x = at === 0 ? 0 : Math.round((each.x / at) * (WIDTH - 2)) + 1;
  return moments;
}

function rowOf({ type }: Moment): string {
  if (type === 'tool') return 'tool';
  return ['assistant', 'thinking'].includes(type) ? 'assistant' : 'user';
}

/** However many nodes fall on one place, it is drawn once. */
function ticks(moments: readonly Moment[], isOf: (moment: Moment) => boolean, top: number): string {
  const places = new Set(moments.filter(isOf).map(({ x }) => x));
  return [...places].map((x) => `M${x} ${top + 1}v${TICK - 2}`).join('');
}

function tokenBars(moments: readonly Moment[]): string {
  const room = HEIGHT - 3 * TICK - 1;
  const sums = new Map<number, number>();
  for (const { tokens, x } of moments) if (tokens > 0) sums.set(x, Math.max(sums.get(x) ?? 0, tokens));
  const most = Math.max(1, ...sums.values());
  return [...sums].map(([x, sum]) => `M${x} ${HEIGHT}v${-Math.max(1, (sum / most) * room).toFixed(1)}`).join('');
}

function draw(name: string, attributes: Readonly<Record<string, string>>): SVGElement {
  const element = document.createElementNS(NS, name) as SVGElement;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
