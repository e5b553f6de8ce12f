import { type FSWatcher, statSync, watch as watchFolder } from 'node:fs';
import { join } from 'node:path';
import type { FoundRoots } from '../sources/index.ts';
import type { ArchivedFile } from '../stores/store.ts';
import { BatchWriter } from './batch-writer.ts';
import type { Exclude } from './exclude.ts';
import { type FoundFile, keyOf } from './find-archivable.ts';
import { type Ingested, type IngestOptions, ingest, isReadError } from './ingest.ts';
import { promptFilter } from './prompt-history.ts';
import { saveFile } from './save-file.ts';

export interface WatchOptions extends Omit<IngestOptions, 'roots' | 'exclude'> {
  /** Asked before every look at all files: a root may come later, the list may change. */
  readonly findRoots: () => FoundRoots;
  readonly readExclude: () => Exclude;
  readonly signal: AbortSignal;
  /** After every look at all files. */
  readonly onIngested?: (figures: Ingested) => void;
}

/** The system tells of a line in several pieces. */
const GATHER = 15;
/** Everything is looked at again: what the system did not tell of, and what is gone. */
const LOOK_AGAIN = 30_000;
/** … where the system does not tell of every folder. */
const LOOK_OFTEN = 1000;

/** Archives everything, then what is written, until it is told to stop. A file that grew costs what was added; a new one a look at all. */
export async function watch(options: WatchOptions): Promise<void> {
  const { archive, signal, findRoots, readExclude, onIngested, onSaved } = options;
  const files = new Map<string, FoundFile>();
  const known = new Map<string, ArchivedFile>();
  const changed = new Set<string>();
  let tombstones: ReadonlySet<string> = new Set();
  const folders = new WatchedFolders((path) => {
    changed.add(path);
    wake();
  });
  let wake: () => void = () => undefined;

  const saved = (written: readonly ArchivedFile[]): void => {
    for (const file of written) known.set(keyOf(file), file);
    onSaved?.(written);
  };
  const lookAtAll = async (): Promise<void> => {
    changed.clear();
    const figures = await ingest({ ...options, roots: findRoots(), exclude: readExclude(), onSaved: saved });
    files.clear();
    for (const file of figures.found.files) files.set(file.full, file);
    onIngested?.(figures);
    // What was written between the look and the watch would be missed.
    if (folders.set(figures.found.folders)) await lookAtAll();
  };
  const saveChanged = async (): Promise<void> => {
    const paths = [...changed];
    changed.clear();
    const writer = new BatchWriter(archive, { ...options, onSaved: saved });
    for (const path of paths) {
      const file = files.get(path);
      const stat = file && statSync(path, { throwIfNoEntry: false });
      // Something new, or something gone.
      if (!file || !stat) return lookAtAll();
      const now = { ...file, size: stat.size, inode: stat.ino, modified: stat.mtimeMs };
      try {
        await saveFile(now, known.get(keyOf(file)), writer, {
          onRead: () => undefined,
          filter: promptFilter(file, tombstones),
        });
      } catch (error) {
        if (!isReadError(error)) throw error;
      }
    }
    await writer.flush();
  };

  try {
    tombstones = await archive.tombstones();
    for (const file of await archive.files()) known.set(keyOf(file), file);
    await lookAtAll();
    for (let looked = Date.now(); !signal.aborted; ) {
      const pause = looked + (folders.areComplete ? LOOK_AGAIN : LOOK_OFTEN) - Date.now();
      if (changed.size === 0) await sleep(pause, signal, (end) => (wake = end));
      if (signal.aborted) break;
      if (changed.size === 0) {
        await lookAtAll();
        looked = Date.now();
      } else {
        await sleep(GATHER, signal);
        await saveChanged();
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
      if (this.#add(folder)) isNew = true;
      else this.areComplete = false;
    }
    return isNew;
  }

  #add(folder: string): boolean {
    try {
      const watcher = watchFolder(folder, (_event, name) => this.#tell(name === null ? folder : join(folder, name)));
      // A folder that is gone: what was in it is looked for with everything.
      watcher.on('error', () => {
        watcher.close();
        this.#watchers.delete(folder);
        this.#tell(folder);
      });
      this.#watchers.set(folder, watcher);
      return true;
    } catch {
      return false;
    }
  }
}
