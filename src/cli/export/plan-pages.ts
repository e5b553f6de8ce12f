import type { Project } from '../../history/index.ts';
import type { Redactor } from '../../redact/index.ts';
import { type PageStyle, stampOf, type Task } from './export-project.ts';
import { lookOf } from './forms.ts';
import type { PageFolder } from './page-folder.ts';
import { digest, safeName } from './safe-name.ts';

/** A project and its place in the folder of pages. */
export interface Plan {
  readonly project: Project;
  /** Of its folder. */
  readonly name: string;
  /** What it depends on, as it is now. */
  readonly stamp: string;
  /** Its pages, when nothing about them has to be done; null else. */
  readonly current: number | null;
  /** Session files and bytes. */
  readonly files: number;
  readonly bytes: number;
}

export interface PlanOptions {
  readonly style: Omit<PageStyle, 'prices'>;
  readonly redactor: Redactor | null;
  readonly omit: ReadonlySet<string>;
}

/** A project is not even read when its files are what they were when all its pages were written, and these are there. */
export function planPages(projects: readonly Project[], target: PageFolder, options: PlanOptions): Plan[] {
  const { style, redactor, omit } = options;
  const conceal = (text: string): string => redactor?.redact(text) ?? text;
  const ids = new Map<string, number>();
  for (const { id } of projects) ids.set(id, (ids.get(id) ?? 0) + 1);
  return projects.map((project): Plan => {
    const { id, path, files } = project;
    const name = safeName(conceal(ids.get(id) === 1 ? id : `${id} ${path}`));
    const left = files.filter((file) => omit.has(file.path)).map((file) => file.path);
    const stamp = digest([lookOf(style), ...left, stampOf(files)].join('\n'));
    const listed = target.project(name, conceal(path));
    const pages = target.pagesOf(name, style.form);
    const isCurrent =
      !redactor && listed.stamps[style.form] === stamp && pages.every(([page]) => target.isThere(name, page));
    return {
      project,
      name,
      stamp,
      current: isCurrent ? pages.length : null,
      files: files.filter(({ facts }) => facts.role === 'session').length,
      bytes: files.reduce((sum, { size }) => sum + size, 0),
    };
  });
}

/** So many bytes of logs are worth reading them twice. */
const WORTH_SHARING = 16 * 1024 * 1024;

/** What there is to do for a project: by as many as its part of all work is worth. Each reads its logs, and writes some of its pages. */
export function sharesOf(
  { name, bytes, files }: Plan,
  target: PageFolder,
  task: Pick<Task, 'folder' | 'newest' | 'omit'>,
  {
    form,
    threads,
    allBytes,
  }: { readonly form: PageStyle['form']; readonly threads: number; readonly allBytes: number },
): Task[] {
  const known = Object.fromEntries(
    target.pagesOf(name, form).flatMap(([page, { stamp }]) => (target.isThere(name, page) ? [[page, stamp]] : [])),
  );
  const of =
    bytes < WORTH_SHARING ? 1 : Math.max(1, Math.min(threads, files, Math.round((threads * bytes) / allBytes)));
  return Array.from({ length: of }, (_each, number) => ({ ...task, known, share: { number, of } }));
}
