import type { DatabaseSync } from 'node:sqlite';
import { SkeinError } from '../../model/index.ts';

const TRIES = 50;
const PAUSE = 100;

/**
 * Nothing deleted stays readable: the whole file is written again from what is left, and the write-ahead log, which still has the old
 * pages, is emptied. Readers that hold an old state are waited for.
 */
export function wipe(database: DatabaseSync, path: string): void {
  database.exec('vacuum');
  for (let i = 0; i < TRIES; i++) {
    const { busy } = database.prepare('pragma wal_checkpoint(truncate)').get() as { busy: number };
    if (busy === 0) return;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
  }
  throw new SkeinError(
    'busy',
    `It is removed from ${path}, but another program still reads an older state of it: when that is closed, "skein index" empties the rest`,
  );
}
