import { hasWords, type Search } from '../search/index.ts';

/** Words are answered from the index; for anything else everything is read. */
export const chooseSearch = (indexed: Search, scan: Search): Search => ({
  search: (request, run) => {
    const isForIndex = !request.pattern && (!request.clause || hasWords(request.clause));
    return (isForIndex ? indexed : scan).search(request, run);
  },
});
