import { appendFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { History } from '../../src/history/index.ts';
import { type IndexOptions, type IndexReport, indexProjects } from '../../src/ingest/index-projects.ts';
import type { IndexBatch, IndexStore } from '../../src/stores/index.ts';
import { SqliteIndex } from '../../src/stores/sqlite/index-db.ts';
import { bytesOf, type Files } from './transcript.ts';

/** A folder with logs and an index on disk. */
export class IndexFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'skein-index-'));
  readonly #files: string;

  /** `kind`: the name by which the format of its files is known. */
  constructor(kind: 'projects' | 'sessions' = 'projects') {
    this.#files = join(this.path, kind);
    mkdirSync(this.#files);
  }

  write(project: string, files: Files): void {
    for (const [name, content] of Object.entries(files)) this.put(`${project}/${name}`, bytesOf(content));
  }

  put(name: string, bytes: Uint8Array | string): void {
    const path = this.file(name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  }

  append(name: string, bytes: Uint8Array | string): void {
    mkdirSync(dirname(this.file(name)), { recursive: true });
    appendFileSync(this.file(name), bytes);
  }

  touch(name: string, seconds: number): void {
    utimesSync(this.file(name), seconds, seconds);
  }

  file(name: string): string {
    return join(this.#files, name);
  }

  db(name = 'index.db'): string {
    return join(this.path, name);
  }

  history(): History {
    return History.open({ roots: [this.#files] });
  }

  /** Removes the logs. */
  clear(): void {
    rmSync(this.#files, { recursive: true });
    mkdirSync(this.#files);
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

export interface Run extends IndexReport {
  readonly digest: string;
  /** How many rows were written. */
  readonly written: number;
}

/** Opens the index, brings it up to date, closes it. */
export async function runIndex(
  folder: IndexFolder,
  name = 'index.db',
  options: IndexOptions = { workers: 0 },
): Promise<Run> {
  const store = SqliteIndex.open(folder.db(name));
  try {
    const counted = countRows(store);
    const report = await indexProjects(folder.history(), counted.store, options);
    return { ...report, digest: await store.digest(), written: counted.rows() };
  } finally {
    await store.close();
  }
}

/** A store that counts what is written into it. */
export function countRows(
  store: IndexStore,
  onBatch: (batch: IndexBatch) => void = () => undefined,
): { store: IndexStore; rows: () => number; batches: IndexBatch[] } {
  const batches: IndexBatch[] = [];
  const apply = (batch: IndexBatch): Promise<number> => {
    batches.push(batch);
    onBatch(batch);
    return store.apply(batch);
  };
  const counting = new Proxy(store, {
    get: (target, name) => {
      if (name === 'apply') return apply;
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const rows = (): number =>
    batches.reduce((sum, batch) => sum + LISTS.reduce((all, list) => all + countOf(batch[list] ?? []), 0), 0);
  return { store: counting, rows, batches };
}

/** Rows may come packed. */
export const countOf = (rows: readonly unknown[] | { readonly count: number }): number =>
  'count' in rows ? rows.count : rows.length;

const LISTS = [
  'dropTrees',
  'dropFiles',
  'files',
  'chunks',
  'prompts',
  'sessions',
  'goneSessions',
  'messages',
  'goneMessages',
  'usages',
  'goneUsages',
] as const;
