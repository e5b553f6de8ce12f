import { highlight } from './highlight.ts';

/** A body that began as text becomes what the text says. The text was made by the exporter, from escaped parts only. */
export function wake(body: HTMLElement): void {
  if (body.dataset.i !== undefined) {
    body.innerHTML = body.textContent ?? '';
    delete body.dataset.i;
  }
  if (body.dataset.w !== undefined) return;
  body.dataset.w = '';
  for (const pre of body.querySelectorAll('pre')) {
    highlight(pre);
    addCopy(pre);
  }
}

/** Its word is drawn by the style: the search of the page reads texts. */
function addCopy(pre: HTMLElement): void {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.ariaLabel = 'copy';
  button.addEventListener('click', () => {
    navigator.clipboard?.writeText(textOf(pre)).then(
      () => {
        button.ariaLabel = 'copied';
      },
      () => {
        button.ariaLabel = 'not allowed';
      },
    );
  });
  pre.append(button);
}

/** Without the line numbers and signs of a diff. */
function textOf(pre: HTMLElement): string {
  const copy = pre.cloneNode(true) as HTMLElement;
  for (const each of copy.querySelectorAll('.copy, i')) each.remove();
  return copy.textContent ?? '';
}

/** Bodies get their colours when they come into view; of those that are still text the head is watched. The body of a tool opens on request. */
const near = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      const body = target.classList.contains('b') ? target : target.nextElementSibling;
      wake(body as HTMLElement);
    }
  },
  { rootMargin: '400px' },
);

export function startWaking(root: ParentNode): void {
  for (const body of root.querySelectorAll<HTMLElement>('.b')) {
    const watched = body.dataset.i === undefined ? body : body.previousElementSibling;
    if (watched === body || body.parentElement?.dataset.t !== 'tool') near.observe(watched ?? body);
  }
}
