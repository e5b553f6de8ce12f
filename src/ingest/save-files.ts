import { type Problem, reasonOf } from '../sources/index.ts';
import type { Archive, ArchivedFile } from '../stores/store.ts';
import { type BatchOptions, BatchWriter } from './batch-writer.ts';
import type { FoundFile } from './find-archivable.ts';
import { type LeftOut, promptFilter } from './prompt-history.ts';
import { type Outcome, saveFile } from './save-file.ts';

/** A file, and what is archived of it. */
export interface SaveJob {
  readonly file: FoundFile;
  readonly known: ArchivedFile | undefined;
  /** What is archived of it cannot be read any more. */
  readonly repair: boolean;
}

/** What holds for all of them. */
export interface SaveTerms extends LeftOut {
  readonly verify: boolean;
}

export interface SavedFiles {
  readonly counts: Readonly<Record<Outcome, number>>;
  readonly problems: readonly Problem[];
}

export interface SaveListeners extends Pick<BatchOptions, 'onSaved'> {
  /** After each piece that was read: so many bytes. */
  readonly onRead: (bytes: number) => void;
  /** So many files are done. */
  readonly onFile: (files: number) => void;
}

/** Brings the archive up to date with some files. One that cannot be read is told, and the others go on. */
export async function saveFiles(
  jobs: Iterable<SaveJob>,
  archive: Archive,
  { verify, ...leftOut }: SaveTerms,
  { onRead, onFile, ...options }: SaveListeners & BatchOptions,
): Promise<SavedFiles> {
  const counts = noCounts();
  const problems: Problem[] = [];
  const writer = new BatchWriter(archive, options);
  for (const { file, known, repair } of jobs) {
    try {
      counts[await saveFile(file, known, writer, { verify, repair, onRead, filter: promptFilter(file, leftOut) })]++;
    } catch (error) {
      if (!isReadError(error)) throw error;
      problems.push({ path: file.full, message: `${file.full} ${reasonOf(error)}; it is not archived` });
    }
    onFile(1);
  }
  await writer.flush();
  writer.end();
  return { counts, problems };
}

/** Of the file system, about one file; what the archive refuses ends the run. */
export const isReadError = (error: unknown): boolean =>
  error instanceof Error &&
  ('syscall' in error || ['EISDIR', 'ENOTFILE'].includes((error as NodeJS.ErrnoException).code ?? ''));

export const noCounts = (): Record<Outcome, number> => ({ same: 0, new: 0, appended: 0, rewritten: 0, back: 0 });
