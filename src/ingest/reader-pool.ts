import { availableParallelism } from 'node:os';
import type { Finding } from '../model/index.ts';
import { type Clause, type FacetHit, type FoundHits, type Hit, joinParts, type RankedHit } from '../search/index.ts';
import { sendFile } from '../sources/index.ts';
import type { TextPart, TextQuery } from '../stores/index.ts';
import { type ReaderStart, ReaderThread } from './reader-thread.ts';
import type { Asked, SearchReader, Shown } from './search-reader.ts';
import type { ReadProject } from './stored-reader.ts';

export interface PoolOptions {
  /** Path of the index. */
  readonly index: string;
  /** Path of the archive, where there is one. */
  readonly archive: string | null;
  /** Without it as many as are worth it. */
  readonly threads?: number;
}

/** More would wait for each other's memory. */
const MOST_THREADS = 4;

/** For fewer documents, telling a thread what to do and waiting for it takes longer than doing it. */
const DOCUMENTS_EACH = 500_000;

/** So often parts of different moments are asked for again. */
const ATTEMPTS = 3;

/** Threads that look into an index together, each into its portion of the volumes. The thread that asks waits, and does nothing else. */
export class ReaderPool implements SearchReader {
  readonly #start: ReaderStart;
  readonly #threads: ReaderThread[];
  /** Nobody waits for a thread that starts, but for the first. */
  readonly #canWait: boolean;

  constructor(projects: readonly ReadProject[], { index, archive, threads }: PoolOptions) {
    const sent = projects.map(({ path, logs }) => ({
      path,
      logs: logs.map(({ format, files }) => ({ format: format.name, files: files.map(sendFile) })),
    }));
    this.#start = { index, archive, projects: sent };
    this.#canWait = threads === undefined;
    this.#threads = Array.from({ length: threads ?? 1 }, () => new ReaderThread(this.#start));
  }

  get threads(): number {
    return this.#ready.length;
  }

  /** So many volumes were looked into so far. */
  get looked(): number {
    return this.#threads.reduce((sum, { looked }) => sum + looked, 0);
  }

  get problems(): readonly Finding[] {
    const all = this.#threads.flatMap(({ problems }) => problems);
    return [...new Map(all.map((problem) => [problem.message, problem])).values()];
  }

  async find(query: TextQuery, signal?: AbortSignal): Promise<FoundHits> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const threads = this.#ready;
      const ask = (thread: ReaderThread, index: number): Promise<TextPart> =>
        thread.ask('part', { query, portion: { index, of: threads.length } }, signal);
      const parts = await Promise.all(threads.map(ask));
      const [first] = parts;
      this.#grow(first?.documents ?? 0);
      if (parts.every(({ revision }) => revision === first?.revision)) return joinParts(parts, query.newest);
    }
    // Somebody writes all the time: one alone sees everything at one moment.
    const [first] = this.#ready as [ReaderThread];
    return joinParts([await first.ask('part', { query, portion: { index: 0, of: 1 } }, signal)], query.newest);
  }

  async verify(clause: Clause, hits: readonly Asked[], signal?: AbortSignal): Promise<(readonly number[] | null)[]> {
    return (await this.#divide(hits, (thread, some) => thread.ask('verify', { clause, hits: some }, signal))).flat();
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

  /** Each thread is asked for some that follow each other; what they answer is in the same order. */
  #divide<Each, T>(
    all: readonly Each[],
    ask: (thread: ReaderThread, some: readonly Each[]) => Promise<T>,
  ): Promise<T[]> {
    const threads = this.#ready;
    const size = Math.ceil(all.length / threads.length);
    const parts = threads.map((thread, i) => ({ thread, some: all.slice(i * size, (i + 1) * size) }));
    return Promise.all(parts.flatMap(({ thread, some }) => (some.length > 0 ? [ask(thread, some)] : [])));
  }

  /** Those that can be asked; one that ended is replaced. */
  get #ready(): ReaderThread[] {
    this.#threads.forEach(({ isOver }, i) => {
      if (isOver) this.#threads[i] = new ReaderThread(this.#start);
    });
    return this.#threads.filter((thread, i) => i === 0 || !this.#canWait || thread.isReady);
  }

  #grow(documents: number): void {
    // One core is left to who asks: threads that share it all wait for the slowest.
    const wanted = Math.min(MOST_THREADS, availableParallelism() - 1, Math.ceil(documents / DOCUMENTS_EACH));
    while (this.#canWait && this.#threads.length < wanted) this.#threads.push(new ReaderThread(this.#start));
  }
}

const idsOf = (ids: readonly bigint[]): BigInt64Array => BigInt64Array.from(ids);
