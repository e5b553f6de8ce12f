import type { LogFile } from '../sources/index.ts';
import { type FoundFile, keyOf } from './find-archivable.ts';
import type { SaveJob } from './save-files.ts';

/**
 * Between those who save files and who reads them afterwards, while others are still being saved: project folders, each as a whole, and
 * the places of threads.
 */
export class HandOver {
  readonly #files: readonly FoundFile[];
  readonly #left = new Map<string, PromiseWithResolvers<void> & { files: number }>();
  readonly #threads: readonly PromiseWithResolvers<void>[];
  #threadsEnded = 0;
  #folders: ReadonlyMap<string, string> | null = null;
  #isUsed = false;

  /** `files`: all that are to be in the archive; `jobs`: those that are not in it yet. */
  constructor(files: readonly FoundFile[], jobs: readonly SaveJob[], threads: number) {
    this.#files = files;
    for (const { file } of jobs) {
      const left = this.#left.get(folderOf(file)) ?? { ...Promise.withResolvers<void>(), files: 0 };
      left.files++;
      this.#left.set(folderOf(file), left);
    }
    this.#threads = Array.from({ length: Math.max(0, threads - 1) }, () => Promise.withResolvers<void>());
  }

  /** Of the threads that leave their places to who reads: when each ends. */
  get threads(): readonly Promise<void>[] {
    return this.#threads.map(({ promise }) => promise);
  }

  /** Whether something was handed over: one thread is enough from then on. */
  get isUsed(): boolean {
    return this.#isUsed;
  }

  /** When everything in the folders of these files is saved, or cannot be; never, where one was not there when all were looked for. */
  async when(files: readonly LogFile[]): Promise<void> {
    this.#folders ??= new Map(this.#files.map((file) => [file.full, folderOf(file)]));
    // Those that are kept lie nowhere else.
    const folders = new Set(files.flatMap(({ path, kept }) => (kept ? [] : [this.#folders?.get(path)])));
    await Promise.all([...folders].map((folder) => (folder === undefined ? NEVER : this.#left.get(folder)?.promise)));
    this.#isUsed = true;
  }

  saved(jobs: readonly SaveJob[]): void {
    for (const { file } of jobs) {
      const left = this.#left.get(folderOf(file));
      if (left && --left.files === 0) left.resolve();
    }
  }

  threadEnded(): void {
    this.#threads[this.#threadsEnded++]?.resolve();
  }

  /** Also when it failed. */
  end(): void {
    for (const { resolve } of this.#threads) resolve();
  }
}

const NEVER = new Promise<never>(() => undefined);

const folderOf = (file: FoundFile): string => keyOf({ ...file, path: '' });

/**
 * The smallest folder first: who reads them has something to do at once, and comes to the largest, which takes the most memory, when all
 * are saved. Of each folder the largest file first: at the end threads wait for each other less.
 */
export function orderOf(jobs: readonly SaveJob[]): SaveJob[] {
  const folders = [...Map.groupBy(jobs, ({ file }) => folderOf(file)).values()].map((each) => ({
    jobs: each.sort((a, b) => b.file.size - a.file.size),
    size: each.reduce((sum, { file }) => sum + file.size, 0),
  }));
  return folders.sort((a, b) => a.size - b.size).flatMap((folder) => folder.jobs);
}
