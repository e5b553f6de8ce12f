import { Worker } from 'node:worker_threads';
import type { Project } from '../../history/index.ts';
import { askThread, endThread } from '../../sources/ask-thread.ts';
import { workerUrl } from '../../sources/worker-url.ts';
import type { RootOptions } from '../options.ts';
import type { PageProblem, PageReport, PageStyle, Task } from './export-project.ts';

/** A project is told by its name: a thread finds it among the same logs. */
export interface SentTask extends Task {
  readonly project: { readonly id: string; readonly path: string };
}

/** What every thread is started with. Prices are code and data: their file goes instead. */
export interface ThreadData {
  readonly roots: RootOptions;
  readonly style: Omit<PageStyle, 'prices'>;
  readonly pricesFile: string | undefined;
}

/** Projects that take no more MiB are written by threads that are there; a larger one has a thread of its own, whose memory goes with it. */
export const SMALL = 256;

/** Milliseconds: the rest of a project may take long, and nobody waits for it any more. */
const PATIENCE = 300;

/** Threads that write pages. */
export class ExportPool {
  readonly #data: ThreadData;
  readonly #idle: Worker[] = [];
  readonly #open = new Set<Worker>();

  constructor({ roots, style, pricesFile }: ThreadData) {
    this.#data = { roots, style, pricesFile };
  }

  /** `memory`: MiB that it takes at most. Gives false when it took more: sessions may go over more files than their names tell. */
  async run(
    { id, path }: Project,
    task: Task,
    memory: number,
    onPage: (page: PageReport | PageProblem) => void,
  ): Promise<boolean> {
    const isSmall = memory <= SMALL;
    const worker = (isSmall ? this.#idle.pop() : undefined) ?? this.#start(Math.max(memory, SMALL));
    try {
      await askThread<SentTask, null, PageReport | PageProblem>(worker, { ...task, project: { id, path } }, onPage);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
      this.#open.delete(worker);
      return false;
    }
    if (isSmall) this.#idle.push(worker);
    else await this.#end(worker);
    return true;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map((worker) => this.#end(worker)));
  }

  #start(memory: number): Worker {
    // Told how little it needs, a thread collects its garbage instead of growing.
    const resourceLimits = { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: Math.ceil(memory) + 64 };
    const worker = new Worker(workerUrl('cli/export/pages'), { workerData: this.#data, resourceLimits });
    this.#open.add(worker);
    return worker;
  }

  async #end(worker: Worker): Promise<void> {
    this.#open.delete(worker);
    await endThread(worker, PATIENCE);
  }
}
