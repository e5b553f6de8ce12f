import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { formats } from '../formats/index.ts';
import type { ArchiveReader, Format, PromptHistory } from '../model/index.ts';
import { onDisk, realpath } from './byte-names.ts';
import { statsOf } from './find-files.ts';
import type { Root } from './find-roots.ts';

/** A history of prompts: on disk, or where it is gone as the archive holds it. */
export interface PromptFile {
  readonly format: Format;
  readonly history: PromptHistory;
  /** The folder of projects it lies beside. */
  readonly root: string;
  readonly read: () => Uint8Array;
}

export function findPrompts(
  roots: readonly Root[],
  archive: ArchiveReader | undefined,
  isWanted: (root: string) => boolean = () => true,
): PromptFile[] {
  const found = new Map<string, PromptFile>();
  for (const { format, path } of roots) {
    if (!format?.promptHistory) continue;
    const history = format.promptHistory;
    const root = realpath(path) ?? path;
    const bytes = readWhole(join(dirname(path), history.name));
    if (bytes) found.set(`${format.name}\n${root}`, { format, history, root: path, read: () => bytes });
  }
  for (const file of archive?.keptFiles() ?? []) {
    if (file.project !== '') continue;
    const format = formats.find(({ name }) => name === file.agent);
    const history = format?.promptHistory;
    const key = `${file.agent}\n${file.root}`;
    if (!format || !history || file.path !== history.name || found.has(key) || !isWanted(file.root)) continue;
    const read = () => archive?.readKept(file.id, 0, file.size) ?? new Uint8Array();
    found.set(key, { format, history, root: file.root, read });
  }
  return [...found.values()];
}

/** Null when it is not there: it is no log, and nobody misses it. */
function readWhole(path: string): Uint8Array | null {
  try {
    // Opening a pipe would wait for somebody to write into it.
    return statsOf(path)?.isFile() ? readFileSync(onDisk(path)) : null;
  } catch {
    return null;
  }
}
