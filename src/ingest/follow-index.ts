import type { FileFacts, Format } from '../model/index.ts';
import { logFacts } from '../sources/index.ts';
import type { IndexStore } from '../stores/index.ts';
import type { ArchivedFile } from '../stores/store.ts';
import type { GenerationOf } from './file-changes.ts';
import type { FoundFile } from './find-archivable.ts';
import { Generations } from './generations.ts';
import { keepMemorySmall, letMemoryGrow } from './hold-memory.ts';
import { type Indexable, indexProjects, planJobs, sourcesOf, WORTH_WORKERS } from './index-projects.ts';
import { LiveIndex } from './live-index.ts';
import type { TreeSource } from './project-index.ts';

/** A file that was written to, and how it is archived now. */
export interface ChangedFile {
  readonly file: FoundFile;
  readonly archived: ArchivedFile | undefined;
}

/** Told when new lines can be read from the store. */
export interface Indexed {
  readonly revision: number;
  /** The working folder. */
  readonly project: string;
  readonly files: readonly string[];
  readonly bytesRead: number;
}

/** Trees that nobody writes to are let go after so many milliseconds. */
const IDLE = 5 * 60_000;

/** Keeps an index up to date with files that somebody watches. */
export class FollowedIndex {
  readonly #store: IndexStore;
  readonly #onIndexed: (indexed: Indexed) => void;
  readonly #live: LiveIndex;
  readonly #trees = new Map<string, Omit<TreeSource, 'files'>>();
  readonly #files = new Map<string, { readonly tree: string; readonly facts: FileFacts }>();
  /** Which tree a new file of a project folder belongs to. */
  readonly #folders = new Map<string, string>();

  constructor(store: IndexStore, onIndexed: (indexed: Indexed) => void) {
    this.#store = store;
    this.#onIndexed = onIndexed;
    this.#live = new LiveIndex(store);
  }

  /** Brings everything up to date: at the beginning, and when something came that `follow` cannot place. */
  async look(history: Indexable, archived: readonly ArchivedFile[]): Promise<void> {
    const sources = sourcesOf(history);
    const generationOf = new Generations(archived).of;
    this.#remember(sources);
    await this.#live.release(Date.now() - IDLE);
    await this.#bringUpToDate(history, sources, generationOf);
    for (const source of lastWritten(sources, Date.now() - IDLE)) await this.#live.expect(source);
  }

  /** Files that were written to since. False when nobody knows where a new one belongs, or more has to be read than these: `look` does it. */
  async follow(changed: readonly ChangedFile[]): Promise<boolean> {
    await this.#live.release(Date.now() - IDLE);
    const logs = changed.filter(({ file }) => file.kind === 'log');
    const placed = logs.map((each) => ({ ...each, ...this.#place(each.file) }));
    const generations = new Map(logs.map(({ file, archived }) => [file.full, archived?.generation ?? null]));
    const byTree = Map.groupBy(placed, ({ tree }) => tree);
    let isDone = !byTree.has(undefined);
    for (const [key, files] of byTree) {
      const tree = key === undefined ? undefined : this.#trees.get(key);
      if (!tree) continue;
      const isUpdated = await this.#update(
        tree,
        files.flatMap(({ file, facts }) =>
          facts ? [{ facts, path: file.full, size: file.size, modified: file.modified }] : [],
        ),
        ({ path }) => generations.get(path) ?? null,
      );
      isDone &&= isUpdated;
    }
    return isDone;
  }

  /** Lets go everything it holds. */
  close(): Promise<void> {
    return this.#live.release();
  }

  async #bringUpToDate(history: Indexable, sources: readonly TreeSource[], generationOf: GenerationOf): Promise<void> {
    const jobs = await planJobs(sources, this.#store, generationOf);
    const isMuch = jobs.reduce((sum, { bytes }) => sum + bytes, 0) >= WORTH_WORKERS;
    const isMoved = jobs.some(
      ({ dropTrees, known, complete }) => dropTrees.length > 0 || (known.length > 0 && !complete),
    );
    if (!isMuch && !isMoved) {
      for (const { source } of jobs) await this.#update(source, source.files, generationOf);
      return;
    }
    await this.#live.release();
    letMemoryGrow();
    try {
      await indexProjects(history, this.#store, { generationOf });
    } finally {
      keepMemorySmall();
    }
    const revision = await this.#store.revision();
    for (const { source, bytes } of jobs) this.#tell(source.project, source.files, revision, bytes);
  }

  async #update(
    tree: Omit<TreeSource, 'files'>,
    files: TreeSource['files'],
    generationOf: GenerationOf,
  ): Promise<boolean> {
    const { revision, bytesRead, isDone } = await this.#live.update({ ...tree, files }, generationOf);
    if (revision !== null) this.#tell(tree.project, files, revision, bytesRead);
    return isDone;
  }

  #tell({ path }: TreeSource['project'], files: TreeSource['files'], revision: number, bytesRead: number): void {
    this.#onIndexed({ revision, project: path, files: files.map((file) => file.path), bytesRead });
  }

  #remember(sources: readonly TreeSource[]): void {
    this.#trees.clear();
    this.#files.clear();
    this.#folders.clear();
    for (const { files, ...tree } of sources) {
      this.#trees.set(tree.key, tree);
      for (const { facts, path } of files) {
        this.#files.set(path, { tree: tree.key, facts });
        const folder = folderOf(facts, path);
        if (folder !== null) this.#folders.set(`${facts.format}\n${folder}`, tree.key);
      }
    }
  }

  #place(file: FoundFile): { readonly tree?: string; readonly facts?: FileFacts } {
    const known = this.#files.get(file.full);
    if (known) return known;
    const folder = file.full.slice(0, -file.path.length - 1);
    const tree = this.#folders.get(`${file.agent}\n${folder}`);
    const format: Format | undefined = tree === undefined ? undefined : this.#trees.get(tree)?.format;
    const facts = format && logFacts(format, folder, file.path);
    if (tree === undefined || !facts) return {};
    this.#files.set(file.full, { tree, facts });
    return { tree, facts };
  }
}

/** Those that somebody wrote to since, the last first. */
function lastWritten(sources: readonly TreeSource[], since: number): TreeSource[] {
  const writtenAt = ({ files }: TreeSource): number =>
    files.reduce((latest, { modified }) => Math.max(latest, modified), 0);
  return sources
    .map((source) => ({ source, at: writtenAt(source) }))
    .filter(({ at }) => at >= since)
    .sort((a, b) => b.at - a.at)
    .map(({ source }) => source);
}

/** The project folder of a file; null where two roots have one of that name, and files go by their whole path. */
const folderOf = ({ id, project }: FileFacts, path: string): string | null =>
  id.startsWith(`${project}/`) ? path.slice(0, -(id.length - project.length)) : null;
