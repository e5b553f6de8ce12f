import { homedir } from 'node:os';
import { beginIngest, type Ingested, readExclude } from '../ingest/index.ts';
import { discoverRoots, type FoundRoots, openRoots } from '../sources/index.ts';
import { writeArchive } from './data-folder.ts';
import { dataFolder } from './data-place.ts';
import { findHistory, loadArchive, type RootOptions } from './options.ts';
import { showProgress } from './progress.ts';
import { updateIndex } from './stored-index.ts';

export const findRoots = ({ root }: RootOptions): FoundRoots =>
  root ? openRoots(root) : discoverRoots({ env: process.env, home: homedir() });

/** Archives what is new, and brings the index up to date with it: each project as soon as it is archived. */
export function bringUpToDate(options: RootOptions, { verify = false } = {}): Promise<Ingested> {
  return writeArchive(async (archive) => {
    const start = performance.now();
    const progress = showProgress('Archiving');
    const exclude = readExclude(dataFolder());
    const roots = findRoots(options);
    const ingesting = await beginIngest({ archive, roots, exclude, verify, onProgress: progress.show });
    ingesting.end.then(progress.end, progress.end);
    try {
      await loadArchive();
      await updateIndex(() => findHistory(options), ingesting);
    } finally {
      // Whatever becomes of the index, everything is archived; what fails there is told first.
      await ingesting.end;
    }
    return { ...(await ingesting.end), milliseconds: performance.now() - start };
  });
}
