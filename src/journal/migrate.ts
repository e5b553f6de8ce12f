import { idAt } from '../formats/pi/index.ts';
import { CURRENT_SESSION_VERSION, type FileEntry, isHeader, messageOf, type SessionEntry } from './entries.ts';

/** Brings the entries of a file to the current version, in place. Says whether there was something to do. */
export function migrate(entries: readonly FileEntry[]): boolean {
  const version = versionOf(entries);
  if (version >= CURRENT_SESSION_VERSION) return false;
  if (version < 2) linkEntries(entries);
  renameHookMessages(entries);
  for (const entry of entries) if (entry.type === 'session') entry.version = CURRENT_SESSION_VERSION;
  return true;
}

/** Pi's name for it. */
export function migrateSessionEntries(entries: FileEntry[]): void {
  migrate(entries);
}

/** The first header says; version 1 did not know it was one. */
export const versionOf = (entries: readonly FileEntry[]): number => entries.find(isHeader)?.version ?? 1;

/**
 * Version 1 is a list: each entry hangs on the one before it. The ids are the places in the list, so that everybody who reads the file
 * gives the same ones. A compaction names the first entry it keeps by its place, where the header is 0.
 */
function linkEntries(entries: readonly FileEntry[]): void {
  let previous: string | null = null;
  entries.forEach((entry, place) => {
    if (entry.type === 'session') return;
    entry.id = idAt(place);
    entry.parentId = previous;
    previous = entry.id;
    if (entry.type === 'compaction') anchorCompaction(entry, entries);
  });
}

function anchorCompaction(
  entry: SessionEntry & { firstKeptEntryIndex?: unknown },
  entries: readonly FileEntry[],
): void {
  const place = entry.firstKeptEntryIndex;
  if (entry.type !== 'compaction' || typeof place !== 'number') return;
  const kept = entries[place];
  if (kept && kept.type !== 'session') entry.firstKeptEntryId = idAt(place);
  delete entry.firstKeptEntryIndex;
}

/** In version 2 extensions were called hooks. */
function renameHookMessages(entries: readonly FileEntry[]): void {
  for (const entry of entries) {
    if (entry.type !== 'message') continue;
    const message: { role?: string } | null = messageOf(entry);
    if (message?.role === 'hookMessage') message.role = 'custom';
  }
}
