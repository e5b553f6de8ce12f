import type { FileEntry, IndexStore } from '../stores/index.ts';
import type { GenerationOf } from './file-changes.ts';
import { TreeRun, VOLUME_NUMBERS, write } from './index-jobs.ts';
import type { ProjectIndex, TreeSource } from './project-index.ts';

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

/** What is known of a tree without reading its lines. */
interface KnownTree {
  readonly files: readonly FileEntry[];
  readonly complete: boolean;
}

/** 600 to 900 bytes a line. */
const MOST_LINES = 200_000;

/** Follows trees that grow: the last ones are held in memory, so that an append costs what was appended. */
export class LiveIndex {
  readonly #store: IndexStore;
  readonly #mostLines: number;
  /** Last used last. */
  readonly #held = new Map<string, Held>();
  #run: TreeRun | null = null;
  /** Of volumes; there are always enough for one update. */
  readonly #numbers: number[] = [];

  constructor(store: IndexStore, mostLines = MOST_LINES) {
    this.#store = store;
    this.#mostLines = mostLines;
  }

  get heldTrees(): number {
    return this.#held.size;
  }

  get heldLines(): number {
    let lines = 0;
    for (const { index } of this.#held.values()) lines += index.lineCount;
    return lines;
  }

  /** The files as they are now, all of the tree or those that were written to. */
  async update(source: TreeSource, generationOf: GenerationOf = () => null): Promise<LiveUpdate> {
    const index = this.#held.get(source.key)?.index ?? (await this.#load(source, await this.#known(source.key)));
    // Held again only when everything was written.
    this.#held.delete(source.key);
    const before = index.bytesRead;
    let revision: number | null = null;
    const run = await this.#start();
    const generations = new Map(source.files.map((file) => [file.facts.id, generationOf(file)]));
    for (const written of run.update(index, { source, known: [], complete: true, dropTrees: [], generations }))
      revision = (await write(written, this.#store)) ?? revision;
    for (const written of run.end()) revision = (await write(written, this.#store)) ?? revision;
    await this.#hold(source.key, index);
    return { revision, bytesRead: index.bytesRead - before };
  }

  /** A tree that is likely to grow: put together now, its next line does not wait for that. Not where others would have to go for it. */
  async expect(source: TreeSource): Promise<void> {
    if (this.#held.has(source.key)) return;
    const known = await this.#known(source.key);
    const lines = known.files.reduce((sum, file) => sum + file.lines, 0);
    if (!known.complete || this.heldLines + lines > this.#mostLines) return;
    await this.#hold(source.key, await this.#load(source, known));
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

  async #start(): Promise<TreeRun> {
    if (this.#numbers.length < VOLUME_NUMBERS) {
      const first = await this.#store.reserveVolumes(VOLUME_NUMBERS);
      for (let i = 0; i < VOLUME_NUMBERS; i++) this.#numbers.push(first + i);
    }
    this.#run ??= new TreeRun(takeFrom(this.#numbers), { text: await this.#store.hasText() });
    return this.#run;
  }

  async #known(key: string): Promise<KnownTree> {
    const tree = (await this.#store.trees()).find((each) => each.key === key);
    return { files: await this.#store.files(key), complete: tree?.complete === true };
  }

  async #load(source: TreeSource, { files, complete }: KnownTree): Promise<ProjectIndex> {
    const chunks = files.length > 0 ? await this.#store.chunks(source.key) : [];
    const known = { known: files, complete, dropTrees: [], generations: new Map() };
    return (await this.#start()).open({ ...known, source }, source.format, chunks);
  }

  async #hold(key: string, index: ProjectIndex): Promise<void> {
    this.#held.set(key, { index, used: Date.now() });
    let lines = 0;
    for (const [held, each] of [...this.#held].reverse()) {
      lines += each.index.lineCount;
      if (lines > this.#mostLines && held !== key) await this.#letGo(held);
    }
  }
}

function* takeFrom(numbers: number[]): Generator<number> {
  for (;;) yield numbers.shift() as number;
}
