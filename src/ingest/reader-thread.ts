import { Worker } from 'node:worker_threads';
import { type ErrorCode, type Finding, SkeinError } from '../model/index.ts';
import type { Clause, FacetHit, Hit, Portion, RankedHit } from '../search/index.ts';
import { endThread } from '../sources/ask-thread.ts';
import type { SentFile } from '../sources/index.ts';
import { workerUrl } from '../sources/worker-url.ts';
import type { TextPart, TextQuery } from '../stores/index.ts';
import type { Asked, Shown } from './search-reader.ts';

/** What a thread is told when it starts. */
export interface ReaderStart {
  /** Path of the index. */
  readonly index: string;
  /** Path of the archive, where something is read from it. */
  readonly archive: string | null;
  readonly projects: readonly SentProject[];
}

interface SentProject {
  readonly path: string;
  /** A format is code, so its name goes instead. */
  readonly logs: readonly { readonly format: string; readonly files: readonly SentFile[] }[];
}

/** What a thread can be asked, and what it answers. */
export interface Questions {
  readonly part: { readonly ask: { readonly query: TextQuery; readonly portion: Portion }; readonly answer: TextPart };
  readonly verify: {
    readonly ask: { readonly clause: Clause; readonly hits: readonly Asked[] };
    readonly answer: (readonly number[] | null)[];
  };
  readonly hits: {
    readonly ask: { readonly wanted: Shown; readonly ranked: readonly RankedHit[] };
    readonly answer: Hit[];
  };
  readonly facetHits: { readonly ask: { readonly ids: BigInt64Array }; readonly answer: FacetHit[] };
}

export type ToReader = {
  readonly [Name in keyof Questions]: {
    readonly number: number;
    readonly name: Name;
    readonly ask: Questions[Name]['ask'];
    /** Not 0: nobody waits any more. It is seen while the thread works. */
    readonly over: Int32Array;
  };
}[keyof Questions];

export type FromReader = {
  readonly number: number;
  /** So many volumes it looked into since it started. */
  readonly looked: number;
  /** What it could not read since it started. */
  readonly problems: readonly Finding[];
} & (
  | { readonly answer: Questions[keyof Questions]['answer'] }
  | { readonly failed: { readonly code: ErrorCode | null; readonly message: string } }
);

/** The first that a thread says. */
export const READY = 'ready';

interface Waiting {
  readonly over: Int32Array;
  readonly resolve: (answer: never) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Bytes read from the index are not part of the heap, but go with what is young: with more room for that, they pile up until everything is
 * collected, and a search waits for it.
 */
const LIMITS = { maxYoungGenerationSizeMb: 12 };

/** Milliseconds after which a thread does not look whether anybody waits. */
const PATIENCE = 5000;

/** A thread that looks into an index. It answers one question after the other; waiting for one, it keeps no program alive. */
export class ReaderThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #asked = 0;
  #looked = 0;
  #problems: readonly Finding[] = [];
  #isReady = false;
  #isOver = false;

  constructor(start: ReaderStart) {
    this.#worker = new Worker(workerUrl('ingest/search'), { workerData: start, resourceLimits: LIMITS });
    this.#worker.on('message', (message: FromReader | typeof READY) => this.#take(message));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', () => this.#fail(new SkeinError('unreadable', 'A thread that reads the index ended')));
    this.#worker.unref();
  }

  /** It waits for questions, or answers one. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** It was ended, or ended itself. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** So many volumes were looked into, as far as was told. */
  get looked(): number {
    return this.#looked;
  }

  /** What could not be read, as far as was told. */
  get problems(): readonly Finding[] {
    return this.#problems;
  }

  /** Ended by `signal`, it rejects with its reason, and the thread stops looking. */
  ask<Name extends keyof Questions>(
    name: Name,
    ask: Questions[Name]['ask'],
    signal?: AbortSignal,
  ): Promise<Questions[Name]['answer']> {
    const number = this.#asked++;
    const over = new Int32Array(new SharedArrayBuffer(4));
    return new Promise<Questions[Name]['answer']>((resolve, reject) => {
      signal?.throwIfAborted();
      const end = (): void => {
        Atomics.store(over, 0, 1);
        this.#settle(number)?.reject(signal?.reason);
      };
      signal?.addEventListener('abort', end);
      const settled = <T>(settle: (value: T) => void) => {
        return (value: T): void => {
          signal?.removeEventListener('abort', end);
          settle(value);
        };
      };
      this.#waiting.set(number, { over, resolve: settled(resolve), reject: settled(reject) });
      this.#worker.ref();
      this.#worker.postMessage({ number, name, ask, over } as ToReader);
    });
  }

  async close(): Promise<void> {
    for (const { over } of this.#waiting.values()) Atomics.store(over, 0, 1);
    await endThread(this.#worker, PATIENCE);
  }

  #take(message: FromReader | typeof READY): void {
    this.#isReady = true;
    if (message === READY) return;
    this.#looked = message.looked;
    this.#problems = message.problems;
    const waiting = this.#settle(message.number);
    if ('answer' in message) waiting?.resolve(message.answer as never);
    else if (message.failed.code === null) waiting?.reject(new Error(message.failed.message));
    else waiting?.reject(new SkeinError(message.failed.code, message.failed.message));
  }

  /** Nobody waits for it any more. */
  #settle(number: number): Waiting | undefined {
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    if (this.#waiting.size === 0) this.#worker.unref();
    return waiting;
  }

  #fail(error: unknown): void {
    this.#isOver = true;
    for (const number of [...this.#waiting.keys()]) this.#settle(number)?.reject(error);
  }
}
