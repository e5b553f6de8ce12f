import { type FSWatcher, watch as watchFolder } from 'node:fs';
import { join } from 'node:path';
import { type FoundRoots, nameOf, onDisk, statsOf } from '../sources/index.ts';
import { type ArchivedFile, BLOCK } from '../stores/store.ts';
import { BatchWriter } from './batch-writer.ts';
import { type Exclude, nothingExcluded } from './exclude.ts';
import { type Archivable, type FoundFile, keyOf } from './find-archivable.ts';
import { findNewFiles } from './find-new-files.ts';
import type { ChangedFile } from './follow-index.ts';
import { giveBackMemory } from './give-back-memory.ts';
import { type Ingested, type IngestOptions, ingest } from './ingest.ts';
import { promptFilter } from './prompt-history.ts';
import { saveFile } from './save-file.ts';
import { isReadError } from './save-files.ts';
import { isForgotten } from './tombstone.ts';

export interface WatchOptions extends Omit<IngestOptions, 'roots' | 'exclude'> {
  /** Asked before every look at all files: a root may come later, the list may change. */
  readonly findRoots: () => FoundRoots;
  readonly readExclude: () => Exclude;
  readonly signal: AbortSignal;
  /** After every look at all files; what is written meanwhile waits. */
  readonly onIngested?: (figures: Ingested) => void | Promise<void>;
  /** After what was written to some files is archived. */
  readonly onChanged?: (files: readonly ChangedFile[]) => Promise<void>;
}

/** The system tells of a line in several pieces. */
const GATHER = 15;
/** Everything is looked at again: what the system did not tell of, and what is gone. */
const LOOK_AGAIN = 30_000;
/** … where the system does not tell of every folder. */
const LOOK_OFTEN = 1000;

/** What is written meanwhile is little; a batch takes no more room than that. */
const APPENDED = 4 * BLOCK;

/** Archives everything, then what is written, until it is told to stop. A file that grew costs what was added, a new one itself. */
export async function watch(options: WatchOptions): Promise<void> {
  const { archive, signal, findRoots, readExclude, onIngested, onChanged, onSaved } = options;
  const files = new Map<string, FoundFile>();
  const known = new Map<string, ArchivedFile>();
  const changed = new Set<string>();
  let tombstones: ReadonlySet<string> = new Set();
  let found: Archivable | null = null;
  let exclude: Exclude = nothingExcluded;
  const folders = new WatchedFolders((path) => {
    changed.add(path);
    wake();
  });
  let wake: () => void = () => undefined;

  const saved = (written: readonly ArchivedFile[]): void => {
    for (const file of written) known.set(keyOf(file), file);
    onSaved?.(written);
  };
  // Its room is used again for whatever is written.
  const writer = new BatchWriter(archive, { batchBytes: APPENDED, ...options, onSaved: saved });
  const lookAtAll = async (): Promise<void> => {
    changed.clear();
    exclude = readExclude();
    const figures = await ingest({ ...options, roots: findRoots(), exclude, onSaved: saved });
    found = figures.found;
    files.clear();
    for (const file of found.files) files.set(file.full, file);
    await onIngested?.(figures);
    // What was written between the look and the watch would be missed.
    if (folders.set(found.folders)) await lookAtAll();
  };
  /** The file at a path, or those that came with it; null where a look at all has to tell: something is gone, or not easily placed. */
  const filesAt = (path: string): readonly FoundFile[] | null => {
    const file = files.get(path);
    const stat = file && statsOf(path);
    if (file) return stat ? [{ ...file, size: stat.size, inode: stat.ino, modified: stat.mtimeMs }] : null;
    if (!found || exclude.length > 0) return null;
    const added = findNewFiles(path, found, (folder) => folders.add(folder));
    return added?.filter((each) => !files.has(each.full) && !isForgotten(tombstones, each)) ?? null;
  };
  const saveChanged = async (): Promise<void> => {
    const paths = [...changed];
    changed.clear();
    const written: FoundFile[] = [];
    for (const path of paths) {
      const now = filesAt(path);
      if (now === null) {
        await writer.flush();
        return lookAtAll();
      }
      for (const file of now) {
        try {
          const filter = promptFilter(file, { tombstones, exclude });
          await saveFile(file, known.get(keyOf(file)), writer, { onRead: () => undefined, filter });
          files.set(file.full, file);
          written.push(file);
        } catch (error) {
          if (!isReadError(error)) throw error;
        }
      }
    }
    await writer.flush();
    await onChanged?.(written.map((file) => ({ file, archived: known.get(keyOf(file)) })));
  };

  try {
    tombstones = await archive.tombstones();
    for (const file of await archive.files()) known.set(keyOf(file), file);
    await lookAtAll();
    let isQuiet = false;
    for (let looked = Date.now(); !signal.aborted; ) {
      const pause = looked + (folders.areComplete ? LOOK_AGAIN : LOOK_OFTEN) - Date.now();
      if (changed.size === 0) await sleep(pause, signal, (end) => (wake = end));
      if (signal.aborted) break;
      if (changed.size === 0) {
        await lookAtAll();
        // Not while somebody may be waiting for the next line.
        if (isQuiet) giveBackMemory();
        isQuiet = true;
        looked = Date.now();
      } else {
        await sleep(GATHER, signal);
        await saveChanged();
        isQuiet = false;
      }
    }
  } finally {
    folders.set([]);
  }
}

/** Until the time is over, somebody wakes it, or all ends. */
function sleep(milliseconds: number, signal: AbortSignal, take?: (end: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, Math.max(0, milliseconds));
    signal.addEventListener('abort', end);
    take?.(end);
  });
}

/** One watch per folder: the system tells of files in it by name. */
class WatchedFolders {
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #tell: (path: string) => void;
  /** False where the system has no watches left. */
  areComplete = true;

  constructor(tell: (path: string) => void) {
    this.#tell = tell;
  }

  /** Watches these and no others. Gives whether there is a new one. */
  set(folders: readonly string[]): boolean {
    const wanted = new Set(folders);
    for (const [folder, watcher] of this.#watchers) {
      if (wanted.has(folder)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
    this.areComplete = true;
    let isNew = false;
    for (const folder of wanted) {
      if (this.#watchers.has(folder)) continue;
      if (this.add(folder)) isNew = true;
    }
    return isNew;
  }

  /** Whether it is watched from now on. */
  add(folder: string): boolean {
    if (this.#watchers.has(folder)) return false;
    try {
      const watcher = watchFolder(onDisk(folder), { encoding: 'buffer' }, (_event, name) =>
        this.#tell(name === null ? folder : join(folder, nameOf(name))),
      );
      // A folder that is gone: what was in it is looked for with everything.
      watcher.on('error', () => {
        watcher.close();
        this.#watchers.delete(folder);
        this.#tell(folder);
      });
      this.#watchers.set(folder, watcher);
      return true;
    } catch {
      this.areComplete = false;
      return false;
    }
  }
}
