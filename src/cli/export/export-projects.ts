import { readdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import type { Project } from '../../history/index.ts';
import { inParallel } from '../../ingest/in-parallel.ts';
import type { Progress } from '../../ingest/index.ts';
import type { Redactor } from '../../redact/index.ts';
import { holdMemory } from '../hold-memory.ts';
import { openPrices } from '../prices.ts';
import { ExportPool, type ThreadData } from './export-pool.ts';
import { exportProject, type PageProblem, type PageReport, type Task } from './export-project.ts';
import type { PageFolder } from './page-folder.ts';
import { memoryOf, type Plan, planPages, sharesOf } from './plan-pages.ts';
import { PART } from './write-page.ts';

export interface ExportOptions extends ThreadData {
  readonly redactor?: Redactor | null;
  /** Only so many sessions of each project, the newest. */
  readonly newest?: number;
  /** Paths of files whose sessions are left out. */
  readonly omit?: ReadonlySet<string>;
  /** Pages of sessions that are not there any more are removed; else they are kept. */
  readonly mirror?: boolean;
  /** So many threads write; 0: this one. Without it as many as there are cores, when there is enough to do. */
  readonly workers?: number;
  readonly onProgress?: (progress: Progress) => void;
  /** Told now and then: there are pages that were not there before. */
  readonly onPages?: () => void;
}

export interface Exported {
  readonly written: number;
  readonly kept: number;
  readonly problems: readonly string[];
}

interface Job {
  readonly plan: Plan;
  readonly task: Task;
}

/** Below this a thread would not be started before the work is done. */
const WORTH_WORKERS = 4e6;

/** Brings the pages of some projects up to date, in the order of the projects. What is interrupted is gone on with the next time (O15). */
export async function exportProjects(
  projects: readonly Project[],
  target: PageFolder,
  options: ExportOptions,
): Promise<Exported> {
  const { style, redactor = null, newest = null, omit = new Set() } = options;
  const plans = planPages(projects, target, { style, redactor, omit });
  const todo = plans.filter(({ current }) => current === null);
  const allBytes = todo.reduce((sum, { bytes }) => sum + bytes, 0);
  const threads = redactor ? 0 : (options.workers ?? (allBytes < WORTH_WORKERS ? 0 : availableParallelism()));
  const jobs = todo.flatMap((plan): Job[] => {
    const task = { folder: join(target.path, plan.name), newest, omit };
    return sharesOf(plan, target, task, { form: style.form, threads, allBytes }).map((each) => ({ plan, task: each }));
  });
  const run = new Run(target, options, { allBytes, allFiles: todo.reduce((sum, { files }) => sum + files, 0) }, jobs);
  const pool = threads > 0 ? new ExportPool(options) : null;
  const lanes = { lanes: Math.max(1, threads), memory: memoryOf(threads), memoryOf: ({ plan }: Job) => plan.memory };
  let stopping: Promise<never> | null = null;
  const stop = (): void => {
    stopping ??= (async () => {
      await pool?.close();
      run.interrupt();
      process.exit(INTERRUPTED);
    })();
  };
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    await inParallel(jobs, lanes, async (job) => {
      const { plan, task } = job;
      const take = (page: PageReport | PageProblem): void => run.take(plan, page);
      const isDone = (await pool?.run(plan.project, task, plan.memory, take)) ?? false;
      if (!isDone) await exportHere(job, options, take);
      run.end(plan);
    });
  } finally {
    // A thread that was ended on purpose has not failed.
    if (stopping) await stopping;
    for (const signal of SIGNALS) process.off(signal, stop);
    await pool?.close();
    target.save();
  }
  if (options.mirror && newest === null) dropOthers(target, plans);
  const current = plans.reduce((sum, plan) => sum + (plan.current ?? 0), 0);
  return { written: run.written, kept: run.kept + current, problems: run.problems };
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const INTERRUPTED = 130;

async function exportHere(
  { plan: { project }, task }: Job,
  { style, pricesFile, redactor = null }: ExportOptions,
  take: (page: PageReport | PageProblem) => void,
): Promise<void> {
  const prices = openPrices(pricesFile === undefined ? {} : { prices: pricesFile });
  for (const page of exportProject(project, task, { ...style, prices }, redactor)) {
    take(page);
    holdMemory();
    // Somebody may want to interrupt it.
    await breathe();
  }
  project.close();
}

function dropOthers(target: PageFolder, plans: readonly Plan[]): void {
  const wanted = new Set(plans.map(({ name }) => name));
  for (const name of [...target.projects.keys()]) if (!wanted.has(name)) target.dropProject(name);
  target.save();
}

const PAUSE_MS = 1000;

/** What was done so far. */
class Run {
  written = 0;
  kept = 0;
  readonly problems: string[] = [];
  readonly #target: PageFolder;
  readonly #options: ExportOptions;
  readonly #all: Pick<Progress, 'allFiles' | 'allBytes'>;
  /** Shares that are not done, and the pages that were told of, by project. */
  readonly #left = new Map<Plan, number>();
  readonly #told = new Map<Plan, Set<string>>();
  #bytes = 0;
  #saved = performance.now();

  constructor(
    target: PageFolder,
    options: ExportOptions,
    all: Pick<Progress, 'allFiles' | 'allBytes'>,
    jobs: readonly Job[],
  ) {
    this.#target = target;
    this.#options = options;
    this.#all = all;
    for (const { plan } of jobs) {
      this.#left.set(plan, (this.#left.get(plan) ?? 0) + 1);
      this.#told.set(plan, new Set());
    }
  }

  take(plan: Plan, page: PageReport | PageProblem): void {
    if ('problem' in page) return void this.problems.push(page.problem);
    const told = this.#told.get(plan);
    if (told?.has(page.name)) return;
    told?.add(page.name);
    this.#target.add(plan.name, page);
    this.#bytes += page.bytes;
    if (page.isWritten) this.written++;
    else this.kept++;
    this.#options.onProgress?.({ files: this.written + this.kept, bytes: this.#bytes, ...this.#all });
    if (performance.now() - this.#saved < PAUSE_MS) return;
    this.#target.save();
    this.#options.onPages?.();
    this.#saved = performance.now();
  }

  /** One share of the work on a project. */
  end(plan: Plan): void {
    const left = (this.#left.get(plan) ?? 1) - 1;
    this.#left.set(plan, left);
    const { style, mirror = false, redactor = null, newest } = this.#options;
    if (left > 0 || newest !== undefined) return;
    for (const [page] of this.#target.pagesOf(plan.name, style.form)) {
      const isGone = !this.#told.get(plan)?.has(page);
      if (isGone && (mirror || !this.#target.isThere(plan.name, page))) this.#target.drop(plan.name, page);
    }
    const listed = this.#target.projects.get(plan.name);
    if (listed && !redactor) listed.stamps[style.form] = plan.stamp;
  }

  /** What is there is kept, and nothing else. */
  interrupt(): void {
    for (const [{ name }, left] of this.#left) {
      if (left === 0) continue;
      const folder = join(this.#target.path, name);
      for (const file of listFolder(folder)) if (file.endsWith(PART)) rmSync(join(folder, file), { force: true });
    }
    this.#target.save();
    this.#options.onPages?.();
  }
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
