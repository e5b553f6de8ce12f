import type { FileFacts } from '../model/index.ts';
import type { LogFile } from '../sources/index.ts';
import type { FileEntry } from '../stores/index.ts';

/** How often a file was replaced, where somebody compares its bytes (the archive); null: nobody does. */
export type GenerationOf = (file: LogFile) => number | null;

/** Called before a file is read up to there: it may not be archived so far. */
export type WaitFor = (file: LogFile, end: number) => void;

/**
 * `grown`: only its end is read. `continued`: so too, but its last line was whole without a newline and may read differently now.
 * `replaced`: another file under the same name.
 */
export type FileChange = 'same' | 'new' | 'grown' | 'continued' | 'replaced';

/** Told from what `stat` says. */
export function changeOf(file: LogFile, known: FileEntry | undefined, generationOf: GenerationOf): FileChange {
  if (!known) return 'new';
  const generation = generationOf(file);
  const { facts, size, modified } = file;
  if (generation !== null && generation !== known.generation) return 'replaced';
  if (file.path !== known.path || !isSame(facts, known.facts)) return 'replaced';
  if (size < known.size) return 'replaced';
  if (size === known.size && modified === known.modified) return 'same';
  // Written again with the same length: nobody knows what it says now, unless somebody compared it.
  if (facts.role === 'sidecar' || (size === known.size && generation === null)) return 'replaced';
  return known.torn ? 'continued' : 'grown';
}

/** Then what was read of it before does not hold any more. */
export const isAnother = (change: FileChange): boolean => change === 'replaced' || change === 'continued';

const isSame = (a: FileFacts, b: FileFacts): boolean =>
  a.path === b.path &&
  a.role === b.role &&
  a.native === b.native &&
  a.session === b.session &&
  a.project === b.project &&
  a.branches === b.branches &&
  a.tokens.join('\n') === b.tokens.join('\n');
