import { runChild } from '../child.ts';
import type { Entry } from '../entry.ts';
import { writeProjects } from '../generate/index.ts';

interface Heap {
  readonly bytes: number;
  readonly lines: number;
  readonly heap: number;
  readonly peak: number;
}

/** What a tree holds when everything is read, beside what it would hold with the content in it. */
export const memory: Entry = {
  name: 'memory',
  *run(folder) {
    writeProjects(folder, { bytes: 160 * 1048576 });
    for (const mode of ['references', 'content']) {
      const { bytes, lines, heap, peak } = runChild<Heap>('heap', folder, mode);
      yield {
        name: `heap of the tree by size of the logs, ${mode === 'content' ? 'if records held content' : 'content dropped'}`,
        figure: heap / 1e6 / (bytes / 1e9),
        unit: 'MB per GB',
        limit: mode === 'content' ? null : 400,
        note: `${(heap / lines).toFixed(0)} B a line; peak RSS ${(peak / 1e6).toFixed(0)} MB at ${(bytes / 1e6).toFixed(0)} MB of logs`,
      };
    }
  },
};
