import { highlight } from './highlight.ts';
import { onNear } from './near.ts';
import { bodyOf } from './nodes.ts';

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

/** Bodies get their colours when they come near; that of a tool opens on request. */
export function startWaking(): void {
  onNear((node) => {
    const body = bodyOf(node);
    if (body && node.dataset.t !== 'tool') wake(body);
  });
}
