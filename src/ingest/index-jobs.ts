import type { FileId, Format } from '../model/index.ts';
import type { LogFile, Problem } from '../sources/index.ts';
import type { Chunk, FileEntry, FindingCounts, IndexBatch, IndexStore, TextEntry } from '../stores/index.ts';
import type { WaitFor } from './file-changes.ts';
import { indexInIslands } from './index-islands.ts';
import { ProjectIndex, type TreeSource } from './project-index.ts';
import { type SavedFlags, waitForBytes, waitUntilSaved } from './saved-flags.ts';
import { TextDocs, type TextOptions } from './text-docs.ts';
import { NoTexts, type Texts } from './texts.ts';

/** One tree that has to be brought up to date. */
export interface TreeJob {
  readonly source: TreeSource;
  /** Likely to be read. */
  readonly bytes: number;
  readonly known: readonly FileEntry[];
  readonly complete: boolean;
  readonly dropTrees: readonly string[];
  readonly generations: ReadonlyMap<FileId, number | null>;
  /** So many bytes of usual lines take as much memory. */
  readonly weight: number;
  /** Its files may still be waited for. */
  readonly saved?: SavedFlags | null;
  /** Of a first load: most of it is done. */
  readonly afterMost?: boolean;
  /** It is too large for memory: it is read in islands of so many bytes, or of one session that has more. */
  readonly islandBytes?: number | null;
}

export interface JobReport {
  readonly bytesRead: number;
  readonly problems: readonly Problem[];
}

/** What has to be written: rows of a tree, text of trees, or what is odd about a tree. */
export type Written =
  | { readonly batch: IndexBatch }
  | { readonly text: TextEntry }
  | { readonly tree: string; readonly findings: FindingCounts };

/** Gives the revision it made, if it made one. */
export async function write(written: Written, store: IndexStore): Promise<number | null> {
  if ('batch' in written) return store.apply(written.batch);
  if ('text' in written) return store.addText(written.text);
  await store.setFindings(written.tree, written.findings);
  return null;
}

/** Brings trees up to date one after the other. Their texts go into volumes together; a tree is complete when all its text is written. */
export class TreeRun {
  readonly #texts: Texts;
  readonly #forwards: boolean;
  #waiting: string[] = [];

  /** `numbers`: of the volumes it may make. */
  constructor(numbers: Iterator<number>, { text = true, forwards = false, ...options }: RunOptions = {}) {
    this.#forwards = forwards;
    this.#texts = text ? new TextDocs(() => numbers.next().value as number, options) : new NoTexts(options.maker);
  }

  open({ source, known, complete }: RunJob, format: Format, chunks: readonly Chunk[]): ProjectIndex {
    return ProjectIndex.load(source.key, format, { files: known, chunks, complete }, this.#texts, this.#forwards);
  }

  /** `isPart`: others of the same tree come before or after it. */
  *update(
    index: ProjectIndex,
    { source, dropTrees, generations, saved = null }: RunJob,
    isPart = false,
  ): Generator<Written> {
    let isFirst = true;
    const generationOf = ({ facts: { id } }: LogFile): number | null => {
      const found = saved ? waitUntilSaved(saved, id) : undefined;
      return found === undefined ? (generations.get(id) ?? null) : found;
    };
    for (const batch of index.update(source, generationOf, waitForSaved(saved))) {
      const { tree } = batch;
      if (tree.complete && !isPart) this.#waiting.push(tree.key);
      const dropped = { ...(isFirst && dropTrees.length > 0 && { dropTrees }), ...(isPart && { anew: false }) };
      yield { batch: { ...batch, tree: { ...tree, complete: false }, ...dropped } };
      isFirst = false;
      if (this.#texts.isFull) yield* this.end();
    }
    // Nothing else waits for its text.
    if (!this.#texts.reads) yield* this.end();
  }

  /** All parts of a tree were given out. */
  *complete(tree: string): Generator<Written> {
    this.#waiting.push(tree);
    if (!this.#texts.reads) yield* this.end();
  }

  /** What was not written yet. */
  *end(): Generator<Written> {
    const text = this.#texts.take(this.#waiting);
    this.#waiting = [];
    if (text) yield { text };
  }
}

export interface RunOptions extends TextOptions {
  /** Whether full text is made (default: yes). */
  readonly text?: boolean;
  /** As in `ProjectIndex.load`. */
  readonly forwards?: boolean;
}

type RunJob = Pick<TreeJob, 'known' | 'complete' | 'dropTrees' | 'generations' | 'saved'> & {
  readonly source: Pick<TreeSource, 'key' | 'files' | 'project'>;
};

/** What a job needs of a store, which may be in another thread. */
export interface JobStore extends Pick<IndexStore, 'chunks' | 'findings'> {
  write(written: Written): Promise<unknown>;
}

export const waitForSaved =
  (saved: SavedFlags | null): WaitFor =>
  ({ facts: { id } }, end) =>
    void (saved && waitForBytes(saved, id, end));

/** In this thread. */
export async function indexHere(job: TreeJob, store: JobStore, run: TreeRun): Promise<JobReport> {
  if (job.islandBytes) return indexInIslands(job, job.islandBytes, store, run);
  const { key, format } = job.source;
  const index = run.open(job, format, job.known.length > 0 ? await store.chunks(key) : []);
  for (const written of run.update(index, job)) await store.write(written);
  await store.write({ tree: key, findings: index.countFindings() });
  return { bytesRead: index.bytesRead, problems: index.problems };
}

export const jobStore = (store: IndexStore): JobStore => ({
  chunks: (tree) => store.chunks(tree),
  findings: (tree) => store.findings(tree),
  write: (written) => write(written, store),
});

/** Numbers of volumes for one run; nobody makes so many. */
export const VOLUME_NUMBERS = 4096;

export function* numbersFrom(first: number): Generator<number> {
  for (let number = first; ; number++) yield number;
}
