import { Worker } from 'node:worker_threads';
import { SkeinError } from '../../model/index.ts';
import { WIDTH } from '../../search/index.ts';
import { endThread } from '../../sources/ask-thread.ts';
import { type SentFile, sendFile } from '../../sources/index.ts';
import { workerUrl } from '../../sources/worker-url.ts';
import type { Logs } from '../logs.ts';
import type { Project } from '../project.ts';
import type { Scanned, ScannedLogs } from './scan-logs.ts';

/** What a thread is told when it starts. */
export interface ScanStart {
  /** Path of the archive, where something is read from it. */
  readonly archive: string | null;
  readonly pulse: Int32Array;
}

/** What both sides see while it works: messages looked at, whether it looks at one, and whether it is to end. */
export const Pulse = { looked: 0, isLooking: 1, isOver: 2 } as const;

/** One project and agent. */
export interface ScanJob {
  readonly wanted: Scanned;
  readonly project: Pick<Project, 'id' | 'path' | 'names'>;
  readonly format: string;
  readonly files: readonly SentFile[];
}

export type FromScan = { readonly scanned: ScannedLogs } | { readonly failed: string };

const PAUSE = 1000;
/** So long one message may take; usual ones take a thousandth of it at most. */
const STALLED = 5;
/** So often a thread that is to end is looked at. */
const SHORT_PAUSE = 200;

const ENDED = new Error('a scanning thread ended');

/** A thread that looks through one log after the other, and can be ended while it does. Waiting for work, it keeps no program alive. */
export class ScanThread {
  readonly #worker: Worker;
  #isOver = false;
  #fail: (error: unknown) => void = () => undefined;
  readonly #pulse = new Int32Array(new SharedArrayBuffer(12));

  constructor(archive: string | null) {
    const workerData: ScanStart = { archive, pulse: this.#pulse };
    this.#worker = new Worker(workerUrl('history/scan/scan'), { workerData });
    // Without anybody waiting, an error must not end the program.
    this.#worker.on('error', () => undefined);
    this.#worker.on('exit', () => {
      this.#isOver = true;
    });
    this.#worker.unref();
  }

  /** It was ended, or ended itself. */
  get isOver(): boolean {
    return this.#isOver;
  }

  scan(
    { id, path, names }: Project,
    { format, files }: Logs,
    { clause, pattern = null, snippet = WIDTH }: Scanned,
  ): Promise<ScannedLogs> {
    const job: ScanJob = {
      wanted: { clause, pattern, snippet },
      project: { id, path, names },
      format: format.name,
      files: files.map(sendFile),
    };
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        reject(new SkeinError('bad_input', 'The expression takes too long on one of the messages: make it simpler'));
        this.end();
      };
      const timer = setInterval(this.#watch(STALLED, giveUp), PAUSE);
      const stop = (): void => {
        clearInterval(timer);
        this.#worker.unref();
        this.#worker.off('message', onMessage).off('error', fail).off('exit', onExit);
      };
      const fail = (error: unknown): void => {
        stop();
        reject(error);
      };
      const onExit = (): void => fail(ENDED);
      this.#fail = fail;
      const onMessage = (message: FromScan): void => {
        stop();
        if ('failed' in message) reject(new SkeinError('unreadable', message.failed));
        else resolve(message.scanned);
      };
      this.#worker.on('message', onMessage).on('error', fail).on('exit', onExit);
      this.#worker.ref();
      this.#worker.postMessage(job);
    });
  }

  end(): void {
    this.#isOver = true;
    Atomics.store(this.#pulse, Pulse.isOver, 1);
    this.#fail(ENDED);
    const terminate = (): void => void this.#worker.terminate();
    const timer = setInterval(this.#watch(1, terminate), SHORT_PAUSE);
    void endThread(this.#worker).then(() => clearInterval(timer));
  }

  /** A thread that looks at the same message again and again has met an expression that does not end. */
  #watch(stalled: number, then: () => void): () => void {
    let last = -1;
    let times = 0;
    return () => {
      const looked = Atomics.load(this.#pulse, Pulse.looked);
      const isLooking = Atomics.load(this.#pulse, Pulse.isLooking) === 1;
      times = isLooking && looked === last ? times + 1 : 0;
      last = looked;
      if (times >= stalled) then();
    };
  }
}
