import { join } from 'node:path';
import { runChild } from '../child.ts';
import type { Entry } from '../entry.ts';
import { longLine } from '../generate/extremes.ts';
import { writeLines } from '../generate/index.ts';

/** A line of 200 MB is read without ever being held (H19). */
export const longLineEntry: Entry = {
  name: 'long-line',
  *run(folder) {
    const path = join(folder, 'long.jsonl');
    writeLines(path, longLine(200e6));
    const start = performance.now();
    const { records, peak } = runChild<{ records: number; peak: number }>('peak', path);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    const note = `${records} records, ${seconds} s with the start of the process`;
    yield { name: 'peak memory over a line of 200 MB', figure: peak / 1e6, unit: 'MB', limit: 400, note };
  },
};
