import { appendFileSync, closeSync, constants, openSync } from 'node:fs';
import { readRange, retire } from './append-file.ts';
import { linesOf } from './line-numbers.ts';
import { withLock } from './lock.ts';
import { migrate } from './migrate.ts';
import { readFile } from './read-file.ts';
import { replaceFile } from './replace-file.ts';

/** Writes a file anew in the current version; lines that cannot be read stay as they are. Says whether there was something to do. */
export function migrateFile(path: string): boolean {
  return withLock(path, () => {
    const fd = openSync(path, constants.O_RDWR | constants.O_APPEND);
    try {
      const read = readFile(path);
      const { entries, size, hasHeader } = read;
      const lines = linesOf(read);
      if (!hasHeader || !migrate([...entries])) return false;
      const texts = new Map(entries.map((entry, place) => [lines[place], JSON.stringify(entry)]));
      replaceFile(path, rewriteLines(readRange(fd, 0, size), texts));
      // Others may have appended to the old file while the new one was written; from now on they see that it is the old one.
      appendFileSync(path, retire(fd, size));
      return true;
    } finally {
      closeSync(fd);
    }
  });
}

function* rewriteLines(bytes: Buffer, texts: ReadonlyMap<number | undefined, string>): Generator<string | Uint8Array> {
  let start = 0;
  for (let line = 1; start < bytes.length; line++) {
    const newline = bytes.indexOf(10, start);
    const end = newline < 0 ? bytes.length : newline;
    yield texts.get(line) ?? bytes.subarray(start, end);
    yield '\n';
    start = end + 1;
  }
}
