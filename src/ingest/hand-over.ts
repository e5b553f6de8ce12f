import type { FileId } from '../model/index.ts';
import type { LogFile } from '../sources/index.ts';
import type { ArchivedFile } from '../stores/store.ts';
import { type FoundFile, keyOf } from './find-archivable.ts';
import type { SaveJob } from './save-files.ts';
import { isSaved, type SavedFlags, setFailed, setSaved, setSavedBytes } from './saved-flags.ts';

/** A file that is being saved; `jobs`: a folder in another one is saved with both. */
interface Saving {
  readonly file: FoundFile;
  readonly place: number;
  jobs: number;
}

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
  /** By their paths, and by what the archive calls them. */
  readonly #saving = new Map<string, Saving>();
  readonly #byKey = new Map<string, Saving>();
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
      const saving = this.#saving.get(file.full) ?? { file, place: this.#saving.size, jobs: 0 };
      saving.jobs++;
      this.#saving.set(file.full, saving);
      this.#byKey.set(keyOf(file), saving);
    }
    this.#flags = new Int32Array(new SharedArrayBuffer(this.#saving.size * Int32Array.BYTES_PER_ELEMENT));
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

  /** When what lies beside the logs of their folders is saved, and something of a file. Then who reads can begin, and waits for each file by its flag. */
  async whenBegun(files: readonly LogFile[]): Promise<SavedFlags> {
    const folders = this.#foldersOf(files);
    // One that nobody looked at has no flag.
    if (folders.has(undefined)) await NEVER;
    await Promise.all([...folders].map((folder) => this.#left.get(folder as string)?.begun.promise));
    this.#isUsed = true;
    const places = new Map<FileId, number>();
    for (const { facts, path } of files) {
      const saving = this.#saving.get(path);
      if (saving) places.set(facts.id, saving.place);
    }
    return { flags: this.#flags.buffer, places };
  }

  /** Without those that are kept, which lie nowhere else; undefined: of a file that is not to be saved. */
  #foldersOf(files: readonly LogFile[]): Set<string | undefined> {
    this.#folders ??= new Map(this.#files.map((file) => [file.full, folderOf(file)]));
    return new Set(files.flatMap(({ path, kept }) => (kept ? [] : [this.#folders?.get(path)])));
  }

  /** So far the archive has these files: of a long one the rest is on its way. */
  savedBytes(files: readonly ArchivedFile[]): void {
    for (const archived of files) {
      const saving = this.#byKey.get(keyOf(archived));
      if (saving?.jobs !== 1) continue;
      if (archived.size < saving.file.size) setSavedBytes(this.#flags, saving.place, archived.size);
      else this.#setSaved(saving);
      const left = this.#left.get(folderOf(saving.file));
      if (left?.artifacts === 0) left.begun.resolve();
    }
  }

  #setSaved({ file, place }: Saving): void {
    if (!isSaved(this.#flags, place)) setSaved(this.#flags, place, this.#generationOf(file));
  }

  saved(jobs: readonly SaveJob[]): void {
    for (const { file } of jobs) {
      const left = this.#left.get(folderOf(file));
      const saving = this.#saving.get(file.full);
      if (saving && --saving.jobs === 0) this.#setSaved(saving);
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
