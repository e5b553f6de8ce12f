import { MessageChannel, type ResourceLimits, Worker } from 'node:worker_threads';
import { largest, SkeinError } from '../model/index.ts';
import { askThread, endThread } from '../sources/ask-thread.ts';
import { workerUrl } from '../sources/worker-url.ts';
import type { IndexStore } from '../stores/index.ts';
import type { StoreShare } from '../stores/store.ts';
import { LINE_ROOM } from './give-back-memory.ts';
import { letGarbageWait } from './hold-memory.ts';
import { type JobReport, type TreeJob, VOLUME_NUMBERS } from './index-jobs.ts';
import type { TreeSource } from './project-index.ts';
import { spareCores } from './spare-cores.ts';
import { alone, newPipe, type PipeEnd, setBusy } from './text-pipe.ts';
import type { TreeWeight } from './weigh-tree.ts';

/** A job as it goes to a thread: a format is code, so its name goes instead. */
interface SentJob extends Omit<TreeJob, 'source'> {
  readonly source: Omit<TreeSource, 'format'> & { readonly format: string };
}

/** What a thread begins with. */
export interface ReaderStart {
  readonly share: StoreShare;
  /** The first number of its volumes. */
  readonly volumes: number;
  /** Whether it makes full text. */
  readonly text: boolean;
  readonly pipe: PipeEnd;
}

/** What the thread behind it begins with. */
export type WriterStart = Omit<ReaderStart, 'volumes' | 'text'>;

/** A job, or that there are no more. After a large one memory is given back, if another one follows. */
export type IndexTask = { readonly job: SentJob; readonly isLarge: boolean } | 'end';

const MIB = 1024 * 1024;

/** What a tree of so many bytes of logs takes at most, in MiB: with its rows and what is not collected yet. */
const memoryFor = (bytes: number): number => 60 + (0.4 * bytes) / MIB;

/**
 * MiB beyond that before a thread gives up. What it is told to take at most is more by what a line may take: V8 ends the whole process
 * where it finds no memory in the middle of one.
 */
const MARGIN = 64;

/** MiB in which a thread makes new objects. More of it would not be faster: what lines say is mostly passed over. */
const YOUNG = 24;

/** The same for one that writes: what it holds lies elsewhere. */
const YOUNG_WRITER = 12;

/** Milliseconds in which a thread that does not wait comes to the end of a step. */
const WAITS = 1000;

/** Room that a thread has for trees of usual size. */
const SMALL = 100 * MIB;

/** A tree that weighs no more leaves room for its garbage. One that weighs more is read in islands of its files. */
const MEDIUM = 300 * MIB;
const ISLAND = SMALL;

/**
 * How long garbage waits, in percent of what is held. What a tree holds is no garbage before its end, so it is mostly looked for in vain;
 * with full text there is room for little of it.
 */
const WAIT = 200;
const WAIT_WITH_TEXT = 150;

/** One thread reads; the other one writes rows of what that one finds, and the full text it makes of it. */
interface Pair {
  readonly reader: Worker;
  readonly writer: Worker;
  readonly state: Int32Array;
  /** All rows were written, and then all was. */
  readonly rows: Promise<void>;
  readonly written: Promise<null>;
  /** For trees that weigh no more. */
  readonly room: number;
  /** What it did so far: some of it is not written yet. */
  readonly jobs: TreeJob[];
}

/** Threads that parse and write. They are used again, for it takes a second of work until their code is compiled. */
export class IndexPool {
  readonly #idle: Pair[] = [];
  readonly #open = new Set<Pair>();
  readonly #store: IndexStore;
  /** Whether full text is made. */
  readonly #text: boolean;
  readonly #largest: number;
  #share: Promise<StoreShare> | null = null;
  /** So many large trees are under way. */
  #large = 0;
  /** Whether the threads of others work beside these. */
  #isBusy = true;

  /** `jobs`: all that may come. `saving`: until then another thread is busy. */
  constructor(store: IndexStore, text: boolean, jobs: readonly TreeJob[], saving: Promise<void> = Promise.resolve()) {
    this.#store = store;
    this.#text = text;
    const rest = (): void => {
      this.#isBusy = false;
      for (const { state } of this.#open) setBusy(state, false);
    };
    saving.then(rest);
    spareCores(true);
    this.#largest = largest(
      jobs.map(({ weight }) => weight),
      0,
    );
  }

