import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Progress } from '../../ingest/index.ts';
import type { Redactor } from '../../redact/index.ts';
import type { PageProblem, PageReport, PageStyle } from './export-project.ts';
import type { PageFolder } from './page-folder.ts';
import type { Plan } from './plan-pages.ts';
import { PART } from './write-page.ts';

export interface RunOptions {
  readonly style: Omit<PageStyle, 'prices'>;
  readonly redactor?: Redactor | null;
  /** Only so many sessions of each project, the newest. */
  readonly newest?: number;
  /** Pages of sessions that are not there any more are removed; else they are kept. */
  readonly mirror?: boolean;
  readonly onProgress?: (progress: Progress) => void;
  /** Told now and then: there are pages that were not there before. */
  readonly onPages?: () => void;
}

const PAUSE_MS = 1000;

/** What was done so far. */
export class ExportRun {
  written = 0;
  kept = 0;
  readonly problems: string[] = [];
  readonly #target: PageFolder;
  readonly #options: RunOptions;
  readonly #all: Pick<Progress, 'allFiles' | 'allBytes'>;
  /** Shares that are not done, and the pages that were told of, by project. */
  readonly #left = new Map<Plan, number>();
  readonly #told = new Map<Plan, Set<string>>();
  /** What is missing of projects, and the pages that stay as they are for it. */
  readonly #missing = new Map<Plan, Map<string, string | null>>();
  #bytes = 0;
  #saved = performance.now();

  constructor(
    target: PageFolder,
    options: RunOptions,
    all: Pick<Progress, 'allFiles' | 'allBytes'>,
    jobs: readonly { readonly plan: Plan }[],
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
    if ('problem' in page) {
      this.#miss(plan, page);
      return;
    }
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
    const told = this.#told.get(plan) ?? new Set();
    const missing = this.#missing.get(plan) ?? new Map<string, string | null>();
    const kept = new Set(missing.values());
    const pages = this.#target.pagesOf(plan.name, style.form);
    const written = new Set(pages.flatMap(([page, { session }]) => (told.has(page) ? [session] : [])));
    for (const [page, { session }] of pages) {
      const isGone = !told.has(page) && !kept.has(page);
      if (isGone && written.has(session)) this.#target.supersede(plan.name, page, told);
      else if (isGone && (mirror || !this.#target.isThere(plan.name, page))) this.#target.drop(plan.name, page);
    }
    const conceal = (text: string): string => redactor?.redact(text) ?? text;
    this.#target.end(plan.name, style.form, redactor ? null : plan.stamp, [...missing.keys()].map(conceal));
  }

  /** Several shares of the work may meet the same. */
  #miss(plan: Plan, { problem, page }: PageProblem): void {
    if (!this.problems.includes(problem)) this.problems.push(problem);
    this.#missing.set(plan, (this.#missing.get(plan) ?? new Map()).set(problem, page));
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
