import { existsSync } from 'node:fs';
import type { HistoryOptions } from '../history/index.ts';
import { readExclude } from '../ingest/exclude.ts';
import { isLeftOut } from '../ingest/prompt-history.ts';
import { SkeinError } from '../model/index.ts';
import { lockForWriting, SqliteArchive, salvage } from '../stores/sqlite/index.ts';
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

/** The archive to write to, by one process at a time. A damaged one is set aside, and the work begins again on what could be saved. */
export async function writeArchive<T>(run: (archive: SqliteArchive) => Promise<T>): Promise<T> {
  const lock = lockForWriting(dataFolder());
  try {
    try {
      return await runOn(run);
    } catch (error) {
      if (!(error instanceof SkeinError) || error.code !== 'damaged') throw error;
      const { aside, files, bytes, incomplete, lost } = await salvage(archivePath());
      const inPart = incomplete === 0 ? '' : `, ${incomplete} of them in part`;
      const nothing = lost === 0 ? '' : `; of ${plural(lost, 'other')} nothing`;
      warn(
        `${archivePath()} was damaged. It is set aside as ${aside}; ${plural(files, 'file')} (${megabytes(bytes)}) could be saved from it${inPart}${nothing}`,
      );
      return await runOn(run);
    }
  } finally {
    lock.release();
  }
}

async function runOn<T>(run: (archive: SqliteArchive) => Promise<T>): Promise<T> {
  const archive = SqliteArchive.open(archivePath());
  try {
    return await run(archive);
  } finally {
    await archive.close();
  }
}
