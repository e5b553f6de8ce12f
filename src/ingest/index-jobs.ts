import { Worker } from 'node:worker_threads';
import type { FileId, Format } from '../model/index.ts';
import type { Problem } from '../sources/index.ts';
import type { Chunk, FileEntry, IndexBatch, IndexStore } from '../stores/index.ts';
import { ProjectIndex, type TreeSource } from './project-index.ts';
import { workerUrl } from './worker-url.ts';

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
}

/** A job as it goes to a thread: a format is code, so its name goes instead. */
export interface SentJob extends Omit<TreeJob, 'source'> {
  readonly source: Omit<TreeSource, 'format'> & { readonly format: string };
  readonly chunks: readonly Chunk[];
}

export type FromWorker = { readonly batch: IndexBatch } | { readonly report: JobReport };

/** So many batches may be under way: more would pile up in memory, fewer would make the threads wait. */
export const CREDIT = 4;

/** In this thread. */
export async function indexHere(job: TreeJob, store: IndexStore): Promise<JobReport> {
  const chunks = job.known.length > 0 ? await store.chunks(job.source.key) : [];
  const index = openJob(job, job.source.format, chunks);
  for (const batch of batchesOf(job, job.source, index)) await store.apply(batch);
  return { bytesRead: index.bytesRead, problems: index.problems };
}

export const openJob = (
  { source, known, complete }: Pick<TreeJob, 'known' | 'complete'> & { readonly source: { readonly key: string } },
  format: Format,
  chunks: readonly Chunk[],
): ProjectIndex => ProjectIndex.load(source.key, format, { files: known, chunks, complete });

export function* batchesOf(
  { dropTrees, generations }: Pick<TreeJob, 'dropTrees' | 'generations'>,
  source: Pick<TreeSource, 'files' | 'project'>,
  index: ProjectIndex,
): Generator<IndexBatch> {
  let isFirst = true;
  for (const batch of index.update(source, (file) => generations.get(file.facts.id) ?? null)) {
    yield isFirst && dropTrees.length > 0 ? { ...batch, dropTrees } : batch;
    isFirst = false;
  }
}

/** Threads that parse. They give batches; this thread alone writes. */
export class IndexPool {
  readonly #all: readonly Worker[];
  readonly #idle: Worker[];

  constructor(threads: number) {
    this.#all = Array.from({ length: threads }, () => openWorker());
    this.#idle = [...this.#all];
  }

  /** As many at once as there are threads. */
  async index({ source, ...job }: TreeJob, store: IndexStore): Promise<JobReport> {
    const worker = this.#idle.pop();
    if (!worker) throw new Error('no thread is idle');
    const chunks = job.known.length > 0 ? await store.chunks(source.key) : [];
    const sent: SentJob = { ...job, source: { ...source, format: source.format.name }, chunks };
    const report = await converse(worker, sent, store);
    this.#idle.push(worker);
    return report;
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map((worker) => worker.terminate()));
  }
}

const openWorker = (): Worker =>
  new Worker(workerUrl('index-tree'), { resourceLimits: { maxYoungGenerationSizeMb: 32 } });

function converse(worker: Worker, job: SentJob, store: IndexStore): Promise<JobReport> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      worker.off('error', fail).off('exit', onExit).off('message', onMessage);
    };
    const fail = (error: unknown): void => {
      stop();
      void worker.terminate();
      reject(error);
    };
    const onExit = (code: number): void => fail(new Error(`a parsing thread ended with ${code}`));
    const onMessage = (message: FromWorker): void => {
      if ('batch' in message) {
        store.apply(message.batch).then(() => worker.postMessage('applied'), fail);
        return;
      }
      stop();
      resolve(message.report);
    };
    worker.on('error', fail).on('exit', onExit).on('message', onMessage);
    worker.postMessage(job);
  });
}
