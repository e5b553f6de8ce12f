import { startFilter } from './filter.ts';
import { finishFolding, reveal, startFolding, unfoldForPrint } from './fold.ts';
import { watchPage } from './near.ts';
import { nodesIn } from './nodes.ts';
import { startSearch } from './search.ts';
import { elementAt, holds, nodesAsleep, sleepingIn, startContents } from './sleep.ts';
import { startStrip } from './strip.ts';
import { startTimes } from './times.ts';
import { startTokenBars } from './token-bars.ts';
import { startWaking } from './wake.ts';

startFolding();
startWaking();
startTimes();
watchPage();
document.addEventListener('DOMContentLoaded', () => {
  finishFolding();
  startContents();
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
    const node =
      document.getElementById(`r-${id}`) ?? nodesIn(document).find((each) => isCalled(each, id)) ?? findAsleep(id);
    if (node) return node;
  }
  return null;
}

function findAsleep(id: string): HTMLElement | null {
  for (const group of sleepingIn(document)) {
    if (!holds(group, id)) continue;
    const index = nodesAsleep(group).findIndex((node) => node.id === `r-${id}` || node.aliases.includes(id));
    if (index >= 0) return elementAt({ group, index });
  }
  return null;
}

const isCalled = (node: HTMLElement, id: string): boolean => node.dataset.a?.split(' ').includes(id) ?? false;
