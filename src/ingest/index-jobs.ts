import { closeSync, openSync, readSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { FileId, Format } from '../model/index.ts';
import { askThread } from '../sources/ask-thread.ts';
import type { Problem } from '../sources/index.ts';
import { workerUrl } from '../sources/worker-url.ts';
import type { Chunk, FileEntry, FindingCounts, IndexBatch, IndexStore, TextEntry } from '../stores/index.ts';
import type { StoreShare } from '../stores/store.ts';
import { ProjectIndex, type TreeSource } from './project-index.ts';
import { TextDocs, type TextLimits } from './text-docs.ts';

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

/** A job as it goes to a thread: a format is code, so its name goes instead. */
interface SentJob extends Omit<TreeJob, 'source'> {
  readonly source: Omit<TreeSource, 'format'> & { readonly format: string };
}

/** What a thread begins with. */
export interface WorkerStart {
  readonly share: StoreShare;
  /** The first number of its volumes. */
  readonly volumes: number;
}

/** A job, or that there are no more. After a large one memory is given back. */
export type IndexTask = { readonly job: SentJob; readonly isLarge: boolean } | 'end';

/** What has to be written: rows of a tree, or text of trees. */
export type Written = { readonly batch: IndexBatch } | { readonly text: TextEntry };

export const write = async (written: Written, store: IndexStore): Promise<number> =>
  'batch' in written ? store.apply(written.batch) : store.addText(written.text);

/** Brings trees up to date one after the other. Their texts go into volumes together; a tree is complete when all its text is written. */
export class TreeRun {
  readonly #texts: TextDocs;
  #waiting: string[] = [];

  /** `numbers`: of the volumes it may make. */
  constructor(numbers: Iterator<number>, limits?: TextLimits) {
    this.#texts = new TextDocs(() => numbers.next().value as number, limits);
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
    const taken = this.#texts.take();
    if (!taken && this.#waiting.length === 0) return;
    const completes = this.#waiting;
    this.#waiting = [];
    yield { text: { volume: null, number: 0, ...taken, completes } };
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

const MIB = 1024 * 1024;

/** What a tree of so many bytes of logs takes at most, in MiB: with its rows and what is not collected yet. */
const memoryFor = (bytes: number): number => 40 + (0.4 * bytes) / MIB;

/** MiB in which a thread makes new objects. More of it would not be faster. */
const YOUNG = 24;

/** Room that a thread has for trees of usual size. */
const SMALL = 100 * MIB;

interface Thread {
  readonly worker: Worker;
  /** For trees that weigh no more. */
  readonly room: number;
  /** What it did so far: of some the text is not written yet. */
  readonly jobs: TreeJob[];
}

/**
 * Threads that parse and write. Rows never go from one to another: to copy them would take as long as to write them. Threads are used
 * again, for it takes a second of work until their code is compiled.
 */
export class IndexPool {
  readonly #idle: Thread[] = [];
  readonly #open = new Set<Thread>();
  readonly #store: IndexStore;
  #share: Promise<StoreShare> | null = null;

  constructor(store: IndexStore) {
    this.#store = store;
  }

  async index(job: TreeJob): Promise<JobReport> {
    const room = weightOf(job.source, job);
    const fits = this.#idle.findIndex((thread) => thread.room >= room);
    const [idle] = fits < 0 ? [] : this.#idle.splice(fits, 1);
    const thread = idle ?? (await this.#start(Math.max(room, SMALL)));
    thread.jobs.push(job);
    try {
      const report = await perform(thread, job);
      this.#idle.push(thread);
      return report;
    } catch (error) {
      if ((error as { code?: string }).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
      this.#open.delete(thread);
      return await this.#again(thread.jobs);
    }
  }

  /** What the threads have not given out yet is written. */
  async end(): Promise<void> {
    await Promise.all(this.#idle.map(({ worker }) => askThread<IndexTask, null>(worker, 'end')));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map((thread) => this.#stop(thread)));
  }

  /** Lines may be much shorter than those that were looked at, and so more of them: what was lost begins again with room for any. */
  async #again(jobs: readonly TreeJob[]): Promise<JobReport> {
    const thread = await this.#start(Infinity);
    let report: JobReport | null = null;
    // Trees that moved into these were dropped the first time, and may have been written anew since.
    for (const job of jobs)
      report = await perform(thread, { ...job, known: [], complete: false, dropTrees: [job.source.key] });
    await this.#finish(thread);
    return report as JobReport;
  }

  async #finish(thread: Thread): Promise<void> {
    await askThread<IndexTask, null>(thread.worker, 'end');
    await this.#stop(thread);
  }

  async #start(room: number): Promise<Thread> {
    // Told how little it needs, a thread collects its garbage instead of growing.
    const resourceLimits = {
      maxYoungGenerationSizeMb: YOUNG,
      ...(room < Infinity && { maxOldGenerationSizeMb: Math.ceil(memoryFor(room)) }),
    };
    this.#share ??= this.#store.share();
    const workerData: WorkerStart = {
      share: await this.#share,
      volumes: await this.#store.reserveVolumes(VOLUME_NUMBERS),
    };
    const worker = new Worker(workerUrl('ingest/index-tree'), { resourceLimits, workerData });
    const thread = { worker, room, jobs: [] };
    this.#open.add(thread);
    return thread;
  }

  async #stop(thread: Thread): Promise<void> {
    this.#open.delete(thread);
    await thread.worker.terminate();
  }
}

function perform({ worker }: Thread, { source, ...job }: TreeJob): Promise<JobReport> {
  const sent: SentJob = { ...job, source: { ...source, format: source.format.name } };
  return askThread<IndexTask, JobReport>(worker, { job: sent, isLarge: weightOf(source, job) > SMALL });
}

/** A tree is held whole, also when little of it is new. */
const totalOf = (source: TreeSource, { known }: Pick<TreeJob, 'known'>): number => {
  const sizes = new Map(
    [...known, ...source.files.map(({ facts, size }) => ({ id: facts.id, size }))].map((file) => [file.id, file.size]),
  );
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
};

/** As many bytes of usual lines take as much memory. */
const weightOf = (source: TreeSource, job: Pick<TreeJob, 'known'>): number => totalOf(source, job) * density(source);

export const memoryOf = ({ source, known }: TreeJob): number => memoryFor(weightOf(source, { known }));

const USUAL_LINE = 2700;
const SAMPLE = 64 * 1024;
const WORTH_A_LOOK = 8 * MIB;

/** A tree takes memory for its lines, however short they are: so many more there are than usual, told from the middle of the largest file. */
function density({ files }: TreeSource): number {
  const [largest] = [...files].sort((a, b) => b.size - a.size);
  if (!largest || largest.size < WORTH_A_LOOK) return 1;
  const lines = sampleOf(largest, Math.floor(largest.size / 2)).reduce(
    (count, byte) => count + (byte === 10 ? 1 : 0),
    0,
  );
  return Math.max(1, (lines * USUAL_LINE) / SAMPLE);
}

function sampleOf({ path, kept, bytes }: TreeSource['files'][number], from: number): Uint8Array {
  if (kept) return kept.read(from, SAMPLE);
  if (bytes) return bytes.subarray(from, from + SAMPLE);
  const sample = Buffer.alloc(SAMPLE);
  try {
    const handle = openSync(path, 'r');
    readSync(handle, sample, 0, SAMPLE, from);
    closeSync(handle);
  } catch {
    // It is told when it is read.
  }
  return sample;
}
