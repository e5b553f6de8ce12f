import { onNear } from './near.ts';
import { headOf } from './nodes.ts';
import { nodesAsleep, sleepingIn } from './sleep.ts';

const NS = 'http://www.w3.org/2000/svg';
const WIDTH = 60;

/** Beside each answer a bar, as long as its tokens are many compared with the largest: from the cache, new, said. */
export function startTokenBars(): void {
  let most = 1;
  for (const each of document.querySelectorAll<HTMLElement>('.tokens')) most = Math.max(most, sum(figuresOf(each)));
  for (const group of sleepingIn(document))
    for (const { tokens } of nodesAsleep(group))
      if (tokens !== '') most = Math.max(most, sum(tokens.split(' ').map(Number)));
  const draw = (node: HTMLElement): void => {
    const place = headOf(node)?.querySelector<HTMLElement>('.tokens');
    if (place?.title !== '') return;
    place.prepend(bar(figuresOf(place), most));
    place.title = inWords(figuresOf(place));
  };
  onNear(draw);
  // What came near while the page was still coming in has its local time, but no bar.
  for (const time of document.querySelectorAll('time[title]')) draw(time.closest('section.n') as HTMLElement);
}

const figuresOf = ({ dataset }: HTMLElement): number[] => (dataset.u ?? '').split(' ').map(Number);
const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

function inWords(counts: readonly number[]): string {
  const [read, written, fresh, said] = counts.map((count) => count.toLocaleString());
  return `Tokens: ${read} from the cache, ${written} written to it, ${fresh} new, ${said} said`;
}

function bar([read = 0, written = 0, fresh = 0, said = 0]: readonly number[], most: number): SVGElement {
  const svg = document.createElementNS(NS, 'svg') as SVGElement;
  svg.setAttribute('viewBox', `0 0 ${WIDTH} 8`);
  svg.setAttribute('aria-hidden', 'true');
  let at = 0;
  for (const [name, count] of [
    ['read', read],
    ['new', written + fresh],
    ['said', said],
  ] as const) {
    const width = (count / most) * WIDTH;
    const part = document.createElementNS(NS, 'rect') as SVGElement;
    part.setAttribute('class', `k-${name}`);
    for (const [key, value] of Object.entries({ x: at, y: 1, width, height: 6 })) part.setAttribute(key, `${value}`);
    svg.append(part);
    at += width;
  }
  return svg;
}
