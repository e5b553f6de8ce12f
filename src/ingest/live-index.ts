import type { FileId } from '../model/index.ts';
import type { FileEntry, FindingCounts, IndexStore } from '../stores/index.ts';
import { addFindings } from './count-findings.ts';
import type { GenerationOf } from './file-changes.ts';
import { FileIslands } from './file-islands.ts';
import { TreeRun, VOLUME_NUMBERS, write } from './index-jobs.ts';
import type { ProjectIndex, TreeSource } from './project-index.ts';

export interface LiveUpdate {
  /** Of the store, when something was written. */
  readonly revision: number | null;
  readonly bytesRead: number;
  /** False: all files of the tree have to be looked at. */
  readonly isDone: boolean;
}

interface Open {
  readonly index: ProjectIndex;
  readonly part: Part | null;
}

/** Of a tree that is too large for memory: the files that are tied to those somebody writes to. */
interface Part {
  readonly files: ReadonlySet<FileId>;
  readonly islands: FileIslands;
  /** When it was put together. */
  readonly findings: FindingCounts;
}

interface Held extends Open {
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
    const open =
      (await this.#take(source, generationOf)) ??
      (await this.#load(source, await this.#known(source.key), generationOf));
    const { index, part } = open;
    if (index.needsOthers(source.files, generationOf)) return { revision: null, bytesRead: 0, isDone: false };
    const before = index.bytesRead;
    let revision: number | null = null;
    const run = await this.#start();
    const generations = new Map(source.files.map((file) => [file.facts.id, generationOf(file)]));
    const job = { source, known: [], complete: true, dropTrees: [], generations };
    for (const written of run.update(index, job, part !== null))
      revision = (await write(written, this.#store)) ?? revision;
    // What came meanwhile may tie it to others: then it stays incomplete, and all of the tree is read the next time.
    const isWhole = !part || holds(part, source);
    if (part && isWhole && revision !== null)
      for (const written of run.complete(source.key)) await write(written, this.#store);
    for (const written of run.end()) revision = (await write(written, this.#store)) ?? revision;
    if (isWhole) await this.#hold(source.key, open);
    return { revision, bytesRead: index.bytesRead - before, isDone: isWhole };
  }

  /** A tree that is likely to grow: put together now, its next line does not wait for that. Not where others would have to go for it. */
  async expect(source: TreeSource): Promise<void> {
    if (this.#held.has(source.key)) return;
    const known = await this.#known(source.key);
    if (!known.complete || this.heldLines + linesIn(known.files) > this.#mostLines) return;
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
    if (!held) return;
    const { index, part } = held;
    const found = index.countFindings();
    const others = part && addFindings(await this.#store.findings(key), part.findings, -1);
    await this.#store.setFindings(key, others ? addFindings(others, found) : found);
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

  /** What is held of it, if that will do. It is held again only when everything was written. */
  async #take(source: TreeSource, generationOf: GenerationOf): Promise<Open | null> {
    const { key, files } = source;
    const held = this.#held.get(key) ?? null;
    if (held?.part && (held.index.isAnotherOf(files, generationOf) || !holds(held.part, source))) {
      await this.#letGo(key);
      return null;
    }
    this.#held.delete(key);
    return held;
  }

  async #load(
    source: TreeSource,
    { files, complete }: KnownTree,
    generationOf: GenerationOf = () => null,
  ): Promise<Open> {
    const { key, format } = source;
    const chunks = files.length > 0 ? await this.#store.chunks(key) : [];
    const run = await this.#start();
    const open = (ids?: ReadonlySet<FileId>): ProjectIndex => {
      const isIn = (id: FileId): boolean => ids?.has(id) !== false;
      const known = { known: files.filter(({ id }) => isIn(id)), complete, dropTrees: [], generations: new Map() };
      return run.open(
        { ...known, source },
        format,
        chunks.filter(({ file }) => isIn(file)),
      );
    };
    if (!complete || linesIn(files) <= this.#mostLines) return { index: open(), part: null };
    const islands = new FileIslands(format);
    islands.recall(files, chunks);
    islands.read(source.files);
    const ids = new Set(islands.tiedTo(source.files));
    const index = open(ids);
    if (index.isAnotherOf(source.files, generationOf)) return { index: open(), part: null };
    return { index, part: { files: ids, islands, findings: index.countFindings() } };
  }

  async #hold(key: string, open: Open): Promise<void> {
    this.#held.set(key, { ...open, used: Date.now() });
    let lines = 0;
    for (const [held, each] of [...this.#held].reverse()) {
      lines += each.index.lineCount;
      if (lines > this.#mostLines && held !== key) await this.#letGo(held);
    }
  }
}

const linesIn = (files: readonly FileEntry[]): number => files.reduce((sum, { lines }) => sum + lines, 0);

/** Whether these files are tied to no others; what is new in them is read for it. */
function holds({ files, islands }: Part, source: TreeSource): boolean {
  islands.read(source.files);
  return islands.tiedTo(source.files).every((id) => files.has(id));
}

function* takeFrom(numbers: number[]): Generator<number> {
  for (;;) yield numbers.shift() as number;
}
