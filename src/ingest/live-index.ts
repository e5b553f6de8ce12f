import type { IndexStore } from '../stores/index.ts';
import type { GenerationOf } from './file-changes.ts';
import { SEGMENT_NUMBERS, TreeRun, write } from './index-jobs.ts';
import type { ProjectIndex, TreeSource } from './project-index.ts';

export interface LiveUpdate {
  /** Of the store, when something was written. */
  readonly revision: number | null;
  readonly bytesRead: number;
}

/** About 1 KB a line. */
const HELD_LINES = 300_000;

/** Follows trees that grow: the last ones are held in memory, so that an append costs what was appended. */
export class LiveIndex {
  readonly #store: IndexStore;
  readonly #generationOf: GenerationOf;
  readonly #heldLines: number;
  /** Last used last. */
  readonly #held = new Map<string, ProjectIndex>();
  #run: TreeRun | null = null;
  /** Of segments; there are always enough for one update. */
  readonly #numbers: number[] = [];

  constructor(store: IndexStore, generationOf: GenerationOf = () => null, heldLines = HELD_LINES) {
    this.#store = store;
    this.#generationOf = generationOf;
    this.#heldLines = heldLines;
  }

  /** The files as they are now, all of the tree or those that were written to. */
  async update(source: TreeSource): Promise<LiveUpdate> {
    const index = this.#held.get(source.key) ?? (await this.#load(source));
    // Held again only when everything was written.
    this.#held.delete(source.key);
    const before = index.bytesRead;
    let revision: number | null = null;
    const run = await this.#start();
    const generations = new Map(source.files.map((file) => [file.facts.id, this.#generationOf(file)]));
    for (const written of run.update(index, { source, known: [], complete: true, dropTrees: [], generations }))
      revision = await write(written, this.#store);
    for (const written of run.end()) revision = await write(written, this.#store);
    this.#hold(source.key, index);
    return { revision, bytesRead: index.bytesRead - before };
  }

  async #start(): Promise<TreeRun> {
    if (this.#numbers.length < SEGMENT_NUMBERS) {
      const first = await this.#store.reserveSegments(SEGMENT_NUMBERS);
      for (let i = 0; i < SEGMENT_NUMBERS; i++) this.#numbers.push(first + i);
    }
    this.#run ??= new TreeRun(takeFrom(this.#numbers));
    return this.#run;
  }

  async #load(source: TreeSource): Promise<ProjectIndex> {
    const { key, format } = source;
    const tree = (await this.#store.trees()).find((each) => each.key === key);
    const files = await this.#store.files(key);
    const chunks = files.length > 0 ? await this.#store.chunks(key) : [];
    const known = { known: files, complete: tree?.complete === true, dropTrees: [], generations: new Map() };
    return (await this.#start()).open({ ...known, source }, format, chunks);
  }

  #hold(key: string, index: ProjectIndex): void {
    this.#held.set(key, index);
    let lines = 0;
    for (const [held, each] of [...this.#held].reverse()) {
      lines += each.lineCount;
      if (lines > this.#heldLines && held !== key) this.#held.delete(held);
    }
  }
}

function* takeFrom(numbers: number[]): Generator<number> {
  for (;;) yield numbers.shift() as number;
}
