import { mkdirSync, type PathLike, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * A folder, with those it lies in; into the new ones only their owner may look. Where there can be none (below `/proc`), the error says
 * so: `mkdirSync` with `recursive` never comes to an end there. `onDisk`: what a path is called on disk, where that is no text.
 */
export function makeFolder(path: string, onDisk: (path: string) => PathLike = (text) => text): void {
  if (isFolder(onDisk(path))) return;
  const above = dirname(path);
  if (above !== path && !isFolder(onDisk(above))) makeFolder(above, onDisk);
  try {
    mkdirSync(onDisk(path), { mode: 0o700 });
  } catch (error) {
    // Somebody else made it meanwhile.
    if (!isFolder(onDisk(path))) throw error;
  }
}

const isFolder = (path: PathLike): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
};
