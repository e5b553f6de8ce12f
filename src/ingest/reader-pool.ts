import { availableParallelism } from 'node:os';
import {
  type Clause,
  type FacetHit,
  type Hit,
  type Portion,
  type RankedHit,
  type RankedHits,
  rankHits,
} from '../search/index.ts';
import { sendFile } from '../sources/index.ts';
import type { TextPart, TextQuery } from '../stores/index.ts';
import { type ReaderStart, ReaderThread } from './reader-thread.ts';
import type { SearchReader, Shown } from './search-reader.ts';
import type { ReadProject } from './stored-reader.ts';

export interface PoolOptions {
  /** Path of the index. */
  readonly index: string;
  /** Path of the archive, where there is one. */
  readonly archive: string | null;
  readonly threads?: number;
}

/** More would wait for each other's memory. */
const MOST_THREADS = 4;

/** So often parts of different moments are asked for again. */
const ATTEMPTS = 3;

/** Threads that look into an index together, each into its portion of the volumes. The thread that asks waits, and does nothing else. */
export class ReaderPool implements SearchReader {
  readonly #start: ReaderStart;
  readonly #threads: ReaderThread[];

  constructor(projects: readonly ReadProject[], { index, archive, threads }: PoolOptions) {
    const sent = projects.map(({ path, logs }) => ({
      path,
      logs: logs.map(({ format, files }) => ({ format: format.name, files: files.map(sendFile) })),
    }));
    this.#start = { index, archive, projects: sent };
    const length = threads ?? Math.min(MOST_THREADS, availableParallelism());
    this.#threads = Array.from({ length }, () => new ReaderThread(this.#start));
  }

  get threads(): number {
    return this.#threads.length;
  }

  /** So many volumes were looked into so far. */
  get looked(): number {
    return this.#threads.reduce((sum, { looked }) => sum + looked, 0);
  }

  async rank(query: TextQuery, signal?: AbortSignal): Promise<RankedHits> {
    const of = this.threads;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const parts = await Promise.all(this.#threads.map((_, index) => this.#part(query, { index, of }, signal)));
      const [first] = parts;
      if (parts.every(({ revision }) => revision === first?.revision)) return rankHits(parts, query.newest);
    }
    // Somebody writes all the time: one alone sees everything at one moment.
    return rankHits([await this.#part(query, { index: 0, of: 1 }, signal)], query.newest);
  }

  async verify(clause: Clause, ids: readonly bigint[], signal?: AbortSignal): Promise<Uint8Array> {
    const parts = await this.#divide(ids, (thread, some) => thread.ask('verify', { clause, ids: idsOf(some) }, signal));
    return Uint8Array.from(parts.flatMap((part) => [...part]));
  }

  async hits(wanted: Shown, ranked: readonly RankedHit[], signal?: AbortSignal): Promise<Hit[]> {
    return (await this.#divide(ranked, (thread, some) => thread.ask('hits', { wanted, ranked: some }, signal))).flat();
  }

  async facetHits(ids: readonly bigint[], signal?: AbortSignal): Promise<FacetHit[]> {
    return (await this.#divide(ids, (thread, some) => thread.ask('facetHits', { ids: idsOf(some) }, signal))).flat();
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  #part(query: TextQuery, portion: Portion, signal: AbortSignal | undefined): Promise<TextPart> {
    return this.#thread(portion.index).ask('part', { query, portion }, signal);
  }

  /** Each thread is asked for some that follow each other; what they answer is in the same order. */
  #divide<Each, T>(
    all: readonly Each[],
    ask: (thread: ReaderThread, some: readonly Each[]) => Promise<T>,
  ): Promise<T[]> {
    const size = Math.ceil(all.length / this.threads);
    const parts = this.#threads.map((_, i) => all.slice(i * size, (i + 1) * size));
    return Promise.all(parts.flatMap((some, i) => (some.length > 0 ? [ask(this.#thread(i), some)] : [])));
  }

  /** Another in its place, if it ended. */
  #thread(index: number): ReaderThread {
    const known = this.#threads[index] as ReaderThread;
    if (!known.isOver) return known;
    const thread = new ReaderThread(this.#start);
    this.#threads[index] = thread;
    return thread;
  }
}

const idsOf = (ids: readonly bigint[]): BigInt64Array => BigInt64Array.from(ids);
