const NS = 'http://www.w3.org/2000/svg';
const WIDTH = 60;

/** Beside each answer a bar, as long as its tokens are many compared with the largest: from the cache, new, said. */
export function startTokenBars(): void {
  const all = [...document.querySelectorAll<HTMLElement>('.tokens[data-u]')];
  const figures = all.map(({ dataset }) => (dataset.u ?? '').split(' ').map(Number));
  let most = 1;
  for (const counts of figures) most = Math.max(most, sum(counts));
  const near = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        near.unobserve(target);
        const counts = figures[all.indexOf(target as HTMLElement)];
        if (!counts) continue;
        target.prepend(bar(counts, most));
        (target as HTMLElement).title = inWords(counts);
      }
    },
    { rootMargin: '400px' },
  );
  for (const each of all) near.observe(each);
}

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
