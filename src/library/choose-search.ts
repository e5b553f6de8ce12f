import { SkeinError } from '../model/index.ts';
import { hasWords, type Search } from '../search/index.ts';

/** Words are answered from the index; for anything else, or where it is damaged, everything is read. */
export const chooseSearch = (indexed: Search, scan: Search, onDamage: () => void = () => undefined): Search => ({
  search: async (request, run) => {
    const isForIndex = !request.pattern && (!request.clause || hasWords(request.clause));
    if (!isForIndex) return scan.search(request, run);
    try {
      return await indexed.search(request, run);
    } catch (error) {
      if (!(error instanceof SkeinError) || error.code !== 'damaged') throw error;
      onDamage();
      return scan.search(request, run);
    }
  },
});
