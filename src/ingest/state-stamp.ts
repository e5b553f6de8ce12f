import { createHash } from 'node:crypto';
import type { ArchivedFile } from '../stores/store.ts';
import { type FoundFile, keyOf } from './find-archivable.ts';

/**
 * One text for everything an index is made from: the files as they lie on disk, and those that only the archive has. While it is the
 * same, nothing has to be looked at again. It goes by size, time and place, as all looking does.
 */
export function stampOf(
  files: readonly FoundFile[],
  archived: readonly ArchivedFile[],
  looked: readonly string[],
): string {
  const hash = createHash('sha1').update(JSON.stringify(looked));
  const lines = files.map((file) => `${keyOf(file)}\n${file.full}\n${file.size} ${file.modified} ${file.inode}`);
  const present = new Set(files.map(keyOf));
  for (const file of archived) {
    // Also what merely was not looked at now: it may be read from the archive.
    if (!present.has(keyOf(file))) lines.push(`${keyOf(file)}\n${file.id} ${file.size} ${file.modified}`);
  }
  return hash.update(lines.join('\n\n')).digest('hex');
}
