import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../../files/make-folder.ts';
import { SkeinError } from '../../model/index.ts';

/** What ends so is not whole yet. */
export const PART = '.part';
const PIECE = 1 << 18;

/** Writes a file by its pieces. It is whole or not there. */
export function writePage(path: string, pieces: Iterable<string>): void {
  const part = path + PART;
  try {
    makeFolder(dirname(path));
    const handle = openSync(part, 'w', 0o600);
    try {
      let text = '';
      for (const piece of pieces) {
        text += piece;
        if (text.length < PIECE) continue;
        writeSync(handle, text);
        text = '';
      }
      writeSync(handle, text);
    } finally {
      closeSync(handle);
    }
    renameSync(part, path);
  } catch (error) {
    removeQuietly(part);
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw new SkeinError('unwritable', `${path} cannot be written (${code})`, error);
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // There is no such place at all.
  }
}
