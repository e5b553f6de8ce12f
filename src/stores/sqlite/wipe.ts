import type { DatabaseSync } from 'node:sqlite';
import { SkeinError } from '../../model/index.ts';
import { isDamage } from './database.ts';

/**
 * Nothing deleted stays readable: the whole file is written again from what is left, and the write-ahead log, which still has the old
 * pages, is emptied. Readers that hold an old state are waited for, as long as for a lock.
 */
export function wipe(database: DatabaseSync, path: string): void {
  try {
    database.exec('vacuum');
  } catch (error) {
    if (isDamage(error)) throw error;
    throw new SkeinError(
      'unwritable',
      `It is removed from ${path}, but the file cannot be written anew (${(error as Error).message}), and bytes of it may still stand there: make room, and "skein index" does the rest`,
      error,
    );
  }
  const { busy } = database.prepare('pragma wal_checkpoint(truncate)').get() as { busy: number };
  if (busy === 0) return;
  throw new SkeinError(
    'busy',
    `It is removed from ${path}, but another program still reads an older state of it: when that is closed, "skein index" empties the rest`,
  );
}
