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

const MIB = 1024 * 1024;

/** What a tree of so many bytes of logs takes at most, in MiB: a tree is a third of it, its rows and what is not collected yet the rest. */
const memoryFor = (bytes: number): number => 48 + (0.65 * bytes) / MIB;

/** Up to this size trees are parsed by threads that are there; a larger one has a thread of its own, whose memory goes with it. */
const SMALL = 24 * MIB;

/** Threads that parse. They give batches; this thread alone writes. */
export class IndexPool {
  readonly #idle: Worker[] = [];
  readonly #open = new Set<Worker>();

  async index({ source, ...job }: TreeJob, store: IndexStore): Promise<JobReport> {
    const isSmall = job.bytes <= SMALL && job.known.length === 0;
    const worker = (isSmall ? this.#idle.pop() : undefined) ?? this.#start(isSmall ? SMALL : totalOf(source, job));
    const chunks = job.known.length > 0 ? await store.chunks(source.key) : [];
    const sent: SentJob = { ...job, source: { ...source, format: source.format.name }, chunks };
    const report = await converse(worker, sent, store);
    if (isSmall) this.#idle.push(worker);
    else await this.#end(worker);
    return report;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map((worker) => this.#end(worker)));
  }

  #start(bytes: number): Worker {
    // Told how little it needs, a thread collects its garbage instead of growing.
    const resourceLimits = {
      maxYoungGenerationSizeMb: 24,
      maxOldGenerationSizeMb: Math.max(160, Math.ceil(memoryFor(bytes)) + 64),
    };
    const worker = new Worker(workerUrl('ingest/index-tree'), { resourceLimits });
    this.#open.add(worker);
    return worker;
  }

  async #end(worker: Worker): Promise<void> {
    this.#open.delete(worker);
    await worker.terminate();
  }
}

/** A tree is held whole, also when little of it is new. */
const totalOf = (source: TreeSource, { known }: Pick<TreeJob, 'known'>): number => {
  const sizes = new Map(
    [...known, ...source.files.map(({ facts, size }) => ({ id: facts.id, size }))].map((file) => [file.id, file.size]),
  );
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
};

export const memoryOf = ({ source, known }: TreeJob): number => memoryFor(totalOf(source, { known }));

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
