import type { FileEntry, SessionEntry } from './entries.ts';
import type { ReadFile } from './read-file.ts';

/** The line each entry stands on. */
export function linesOf({ entries, gaps }: Pick<ReadFile, 'entries' | 'gaps'>): number[] {
  let [line, gap] = [0, 0];
  return entries.map(() => {
    while (gaps[gap] === ++line) gap++;
    return line;
  });
}

/** Entries with their lines; a header is none. */
export function withLines(read: Pick<ReadFile, 'entries' | 'gaps'>): (readonly [SessionEntry, number])[] {
  const lines = linesOf(read);
  return read.entries.flatMap((entry, place) => (isEntry(entry) ? [[entry, lines[place] ?? 0] as const] : []));
}

const isEntry = (entry: FileEntry): entry is SessionEntry => entry.type !== 'session';
