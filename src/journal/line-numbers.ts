import type { ReadFile } from './read-file.ts';

/** The line each entry stands on. */
export function linesOf({ entries, gaps }: Pick<ReadFile, 'entries' | 'gaps'>): number[] {
  let [line, gap] = [0, 0];
  return entries.map(() => {
    while (gaps[gap] === ++line) gap++;
    return line;
  });
}