  async index(job: TreeJob): Promise<JobReport> {
    const room = job.weight;
    const fits = this.#idle.findIndex((pair) => pair.room >= room);
    const [idle] = fits < 0 ? [] : this.#idle.splice(fits, 1);
    // One of them has room for all: not another one is needed for the largest, which may come last.
    const pair = idle ?? (await this.#start(Math.max(this.#open.size > 0 ? room : this.#largest, SMALL)));
    pair.jobs.push(job);
    const isLarge = room > SMALL;
    try {
      if (isLarge) this.#large++;
      letGarbageWait(this.#waitFor(job));
      const report = await perform(pair, job, isLarge);
      this.#idle.push(pair);
      return report;
    } catch (error) {
      if (error instanceof SkeinError) throw error;
      await this.#stop(pair);
      return await this.#again(job, pair.jobs);
    } finally {
      if (isLarge) this.#large--;
    }
  }

  /** What the threads have not given out yet is written: rows first. While they make the last text, something else may be done. */
  async end(afterRows: () => Promise<void>): Promise<void> {
    const ended = Promise.all(this.#idle.map(finish));
    await Promise.race([ended, Promise.all(this.#idle.map(({ rows }) => rows))]);
    const states = this.#idle.map(({ state }) => state);
    await Promise.all([ended, alone(states, afterRows)]);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map((pair) => this.#stop(pair)));
    letGarbageWait(0);
    spareCores(false);
  }

  #waitFor({ weight, islandBytes }: TreeJob): number {
    if (this.#text) return this.#large === 0 ? WAIT_WITH_TEXT : 0;
    return this.#large > 1 || weight > MEDIUM || islandBytes ? 0 : WAIT;
  }

  /**
   * A thread ended, and with it went what was not written yet. Lines may be much shorter than those that were looked at, and so more of
   * them: what was lost begins again with room for any. The job it ended with comes first: no other is lost when it fails once more.
   */
  async #again(last: TreeJob, jobs: readonly TreeJob[]): Promise<JobReport> {
    letGarbageWait(0);
    const report = await this.#anew([last]).catch((error: unknown) => {
      if (error instanceof SkeinError) throw error;
      return this.#leaveOut(last, error as Error);
    });
    const others = jobs.filter((job) => job !== last);
    if (others.length > 0) await this.#anew(others);
    return report;
  }

  /** The rest of the index is made all the same; the next run tries again. */
  async #leaveOut({ source, known, dropTrees }: TreeJob, { message }: Error): Promise<JobReport> {
    const { key, format, project, files } = source;
    const dropFiles = [...new Set([...known.map(({ id }) => id), ...files.map(({ facts }) => facts.id)])];
    // What its threads had written before they ended is chance.
    const tree = { key, agent: format.name, project, complete: false };
    await this.#store.apply({ tree, anew: true, dropTrees, dropFiles });
    const [largest] = [...files].sort((a, b) => b.size - a.size);
    const path = largest?.path ?? project.path;
    const text = `The logs of ${project.path} are left out of the index: ${message}. The largest of them is ${path}`;
    return { bytesRead: 0, problems: [{ path, message: text }] };
  }

  async #anew(jobs: readonly TreeJob[]): Promise<JobReport> {
    const pair = await this.#start(Infinity);
    try {
      let report: JobReport | null = null;
      // Trees that moved into these were dropped the first time, and may have been written anew since.
      for (const job of jobs)
        report = await perform(
          pair,
          { ...job, known: [], complete: false, dropTrees: [job.source.key], islandBytes: ISLAND },
          true,
        );
      await finish(pair);
      return report as JobReport;
    } finally {
      await this.#stop(pair);
    }
  }

  async #start(room: number): Promise<Pair> {
    // Told how little it needs, a thread collects its garbage instead of growing.
    const resourceLimits = {
      maxYoungGenerationSizeMb: YOUNG,
      ...(room < Infinity && { maxOldGenerationSizeMb: Math.ceil(memoryFor(room)) + MARGIN + LINE_ROOM }),
    };
    this.#share ??= this.#store.share();
    const share = await this.#share;
    const volumes = await this.#store.reserveVolumes(VOLUME_NUMBERS);
    const pipe = newPipe();
    const { port1, port2 } = new MessageChannel();
    const begin = (place: string, start: WriterStart, limits: ResourceLimits): Worker =>
      new Worker(workerUrl(place), { workerData: start, transferList: [start.pipe.port], resourceLimits: limits });
    const start: ReaderStart = { share, volumes, text: this.#text, pipe: { ...pipe, port: port1 } };
    const reader = begin('ingest/read-trees', start, resourceLimits);
    const writer = begin(
      'ingest/write-index',
      { share, pipe: { ...pipe, port: port2 } },
      { maxYoungGenerationSizeMb: YOUNG_WRITER },
    );
    const rows = Promise.withResolvers<void>();
    const written = askThread<'run', null, 'rows'>(writer, 'run', () => rows.resolve());
    // Who waits for something hears of it.
    written.catch(() => {});
    const state = new Int32Array(pipe.state);
    setBusy(state, this.#isBusy);
    const pair = { reader, writer, state, rows: rows.promise, written, room, jobs: [] };
    this.#open.add(pair);
    return pair;
  }

  async #stop(pair: Pair): Promise<void> {
    this.#open.delete(pair);
    // The one that reads may wait for the other one.
    await Promise.all([endThread(pair.reader, WAITS), endThread(pair.writer)]);
  }
}

function perform({ reader, written }: Pair, { source, ...job }: TreeJob, isLarge: boolean): Promise<JobReport> {
  const sent: SentJob = { ...job, source: { ...source, format: source.format.name } };
  const report = askThread<IndexTask, JobReport>(reader, { job: sent, isLarge });
  return withWriter(report, written);
}

/** All that was read is written. */
async function finish({ reader, written }: Pair): Promise<void> {
  await withWriter(askThread<IndexTask, null>(reader, 'end'), written);
  await written;
}

/** When the thread that writes fails, the other one would wait for it for ever. */
async function withWriter<Done>(done: Promise<Done>, written: Promise<null>): Promise<Done> {
  // It is ended with its pair.
  done.catch(() => {});
  await Promise.race([done, written.then(() => done)]);
  return done;
}

/** One that takes much memory. */
export const isLarge = ({ weight }: TreeJob): boolean => weight > SMALL;

export const memoryOf = ({ weight }: TreeJob): number => memoryFor(weight);

/** How a tree is read of which so many bytes weigh so much: in islands, where it is too much for memory at once. */
export function inIslands({ bytes, weight }: TreeWeight): Pick<TreeJob, 'weight' | 'islandBytes'> {
  if (weight <= MEDIUM) return { weight };
  return { weight: MEDIUM, islandBytes: (ISLAND * bytes) / weight };
}
