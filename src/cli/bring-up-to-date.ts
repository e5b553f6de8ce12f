import { homedir } from 'node:os';
import { type Ingested, ingest, readExclude } from '../ingest/index.ts';
import { discoverRoots, type FoundRoots, openRoots } from '../sources/index.ts';
import { writeArchive } from './data-folder.ts';
import { dataFolder } from './data-place.ts';
import { findHistory, loadArchive, type RootOptions } from './options.ts';
import { showProgress } from './progress.ts';
import { updateIndex } from './stored-index.ts';

export const findRoots = ({ root }: RootOptions): FoundRoots =>
  root ? openRoots(root) : discoverRoots({ env: process.env, home: homedir() });

/** Archives what is new, and brings the index up to date with it. */
export function bringUpToDate(options: RootOptions, { verify = false } = {}): Promise<Ingested> {
  return writeArchive(async (archive) => {
    const progress = showProgress('Archiving');
    const exclude = readExclude(dataFolder());
    const ingested = await ingest({
      archive,
      roots: findRoots(options),
      exclude,
      verify,
      onProgress: progress.show,
    }).finally(progress.end);
    await loadArchive();
    await updateIndex(() => findHistory(options), archive, ingested.stamp);
    return ingested;
  });
}
