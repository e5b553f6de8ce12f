import { existsSync } from 'node:fs';
import type { HistoryOptions } from '../history/index.ts';
import { readExclude } from '../ingest/exclude.ts';
import { finishForgetting } from '../ingest/forget.ts';
import { isLeftOut } from '../ingest/prompt-history.ts';
import { SkeinError } from '../model/index.ts';
import { lockForWriting, type Salvage, SqliteArchive, salvage } from '../stores/sqlite/index.ts';
import { warn } from '../terminal/output.ts';
import { archivePath, dataFolder } from './data-place.ts';
import { megabytes, plural } from './table.ts';

/** For reading; null when nothing was archived yet. */
export function openArchive(): SqliteArchive | null {
  return existsSync(archivePath()) ? SqliteArchive.openForReading(archivePath()) : null;
}

/** What is gone from disk, and what is not to come back. `archive`: where it is open already. */
export function archiveOptions(archive = openArchive()): Pick<HistoryOptions, 'archive' | 'isLeftOut'> {
  if (!archive) return {};
  const leftOut = { tombstones: archive.forgotten(), exclude: readExclude(dataFolder()) };
  return { archive, isLeftOut: (agent, prompt) => isLeftOut(leftOut, agent, prompt) };
}

/** For commands that are about the archive. */
export function needArchive(): SqliteArchive {
  const archive = openArchive();
  if (!archive) throw new SkeinError('not_found', `Nothing is archived in ${dataFolder()} yet; "skein index" does it`);
  return archive;
}

export interface WriteOptions {
  /** Goes on where nobody knows any more what was forgotten. */
  readonly forgottenLost?: boolean;
}

/**
 * The archive to write to, by one process at a time. A damaged one is set aside, and the work begins again on what could be saved; the
 * process ends as one that failed unless that was everything.
 */
export async function writeArchive<T>(
  run: (archive: SqliteArchive) => Promise<T>,
  options: WriteOptions = {},
): Promise<T> {
  const lock = lockForWriting(dataFolder());
  try {
    try {
      return await runOn(run, options);
    } catch (error) {
      if (!(error instanceof SkeinError) || error.code !== 'damaged') throw error;
      const saved = await salvage(archivePath(), options);
      warn(`${archivePath()} was damaged. ${toldOf(saved)}`);
      if (!isAll(saved)) process.exitCode = LOST;
      return await runOn(run, options);
    }
  } finally {
    lock.release();
  }
}

const LOST = 2;

const isAll = ({ incomplete, lost, isDoubtful }: Salvage): boolean => incomplete + lost === 0 && !isDoubtful;

function toldOf(saved: Salvage): string {
  const { aside, files, bytes, incomplete, lost, isDoubtful } = saved;
  const inPart = incomplete === 0 ? '' : `, ${incomplete} of them in part`;
  const nothing = lost === 0 ? '' : `; of ${plural(lost, 'other')} nothing`;
  const further = isDoubtful ? '; there may have been more, of which nothing is known any more' : '';
  return `It is set aside as ${aside}; ${plural(files, 'file')} (${megabytes(bytes)}) could be saved from it${inPart}${nothing}${isAll(saved) ? ': all that was in it' : further}`;
}

async function runOn<T>(run: (archive: SqliteArchive) => Promise<T>, options: WriteOptions): Promise<T> {
  const archive = SqliteArchive.open(archivePath(), options);
  try {
    const finished = await finishForgetting(archive);
    if (finished > 0)
      warn(`${plural(finished, 'file')} that had been forgotten before ${finished === 1 ? 'is' : 'are'} removed now`);
    return await run(archive);
  } finally {
    await archive.close();
  }
}
