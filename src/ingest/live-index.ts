import type { IndexStore } from '../stores/index.ts';
import type { GenerationOf } from './file-changes.ts';
import { ProjectIndex, type TreeSource } from './project-index.ts';

export interface LiveUpdate {
  /** Of the store, when something was written. */
  readonly revision: number | null;
  readonly bytesRead: number;
}

interface Held {
  readonly index: ProjectIndex;
  /** When it was last brought up to date. */
  readonly used: number;
}

/** About 1 KB a line. */
const HELD_LINES = 200_000;

/** Follows trees that grow: the last ones are held in memory, so that an append costs what was appended. */
export class LiveIndex {
  readonly #store: IndexStore;
  readonly #heldLines: number;
  /** Last used last. */
  readonly #held = new Map<string, Held>();

  constructor(store: IndexStore, heldLines = HELD_LINES) {
    this.#store = store;
    this.#heldLines = heldLines;
  }

  get heldTrees(): number {
    return this.#held.size;
  }

  /** The files as they are now, all of the tree or those that were written to. */
  async update(source: TreeSource, generationOf: GenerationOf = () => null): Promise<LiveUpdate> {
    const index = this.#held.get(source.key)?.index ?? (await this.#load(source));
    // Held again only when everything was written.
    this.#held.delete(source.key);
    const before = index.bytesRead;
    let revision: number | null = null;
    for (const batch of index.update(source, generationOf)) revision = await this.#store.apply(batch);
    await this.#hold(source.key, index);
    return { revision, bytesRead: index.bytesRead - before };
  }

  /** Lets go what nobody wrote to since a time, and everything without one. It is put together again when it is needed. */
  async release(since = Number.POSITIVE_INFINITY): Promise<void> {
    for (const [key, { used }] of this.#held) if (used < since) await this.#letGo(key);
  }

  /** Going over all of a tree is too much for every line: it is done when nobody waits. */
  async #letGo(key: string): Promise<void> {
    const held = this.#held.get(key);
    this.#held.delete(key);
    if (held) await this.#store.setFindings(key, held.index.countFindings());
  }

  async #load({ key, format }: TreeSource): Promise<ProjectIndex> {
    const tree = (await this.#store.trees()).find((each) => each.key === key);
    const files = await this.#store.files(key);
    const chunks = files.length > 0 ? await this.#store.chunks(key) : [];
    return ProjectIndex.load(key, format, { files, chunks, complete: tree?.complete === true });
  }

  async #hold(key: string, index: ProjectIndex): Promise<void> {
    this.#held.set(key, { index, used: Date.now() });
    let lines = 0;
    for (const [held, each] of [...this.#held].reverse()) {
      lines += each.index.lineCount;
      if (lines > this.#heldLines && held !== key) await this.#letGo(held);
    }
  }
}
