import { startFilter } from './filter.ts';
import { finishFolding, reveal, startFolding, unfoldForPrint } from './fold.ts';
import { onNear, watchPage } from './near.ts';
import { headOf, nodesIn } from './nodes.ts';
import { startSearch } from './search.ts';
import { startStrip } from './strip.ts';
import { startTokenBars } from './token-bars.ts';
import { startWaking } from './wake.ts';

startFolding();
startWaking();
onNear(showLocalTime);
watchPage();
document.addEventListener('DOMContentLoaded', () => {
  finishFolding();
  startSearch();
  followHash();
  startFilter();
  // What only adds to the page comes when it is there.
  setTimeout(() => {
    startTokenBars();
    startStrip();
  });
});
window.addEventListener('hashchange', followHash);
window.addEventListener('beforeprint', unfoldForPrint);

/** `#<id>` leads to a record, also when it is folded or part of another (O13). */
function followHash(): void {
  const node = location.hash.length > 1 ? findNode(location.hash.slice(1)) : null;
  if (!node) return;
  document.querySelector('.n.here')?.classList.remove('here');
  node.classList.add('here');
  reveal(node);
  node.scrollIntoView({ block: 'start' });
}

/** Ids stand in the page as they are written in an address; somebody may have typed theirs. */
function findNode(hash: string): HTMLElement | null {
  const typed = encodeURIComponent(hash);
  for (const id of [hash, typed]) {
    const node = document.getElementById(`r-${id}`) ?? nodesIn(document).find((each) => isCalled(each, id));
    if (node) return node;
  }
  return null;
}

const isCalled = (node: HTMLElement, id: string): boolean => node.dataset.a?.split(' ').includes(id) ?? false;

const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

function showLocalTime(node: HTMLElement): void {
  const time = headOf(node)?.querySelector('time');
  const date = new Date(time?.dateTime ?? '');
  if (time?.title !== '' || Number.isNaN(date.getTime())) return;
  time.title = date.toString();
  time.textContent = format.format(date);
}
