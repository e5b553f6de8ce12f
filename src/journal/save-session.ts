import { join } from 'node:path';
import { SkeinError } from '../model/index.ts';
import type { SessionEntry, SessionHeader } from './entries.ts';
import { fileNameOf } from './paths.ts';
import { createFile } from './replace-file.ts';

/** Writes a session to a file that is not there yet: the one that is named, or one of its own name in a folder. Gives its path. */
export function saveSession(
  place: { readonly file: string } | { readonly folder: string },
  header: SessionHeader,
  entries: readonly SessionEntry[],
): string {
  const path = 'file' in place ? place.file : join(place.folder, fileNameOf(header.timestamp, header.id));
  const text = [header, ...entries].map((entry) => `${JSON.stringify(entry)}\n`).join('');
  if (!createFile(path, text)) throw new SkeinError('bad_input', `${path} is there already; name another file`);
  return path;
}
