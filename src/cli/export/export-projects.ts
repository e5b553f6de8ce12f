import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import type { Project } from '../../history/index.ts';
import { holdMemory } from '../../ingest/hold-memory.ts';
import { inParallel } from '../../ingest/in-parallel.ts';
import { openPrices } from '../prices.ts';
import { ExportPool, SMALL, type ThreadData } from './export-pool.ts';
import { exportProject, type PageProblem, type PageReport, type Task } from './export-project.ts';
import { ExportRun, type RunOptions } from './export-run.ts';
import type { PageFolder } from './page-folder.ts';
import { memoryOf, type Plan, planPages, sharesOf } from './plan-pages.ts';

export interface ExportOptions extends ThreadData, RunOptions {
  /** Paths of files whose sessions are left out. */
  readonly omit?: ReadonlySet<string>;
  /** So many threads write, this one included. Without it as many as there are cores, when there is enough to do. */
  readonly workers?: number;
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
  const threads = redactor ? 1 : (options.workers ?? (allBytes < WORTH_WORKERS ? 1 : availableParallelism()));
  const jobs = todo.flatMap((plan): Job[] => {
    const task = { folder: join(target.path, plan.name), newest, omit };
    return sharesOf(plan, target, task, { form: style.form, threads, allBytes }).map((each) => ({ plan, task: each }));
  });
  const run = new ExportRun(
    target,
    options,
    { allBytes, allFiles: todo.reduce((sum, { files }) => sum + files, 0) },
    jobs,
  );
  const pool = threads > 1 ? new ExportPool(options) : null;
  const lanes = { lanes: threads, memory: memoryOf(threads), memoryOf: ({ plan }: Job) => plan.memory };
  let isBusy = false;
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
      // This thread works too: starting one more costs what a small project costs.
      const isHere = !pool || (!isBusy && plan.memory <= SMALL);
      if (isHere) isBusy = true;
      const isDone = !isHere && (await pool.run(plan.project, task, plan.memory, take));
      if (!isDone) await exportHere(job, options, take);
      if (isHere) isBusy = false;
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
  // The other threads are given their work first.
  await breathe();
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
