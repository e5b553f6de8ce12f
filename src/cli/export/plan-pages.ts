import type { Project } from '../../history/index.ts';
import type { Redactor } from '../../redact/index.ts';
import type { LogFile } from '../../sources/index.ts';
import { type PageStyle, stampOf, type Task } from './export-project.ts';
import { lookOf } from './forms.ts';
import type { PageFolder } from './page-folder.ts';
import { digest, distinctNames, pageName, safeName } from './safe-name.ts';

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
  /** MiB that writing its pages takes at most. */
  readonly memory: number;
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
  const names = distinctNames(
    projects,
    ({ id, path }) => folderName(conceal(ids.get(id) === 1 ? id : `${id} ${path}`)),
    ({ path }) => conceal(path),
  );
  return projects.map((project): Plan => {
    const { path, files } = project;
    const name = names.get(project) as string;
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
      memory: memoryFor(files),
    };
  });
}

/** The lists over all projects are files of these names. */
const folderName = (id: string): string => (/^(?:index|redaction)\.\w+$/i.test(id) ? pageName(id) : safeName(id));

const MIB = 1024 * 1024;

/** The tree of the project, and the largest session as it is rendered. */
function memoryFor(files: readonly LogFile[]): number {
  let all = 0;
  const sessions = new Map<string, number>();
  for (const { facts, size } of files) {
    const session = facts.session ?? facts.native;
    sessions.set(session, (sessions.get(session) ?? 0) + size);
    all += size;
  }
  return 96 + (0.5 * all + 3 * [...sessions.values()].reduce((most, size) => Math.max(most, size), 0)) / MIB;
}

/** MiB that the projects under way may take together; a larger one is alone. */
export const memoryOf = (threads: number): number => 250 + 125 * threads;

/** So many bytes of logs are worth reading them twice. */
const WORTH_SHARING = 16 * MIB;

/** What there is to do for a project: by as many as its part of all work is worth. Each reads its logs, and writes some of its pages. */
export function sharesOf(
  { name, bytes, files, memory }: Plan,
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
  const worth = bytes < WORTH_SHARING ? 1 : Math.round((threads * bytes) / allBytes);
  const of = Math.max(1, Math.min(threads, files, worth, Math.floor(memoryOf(threads) / memory)));
  return Array.from({ length: of }, (_each, number) => ({ ...task, known, share: { number, of } }));
}
