import { Worker } from 'node:worker_threads';
import type { Project } from '../../history/index.ts';
import { workerUrl } from '../../ingest/worker-url.ts';
import { type ErrorCode, SkeinError } from '../../model/index.ts';
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

/** An error loses its class on the way: its code goes with it. */
export type FromThread =
  | { readonly page: PageReport | PageProblem }
  | { readonly done: true }
  | { readonly failed: { readonly code: ErrorCode | null; readonly message: string } };

/** Up to so many MiB of logs a thread may have gone through before its memory is given back. */
const ENOUGH = 256;

/** Threads that write pages. */
export class ExportPool {
  readonly #data: ThreadData;
  readonly #idle: { readonly worker: Worker; readonly used: number }[] = [];
  readonly #open = new Set<Worker>();

  constructor(data: ThreadData) {
    this.#data = data;
  }

  /** `mebibytes`: of its logs. */
  async run(
    { id, path }: Project,
    task: Task,
    mebibytes: number,
    onPage: (page: PageReport | PageProblem) => void,
  ): Promise<void> {
    const { worker, used } = this.#idle.pop() ?? { worker: this.#start(), used: 0 };
    await converse(worker, { ...task, project: { id, path } }, onPage);
    if (used + mebibytes < ENOUGH) this.#idle.push({ worker, used: used + mebibytes });
    else await this.#end(worker);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map((worker) => this.#end(worker)));
  }

  #start(): Worker {
    // Without a limit the space for short-lived objects grows to a multiple of what is needed.
    const resourceLimits = { maxYoungGenerationSizeMb: 32 };
    const { roots, style, pricesFile } = this.#data;
    const workerData: ThreadData = { roots, style, pricesFile };
    const worker = new Worker(workerUrl('cli/export/pages'), { workerData, resourceLimits });
    this.#open.add(worker);
    return worker;
  }

  async #end(worker: Worker): Promise<void> {
    this.#open.delete(worker);
    await worker.terminate();
  }
}

function converse(worker: Worker, task: SentTask, onPage: (page: PageReport | PageProblem) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      worker.off('error', fail).off('exit', onExit).off('message', onMessage);
    };
    const fail = (error: unknown): void => {
      stop();
      void worker.terminate();
      reject(error);
    };
    const onExit = (code: number): void => fail(new Error(`a thread that writes pages ended with ${code}`));
    const onMessage = (message: FromThread): void => {
      if ('page' in message) {
        onPage(message.page);
      } else if ('failed' in message) {
        const { code, message: said } = message.failed;
        fail(code === null ? new Error(said) : new SkeinError(code, said));
      } else {
        stop();
        resolve();
      }
    };
    worker.on('error', fail).on('exit', onExit).on('message', onMessage);
    worker.postMessage(task);
  });
}
