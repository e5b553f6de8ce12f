import { basename, dirname, join } from 'node:path';
import { type LogFile, realpath } from '../sources/index.ts';
import type { ArchivedFile } from '../stores/store.ts';

/** How often each file was replaced, as the archive saw it: it compares bytes where a size and a time tell nothing. */
export class Generations {
  readonly #byPlace = new Map<string, number>();
  readonly #byId = new Map<number, number>();
  /** Archived places begin with a real path; files of one folder share it. */
  readonly #folders = new Map<string, string>();
  /** Not looked at before somebody asks: mostly nobody does. */
  #told: (readonly ArchivedFile[])[];

  constructor(archived: readonly ArchivedFile[]) {
    this.#told = [archived];
  }

  /** Files that were archived since. */
  add(archived: readonly ArchivedFile[]): void {
    this.#told.push(archived);
  }

  readonly of = ({ path, kept }: Pick<LogFile, 'path' | 'kept'>): number | null => {
    for (const archived of this.#told) for (const file of archived) this.#take(file);
    this.#told = [];
    const place = join(this.#realFolder(dirname(path)), basename(path));
    return (kept ? this.#byId.get(kept.id) : this.#byPlace.get(place)) ?? null;
  };

  #take({ id, root, project, path, generation }: ArchivedFile): void {
    this.#byPlace.set(join(root, project, path), generation);
    this.#byId.set(id, generation);
  }

  #realFolder(folder: string): string {
    const known = this.#folders.get(folder) ?? realpath(folder) ?? folder;
    this.#folders.set(folder, known);
    return known;
  }
}
