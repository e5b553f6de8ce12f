import { homedir } from 'node:os';
import { History } from '../history/index.ts';
import { beginIngest, type Ingested, projectsIn, readExclude } from '../ingest/index.ts';
import { discoverRoots, type FoundRoots, openRoots } from '../sources/index.ts';
import { archiveOptions, type WriteOptions, writeArchive } from './data-folder.ts';
import { dataFolder } from './data-place.ts';
import { mendNotes } from './notes.ts';
import { recallFormats } from './open-trees.ts';
import type { RootOptions } from './options.ts';
import { showProgress } from './progress.ts';
import { updateIndex } from './stored-index.ts';

export const findRoots = ({ root }: RootOptions): FoundRoots =>
  root ? openRoots(root) : discoverRoots({ env: process.env, home: homedir() });

/** Archives what is new, and brings the index up to date with it: each project as soon as it is archived. */
export function bringUpToDate(
  options: RootOptions,
  { verify = false, ...how }: WriteOptions & { readonly verify?: boolean } = {},
): Promise<Ingested> {
  return writeArchive(async (archive) => {
    const start = performance.now();
    await mendNotes();
    const progress = showProgress('Archiving');
    const exclude = readExclude(dataFolder());
    recallFormats();
    const roots = findRoots(options);
    const ingesting = await beginIngest({
      archive,
      roots,
      exclude,
      verify,
      isIndexed: true,
      onProgress: progress.show,
    });
    ingesting.end.then(progress.end, progress.end);
    try {
      // Whoever reads it beside the one that writes, and is open longer, leaves the files that SQLite puts beside it.
      const find = (): History => {
        const kept = archiveOptions(archive);
        const folders = projectsIn(ingesting.found);
        if (folders) return History.ofFolders({ ...roots, folders }, kept);
        return History.open({ ...(options.root && { roots: options.root }), ...kept });
      };
      await updateIndex(find, ingesting, { verify });
    } finally {
      // Whatever becomes of the index, everything is archived; what fails there is told first.
      await ingesting.end;
    }
    return { ...(await ingesting.end), milliseconds: performance.now() - start };
  }, how);
}
