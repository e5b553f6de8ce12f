import type { FileId, Format } from '../model/index.ts';
import type { Problem } from '../sources/index.ts';
import type { Chunk, FileEntry, FindingCounts, IndexBatch, IndexStore, TextEntry } from '../stores/index.ts';
import { ProjectIndex, type TreeSource } from './project-index.ts';
import { TextDocs, type TextOptions } from './text-docs.ts';

/** One tree that has to be brought up to date. */
export interface TreeJob {
  readonly source: TreeSource;
  /** Likely to be read. */
  readonly bytes: number;
  readonly known: readonly FileEntry[];
  readonly complete: boolean;
  readonly dropTrees: readonly string[];
  readonly generations: ReadonlyMap<FileId, number | null>;
}

export interface JobReport {
  readonly bytesRead: number;
  readonly problems: readonly Problem[];
  readonly findings: FindingCounts;
}

/** What has to be written: rows of a tree, or text of trees. */
export type Written = { readonly batch: IndexBatch } | { readonly text: TextEntry };

export const write = async (written: Written, store: IndexStore): Promise<number> =>
  'batch' in written ? store.apply(written.batch) : store.addText(written.text);

/** Brings trees up to date one after the other. Their texts go into volumes together; a tree is complete when all its text is written. */
export class TreeRun {
  readonly #texts: TextDocs;
  #waiting: string[] = [];

  /** `numbers`: of the volumes it may make. */
  constructor(numbers: Iterator<number>, options?: TextOptions) {
    this.#texts = new TextDocs(() => numbers.next().value as number, options);
  }

  open({ source, known, complete }: RunJob, format: Format, chunks: readonly Chunk[]): ProjectIndex {
    return ProjectIndex.load(source.key, format, { files: known, chunks, complete }, this.#texts);
  }

  *update(index: ProjectIndex, { source, dropTrees, generations }: RunJob): Generator<Written> {
    let isFirst = true;
    for (const batch of index.update(source, (file) => generations.get(file.facts.id) ?? null)) {
      const { tree } = batch;
      if (tree.complete) this.#waiting.push(tree.key);
      yield {
        batch: { ...batch, tree: { ...tree, complete: false }, ...(isFirst && dropTrees.length > 0 && { dropTrees }) },
      };
      isFirst = false;
      if (this.#texts.isFull) yield* this.end();
    }
  }

  /** What was not written yet. */
  *end(): Generator<Written> {
    const text = this.#texts.take(this.#waiting);
    this.#waiting = [];
    if (text) yield { text };
  }
}

type RunJob = Pick<TreeJob, 'known' | 'complete' | 'dropTrees' | 'generations'> & {
  readonly source: Pick<TreeSource, 'key' | 'files' | 'project'>;
};

/** In this thread. */
export async function indexHere(job: TreeJob, store: IndexStore, run: TreeRun): Promise<JobReport> {
  const chunks = job.known.length > 0 ? await store.chunks(job.source.key) : [];
  const index = run.open(job, job.source.format, chunks);
  for (const written of run.update(index, job)) await write(written, store);
  return { bytesRead: index.bytesRead, problems: index.problems, findings: index.countFindings() };
}

/** Numbers of volumes for one run; nobody makes so many. */
export const VOLUME_NUMBERS = 4096;

export function* numbersFrom(first: number): Generator<number> {
  for (let number = first; ; number++) yield number;
}
