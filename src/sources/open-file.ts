import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { onDisk } from './byte-names.ts';

/** To read. A pipe that took the place of the file would wait for somebody to write into it: it is refused. */
export function openFile(path: string): number {
  const handle = openSync(onDisk(path), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  const stat = fstatSync(handle);
  if (stat.isFile()) return handle;
  closeSync(handle);
  throw Object.assign(new Error('not a file'), { code: stat.isDirectory() ? 'EISDIR' : 'ENOTFILE' });
}
