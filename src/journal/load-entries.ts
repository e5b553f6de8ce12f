import { existsSync } from 'node:fs';
import type { FileEntry } from './entries.ts';
import { normalizePath } from './paths.ts';
import { parseLine, readFile } from './read-file.ts';

/** The header and the entries of a file, as they are written; none if it is not there or has no header. The file stays as it is. */
export function loadEntriesFromFile(filePath: string): FileEntry[] {
  const path = normalizePath(filePath);
  if (!existsSync(path)) return [];
  const { entries, hasHeader } = readFile(path);
  return hasHeader ? [...entries] : [];
}

/** The entries in a text; lines that are no JSON objects are left out. */
export function parseSessionEntries(content: string): FileEntry[] {
  return content.split('\n').flatMap((line) => parseLine(line) ?? []);
}
