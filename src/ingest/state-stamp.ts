import { createHash } from 'node:crypto';
import type { ArchivedFile } from '../stores/store.ts';
import type { FoundFile } from './find-archivable.ts';

/**
 * One text for everything an index is made from: the files as they lie on disk, and those that only the archive has. While it is the
 * same, nothing has to be looked at again. It goes by size, time and place, as all looking does.
 */
export function stampOf(
  found: ReadonlyMap<string, FoundFile>,
  archived: ReadonlyMap<string, ArchivedFile>,
  looked: readonly string[],
): string {
  const lines: string[] = [...looked, ''];
  for (const [key, { full, size, modified, inode }] of found) lines.push(key, full, `${size} ${modified} ${inode}`);
  // Also what merely was not looked at now: it may be read from the archive.
  for (const [key, { id, size }] of archived) if (!found.has(key)) lines.push(key, `${id} ${size}`);
  return createHash('sha1').update(lines.join('\n')).digest('hex');
}
