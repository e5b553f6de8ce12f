import type { FileId } from '../model/index.ts';
import type { LogFile } from '../sources/index.ts';
import { type FoundFile, keyOf } from './find-archivable.ts';
import type { SaveJob } from './save-files.ts';
import { type SavedFlags, setFailed, setSaved } from './saved-flags.ts';

/** A project folder that is being saved. */
interface Folder {
  readonly begun: PromiseWithResolvers<void>;
  readonly saved: PromiseWithResolvers<void>;
  files: number;
  /** Those of them that have no flag: they are read together with any log. */
  artifacts: number;
}

/**
 * Between those who save files and who reads them afterwards, while others are still being saved: project folders, their files, and the
 * places of threads.
 */
export class HandOver {
  readonly #files: readonly FoundFile[];
  readonly #left = new Map<string, Folder>();
  /** Of each file that is saved, by its path; `jobs`: a folder in another one is saved with both. */
  readonly #places = new Map<string, { readonly place: number; jobs: number }>();
  readonly #flags: Int32Array<SharedArrayBuffer>;
  readonly #generationOf: (file: FoundFile) => number | null;
  readonly #threads: readonly PromiseWithResolvers<void>[];
  #threadsEnded = 0;
  #folders: ReadonlyMap<string, string> | null = null;
  #isUsed = false;

  /** `files`: all that are to be in the archive; `jobs`: those that are not in it yet. `generationOf`: of what is saved. */
  constructor(
    files: readonly FoundFile[],
    jobs: readonly SaveJob[],
    threads: number,
    generationOf: (file: FoundFile) => number | null,
  ) {
    this.#files = files;
    this.#generationOf = generationOf;
    for (const { file } of jobs) {
      const left = this.#left.get(folderOf(file)) ?? {
        begun: Promise.withResolvers<void>(),
        saved: Promise.withResolvers<void>(),
        ...{ files: 0, artifacts: 0 },
      };
      left.files++;
      if (isArtifact(file)) left.artifacts++;
      this.#left.set(folderOf(file), left);
      const known = this.#places.get(file.full);
      if (known) known.jobs++;
      else this.#places.set(file.full, { place: this.#places.size, jobs: 1 });
    }
    this.#flags = new Int32Array(new SharedArrayBuffer(this.#places.size * Int32Array.BYTES_PER_ELEMENT));
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
    const folders = this.#foldersOf(files);
    await Promise.all(
      [...folders].map((folder) => (folder === undefined ? NEVER : this.#left.get(folder)?.saved.promise)),
    );
    this.#isUsed = true;
  }

  /** When what lies beside the logs of their folders is saved, and a file at least. Then who reads can begin, and waits for each file by its flag. */
  async whenBegun(files: readonly LogFile[]): Promise<SavedFlags> {
    const folders = this.#foldersOf(files);
    // One that nobody looked at has no flag.
    if (folders.has(undefined)) await NEVER;
    await Promise.all([...folders].map((folder) => this.#left.get(folder as string)?.begun.promise));
    this.#isUsed = true;
    const places = new Map<FileId, number>();
    for (const { facts, path } of files) {
      const known = this.#places.get(path);
      if (known) places.set(facts.id, known.place);
    }
    return { flags: this.#flags.buffer, places };
  }

  /** Without those that are kept, which lie nowhere else; undefined: of a file that is not to be saved. */
  #foldersOf(files: readonly LogFile[]): Set<string | undefined> {
    this.#folders ??= new Map(this.#files.map((file) => [file.full, folderOf(file)]));
    return new Set(files.flatMap(({ path, kept }) => (kept ? [] : [this.#folders?.get(path)])));
  }

  saved(jobs: readonly SaveJob[]): void {
    for (const { file } of jobs) {
      const left = this.#left.get(folderOf(file));
      const known = this.#places.get(file.full);
      if (known && --known.jobs === 0) setSaved(this.#flags, known.place, this.#generationOf(file));
      if (!left) continue;
      if (isArtifact(file)) left.artifacts--;
      if (left.artifacts === 0) left.begun.resolve();
      if (--left.files === 0) left.saved.resolve();
    }
  }

  threadEnded(): void {
    this.#threads[this.#threadsEnded++]?.resolve();
  }

  /** Also when it failed: what is not saved then will not be. */
  end(): void {
    for (const { resolve } of this.#threads) resolve();
    setFailed(this.#flags);
  }
}

const NEVER = new Promise<never>(() => undefined);

const isArtifact = ({ kind }: FoundFile): boolean => kind === 'artifact';

const folderOf = (file: FoundFile): string => keyOf({ ...file, path: '' });

/**
 * The smallest folder first: who reads them has something to do at once, and comes to the largest, which takes the most memory, at the end.
 * Of each what lies beside its logs, and then these in the order in which they are read.
 */
export function orderOf(jobs: readonly SaveJob[]): SaveJob[] {
  const folders = [...Map.groupBy(jobs, ({ file }) => folderOf(file)).values()].map((each) => ({
    jobs: each.sort(
      (a, b) => Number(isArtifact(b.file)) - Number(isArtifact(a.file)) || (a.file.path < b.file.path ? -1 : 1),
    ),
    size: each.reduce((sum, { file }) => sum + file.size, 0),
  }));
  return folders.sort((a, b) => a.size - b.size).flatMap((folder) => folder.jobs);
}
