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

function addCopy(pre: HTMLElement): void {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'copy';
  button.addEventListener('click', () => {
    const text = [...pre.childNodes]
      .filter((node) => node !== button)
      .map((node) => node.textContent)
      .join('');
    navigator.clipboard?.writeText(text).then(
      () => {
        button.textContent = 'copied';
      },
      () => {
        button.textContent = 'not allowed';
      },
    );
  });
  pre.append(button);
}

/** Bodies that are shown from the beginning get their colours when they come into view. */
const near = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      wake(target as HTMLElement);
    }
  },
  { rootMargin: '400px' },
);

export function startWaking(root: ParentNode): void {
  for (const body of root.querySelectorAll<HTMLElement>('.b:not([data-i])')) near.observe(body);
}
