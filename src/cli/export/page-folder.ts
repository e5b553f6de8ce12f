import { existsSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import type { SessionSummary } from '../summarize.ts';
import type { PageReport } from './export-project.ts';
import { ENDINGS, type Form } from './forms.ts';
import { digest } from './safe-name.ts';
import { writePage } from './write-page.ts';

/** A page that was written, and what lists say about it. */
export interface ListedPage {
  readonly session: string;
  readonly stamp: string;
  readonly summary: SessionSummary;
}

export interface ListedProject {
  readonly path: string;
  /** By form: what the project was when all its pages were written. */
  readonly stamps: Partial<Record<Form, string>>;
  /** By form: what was missing the last time, and why. A project with something in it is gone over again. */
  readonly missing?: Partial<Record<Form, readonly string[]>>;
  readonly pages: Map<string, ListedPage>;
}

const MANIFEST = '.skein-export.json';
const VERSION = 4;

/** A folder that pages are written to, with what was written there before: a page is written anew only when it would say something else (O15). */
export class PageFolder {
  readonly path: string;
  /** By the name of their folder. */
  readonly projects: Map<string, ListedProject>;
  readonly #lists: Map<string, string>;

  constructor(path: string) {
    this.path = path;
    const { projects = {}, lists = {} } = readManifest(join(path, MANIFEST));
    this.#lists = new Map(Object.entries(lists));
    this.projects = new Map(
      Object.entries(projects).map(([name, { pages, ...rest }]) => [
        name,
        { ...rest, pages: new Map(Object.entries(pages)) },
      ]),
    );
  }

  project(name: string, path: string): ListedProject {
    const known = this.projects.get(name);
    if (known && known.path === path) return known;
    const fresh: ListedProject = { path, stamps: {}, pages: new Map() };
    this.projects.set(name, fresh);
    return fresh;
  }

  /** The pages of one form. */
  pagesOf(name: string, form: Form): [page: string, ListedPage][] {
    const pages = this.projects.get(name)?.pages ?? [];
    return [...pages].filter(([page]) => page.endsWith(`.${ENDINGS[form]}`));
  }

  /** Somebody may have removed it. */
  isThere(name: string, page: string): boolean {
    return existsSync(join(this.path, name, page));
  }

  add(name: string, { name: page, session, stamp, summary }: PageReport): void {
    this.projects.get(name)?.pages.set(page, { session, stamp, summary });
  }

  /** What could not be written of a project: only without it the project is as its stamp says. */
  end(name: string, form: Form, stamp: string | null, missing: readonly string[]): void {
    const project = this.projects.get(name);
    if (!project) return;
    const { [form]: _missing, ...others } = project.missing ?? {};
    const { [form]: _stamp, ...stamps } = project.stamps;
    const isWhole = stamp !== null && missing.length === 0;
    this.projects.set(name, {
      ...project,
      stamps: isWhole ? { ...stamps, [form]: stamp } : stamps,
      missing: missing.length > 0 ? { ...others, [form]: missing } : others,
    });
  }

  /** A page that has another name now. What lies there may be another page already, where case does not count. */
  supersede(name: string, page: string, told: ReadonlySet<string>): void {
    const isTaken = [...told].some((each) => each.toLowerCase() === page.toLowerCase());
    if (isTaken) this.projects.get(name)?.pages.delete(page);
    else this.drop(name, page);
  }

  /** Removes a page, or what is left of it. */
  drop(name: string, page: string): void {
    this.#remove(`${name}/${page}`);
    this.projects.get(name)?.pages.delete(page);
  }

  /** The manifest may have been written by anybody: nothing outside of the folder is removed. */
  #remove(name: string): void {
    const path = resolve(this.path, name);
    if (path.startsWith(resolve(this.path) + sep)) rmSync(path, { force: true });
  }

  dropProject(name: string): void {
    rmSync(join(this.path, name), { recursive: true, force: true });
    this.projects.delete(name);
    for (const list of this.#lists.keys()) if (list.startsWith(`${name}/`)) this.#lists.delete(list);
  }

  /** Lists are short: they are made anew, and written where they say something else. */
  writeList(name: string, pieces: Iterable<string>): boolean {
    const text = [...pieces].join('');
    const stamp = digest(text);
    if (this.#lists.get(name) === stamp && existsSync(join(this.path, name))) return false;
    writePage(join(this.path, name), [text]);
    this.#lists.set(name, stamp);
    return true;
  }

  /** Removes every page with another stamp, and the lists that told of them: of what is in the folder only what was written by Skein. */
  dropUnless(stamp: string): void {
    for (const list of this.#lists.keys()) this.#remove(list);
    this.#lists.clear();
    for (const [name, { pages, stamps }] of [...this.projects]) {
      for (const form of Object.keys(stamps) as Form[]) delete stamps[form];
      for (const [page, listed] of [...pages]) if (listed.stamp !== stamp) this.drop(name, page);
      if (pages.size > 0) continue;
      this.projects.delete(name);
      removeEmpty(join(this.path, name));
    }
    this.save();
  }

  has(form: Form): boolean {
    return [...this.projects.keys()].some((name) => this.pagesOf(name, form).length > 0);
  }

  save(): void {
    const projects = Object.fromEntries(
      [...this.projects].map(([name, project]) => [name, { ...project, pages: Object.fromEntries(project.pages) }]),
    );
    const lists = Object.fromEntries(this.#lists);
    writePage(join(this.path, MANIFEST), [`${JSON.stringify({ version: VERSION, projects, lists })}\n`]);
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Somebody keeps something in it.
  }
}

interface Manifest {
  readonly projects?: Readonly<Record<string, Omit<ListedProject, 'pages'> & { pages: Record<string, ListedPage> }>>;
  readonly lists?: Readonly<Record<string, string>>;
}

function readManifest(path: string): Manifest {
  try {
    const manifest = JSON.parse(readFileSync(path, 'utf8'));
    return manifest?.version === VERSION ? manifest : {};
  } catch {
    return {};
  }
}
