import { startFilter } from './filter.ts';
import { reveal, startFolding, unfoldForPrint } from './fold.ts';
import { nodesIn } from './nodes.ts';
import { startSearch } from './search.ts';
import { startWaking } from './wake.ts';

startFolding(document);
startWaking(document);
startFilter();
startSearch();
showLocalTimes();
window.addEventListener('hashchange', followHash);
window.addEventListener('beforeprint', unfoldForPrint);
followHash();

/** `#<id>` leads to a record, also when it is folded or part of another (O13). */
function followHash(): void {
  let id = location.hash.slice(1);
  try {
    id = decodeURIComponent(id);
  } catch {
    // Not encoded: taken as it is.
  }
  if (id === '') return;
  const node = findNode(id);
  if (!node) return;
  document.querySelector('.n.here')?.classList.remove('here');
  node.classList.add('here');
  reveal(node);
  node.scrollIntoView({ block: 'start' });
}

function findNode(id: string): HTMLElement | null {
  const own = document.getElementById(`r-${id}`);
  if (own) return own;
  return nodesIn(document).find((node) => node.dataset.a?.split(' ').includes(id)) ?? null;
}

function showLocalTimes(): void {
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  for (const time of document.querySelectorAll('time')) {
    const date = new Date(time.dateTime);
    if (Number.isNaN(date.getTime())) continue;
    time.title = date.toString();
    time.textContent = format.format(date);
  }
}
