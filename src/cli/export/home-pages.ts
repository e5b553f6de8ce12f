import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { History, Project } from '../../history/index.ts';
import { SkeinError } from '../../model/index.ts';
import { lockForWriting } from '../../stores/sqlite/index.ts';
import { dataFolder } from '../data-place.ts';
import { omitFiles } from '../omit-files.ts';
import type { RootOptions } from '../options.ts';
import { showProgress } from '../progress.ts';
import type { SessionSummary } from '../summarize.ts';
import { tellMissing } from '../unread.ts';
import { type ExportOptions, exportProjects } from './export-projects.ts';
import { PageFolder } from './page-folder.ts';
import { pricesStamp } from './prices-stamp.ts';
import { digest } from './safe-name.ts';
import { writeLists } from './write-lists.ts';

export interface NewSession {
  readonly id: string;
  /** Path of its project. */
  readonly project: string;
  readonly summary: SessionSummary;
}

/** Bytes of logs that are read before anything is told. */
const PATIENCE = 48e6;

const UNDER_WAY = 'The pages of older sessions are still being written.';

/** The pages that `skein` alone keeps in the data folder, one for every session on this machine. Written by one process at a time. */
export class HomePages {
  readonly #pages: PageFolder;
  readonly #options: Omit<ExportOptions, 'omit'>;

  /** Other roots have a folder of their own: looking at them does not cost the usual pages. */
  constructor({ root }: RootOptions) {
    this.#pages = new PageFolder(
      join(dataFolder(), root ? `${PAGES}-${digest(root.map((path) => resolve(path)).join('\n'))}` : PAGES),
    );
    this.#options = { ...STYLE, roots: root ? { root } : {} };
  }

  /** The list of everything. */
  get index(): string {
    return join(this.#pages.path, 'index.html');
  }

  lock(): { release(): void } {
    return lockForWriting(this.#pages.path);
  }

  /** The newest sessions, with their pages. Projects are read in the order in which they were last written, until no older one can hold a newer session. */
  async writeNewest({ projects }: History, count: number): Promise<NewSession[]> {
    const omit = await omitFiles({ projects });
    let written = 0;
    let bytes = 0;
    for (const [i, project] of projects.entries()) {
      const progress = showProgress('Newest sessions');
      const options = { ...this.#options, omit, newest: count, onProgress: progress.show };
      const done = await exportProjects([project], this.#pages, options).finally(progress.end);
      written += done.written;
      if (done.written > 0) bytes += project.files.reduce((sum, { size }) => sum + size, 0);
      const last = this.newest(projects.slice(0, i + 1), count)[count - 1]?.summary.endedAt ?? null;
      const next = projects[i + 1]?.modified ?? 0;
      // Logs that were copied are all as new as the copy: somebody who waits is told of some new ones, not of the newest.
      if (last !== null && ((next !== 0 && next < last) || bytes > PATIENCE)) break;
    }
    if (written > 0 || !existsSync(this.index)) this.#list(UNDER_WAY);
    return this.newest(projects, count);
  }

  /** Every page, and the lists; gives how many pages were written. */
  async writeAll({ projects }: History): Promise<number> {
    const progress = showProgress('Writing pages');
    const { written, problems } = await exportProjects(projects, this.#pages, {
      ...this.#options,
      omit: await omitFiles({ projects }),
      mirror: true,
      onProgress: progress.show,
      onPages: () => this.#list(UNDER_WAY),
    }).finally(progress.end);
    for (const problem of problems) tellMissing(problem);
    this.#list();
    return written;
  }

  /** As far as there are pages of them. */
  newest(projects: readonly Project[], count: number): NewSession[] {
    const paths = new Set(projects.map(({ path }) => path));
    return [...this.#pages.projects.values()]
      .filter(({ path }) => paths.has(path))
      .flatMap(({ path, pages }) =>
        [...pages.values()].map(({ session, summary }) => ({ id: session, project: path, summary })),
      )
      .sort((a, b) => (b.summary.endedAt ?? 0) - (a.summary.endedAt ?? 0) || (a.id < b.id ? -1 : 1))
      .slice(0, count);
  }

  #list(notice?: string): void {
    writeLists(this.#pages, 'html', notice);
    this.#pages.save();
  }
}

const PAGES = 'pages';
const STYLE = {
  style: { form: 'html', verbose: false, pricesStamp: pricesStamp({}) },
  pricesFile: undefined,
} as const;

/** All pages, of all roots: they are made again from what is left. */
export function dropHomePages(): void {
  for (const name of readdirSync(dataFolder()))
    if (name === PAGES || name.startsWith(`${PAGES}-`))
      rmSync(join(dataFolder(), name), { recursive: true, force: true });
}

/** The page of the session that comes with Skein. */
export async function writeDemo({ projects }: History): Promise<NewSession & { readonly page: string }> {
  const pages = new PageFolder(join(dataFolder(), 'demo'));
  await exportProjects(projects, pages, { ...STYLE, roots: {}, workers: 1 });
  writeLists(pages, 'html');
  pages.save();
  const [written] = [...pages.projects].flatMap(([folder, { path: project, pages: all }]) =>
    [...all].map(([name, { session: id, summary }]) => ({
      id,
      project,
      summary,
      page: join(pages.path, folder, name),
    })),
  );
  if (!written) throw new SkeinError('unwritable', `The demo session could not be written to ${pages.path}`);
  return written;
}
