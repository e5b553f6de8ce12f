import { availableParallelism } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { addAll, type Finding } from '../../model/index.ts';
import {
  compilePattern,
  type Found,
  HitCollector,
  type Search,
  type SearchRequest,
  type SearchRun,
} from '../../search/index.ts';
import type { Logs } from '../logs.ts';
import type { Project } from '../project.ts';
import { passesLogs } from './passes-logs.ts';
import { type ScannedLogs, scanLogs } from './scan-logs.ts';
import { ScanThread } from './scan-thread.ts';

export interface ScanOptions {
  /** So many threads; 0: this one. Without it as many as there are cores, when there is enough to read. */
  readonly threads?: number;
  /** The archive that threads open to read what is gone from disk. */
  readonly archive?: string | null;
}

interface Job {
  readonly project: Project;
  readonly logs: Logs;
  readonly bytes: number;
  readonly modified: number;
}

/** Below this a thread would not be started before the work is done. */
const WORTH_THREADS = 16 * 1024 * 1024;

/** Searches by reading everything, what was written last first. */
export class ScanSearch implements Search {
  readonly #projects: readonly Project[];
  readonly #options: ScanOptions;
  /** Threads that wait for the next search. */
  #idle: ScanThread[] = [];

  constructor(projects: readonly Project[], options: ScanOptions = {}) {
    this.#projects = projects;
    this.#options = options;
  }

  async search(request: SearchRequest, run: SearchRun = {}): Promise<Found> {
    const { pattern } = request;
    if (pattern) compilePattern(pattern);
    const jobs = this.#jobs(request);
    const bytes = jobs.reduce((sum, job) => sum + job.bytes, 0);
    // An expression may take for ever on one message: only a thread can be ended.
    const least = pattern?.as === 'regex' ? 1 : 0;
    const wanted = this.#options.threads ?? (bytes < WORTH_THREADS ? 0 : availableParallelism());
    const lanes = Math.min(Math.max(least, wanted), jobs.length);
    const collector = new HitCollector(request.facets ?? false);
    const problems: Finding[] = [];
    const take = ({ hits, more, uncounted, problems: told }: ScannedLogs): void => {
      collector.add(hits, more, uncounted);
      addAll(problems, told);
      if (hits.length > 0) run.onFound?.(collector.found(request.limit, problems));
    };
    const next = (): Job | undefined => {
      run.signal?.aborted && fail(run.signal);
      return jobs[0] && collector.isSettled(jobs[0].modified) ? undefined : jobs.shift();
    };
    if (lanes === 0) await scanHere(request, next, take);
    else await this.#scanInThreads(request, lanes, next, take, run.signal);
    return collector.found(request.limit, problems);
  }

  /** Last written first. */
  #jobs({ clause, projects }: SearchRequest): Job[] {
    return this.#projects
      .filter(({ path }) => !projects || projects.includes(path))
      .flatMap((project) => project.logs.map((logs) => ({ project, logs })))
      .filter(({ project, logs }) => passesLogs(clause, project, logs))
      .map(({ project, logs }) => ({
        project,
        logs,
        bytes: logs.files.reduce((sum, { size }) => sum + size, 0),
        modified: logs.files.reduce((newest, { modified }) => Math.max(newest, modified), 0),
      }))
      .sort((a, b) => b.modified - a.modified);
  }

  async #scanInThreads(
    request: SearchRequest,
    lanes: number,
    next: () => Job | undefined,
    take: (scanned: ScannedLogs) => void,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const kept = this.#idle.splice(0).filter((thread) => !thread.isOver);
    const threads = Array.from({ length: lanes }, () => kept.pop() ?? new ScanThread(this.#options.archive ?? null));
    const end = (): void => {
      for (const thread of threads) thread.end();
    };
    signal?.addEventListener('abort', end);
    try {
      await Promise.all(
        threads.map(async (thread) => {
          for (let job = next(); job; job = next()) {
            // Logs that lie in memory are looked at here.
            const isHere = job.logs.files.some(({ bytes }) => bytes !== undefined);
            take(isHere ? scanLogs(job.project, job.logs, request) : await thread.scan(job.project, job.logs, request));
          }
        }),
      );
      this.#idle = [...kept, ...threads];
    } catch (error) {
      end();
      throw signal?.aborted ? signal.reason : error;
    } finally {
      signal?.removeEventListener('abort', end);
    }
  }
}

async function scanHere(
  request: SearchRequest,
  next: () => Job | undefined,
  take: (scanned: ScannedLogs) => void,
): Promise<void> {
  for (let job = next(); job; job = next()) {
    take(scanLogs(job.project, job.logs, request));
    job.logs.close();
    await nextTurn();
  }
}

function fail(signal: AbortSignal): never {
  throw signal.reason;
}
