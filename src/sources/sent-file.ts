import type { ArchiveReader } from '../model/index.ts';
import { findArchived } from './find-archived.ts';
import type { LogFile } from './find-files.ts';

/** A file as it goes to another thread: what reads it from the archive is code, and cannot go. */
export type SentFile = Omit<LogFile, 'kept'> & { readonly isKept: boolean };

export const sendFile = ({ kept, ...file }: LogFile): SentFile => ({ ...file, isKept: kept !== undefined });

/** What was sent, as a file again; one that is gone from disk is found in the archive by its path. */
export function fileReceiver(openArchive: (() => ArchiveReader) | null): (sent: SentFile) => LogFile[] {
  let archived: ReadonlyMap<string, LogFile> | null = null;
  return ({ isKept, ...file }) => {
    if (!isKept || !openArchive) return [file];
    archived ??= new Map(findArchived(openArchive()).flatMap(({ files }) => files.map((each) => [each.path, each])));
    const found = archived.get(file.path);
    return found?.kept ? [{ ...file, kept: found.kept }] : [];
  };
}
