import { availableParallelism } from 'node:os';
import type { Logs } from '../history/index.ts';
import { addAll } from '../model/index.ts';
import type { Problem } from '../sources/index.ts';
import type { FileEntry, IndexStore, ProjectName, TreeEntry } from '../stores/index.ts';
import { changeOf, type GenerationOf } from './file-changes.ts';
import { giveBackMemory } from './give-back-memory.ts';
import { inParallel } from './in-parallel.ts';
import { indexHere, jobStore, numbersFrom, type TreeJob, TreeRun, VOLUME_NUMBERS, write } from './index-jobs.ts';
import { IndexPool, inIslands, isLarge, memoryOf } from './index-pool.ts';
import type { TreeSource } from './project-index.ts';
import type { SavedFlags } from './saved-flags.ts';
import { weighTree } from './weigh-tree.ts';

/** What is indexed: all that a history has, or less. */
export interface Indexable {
  readonly projects: readonly (ProjectName & { readonly logs: readonly Pick<Logs, 'format' | 'files'>[] })[];
}

export interface IndexOptions {
  /** So many threads parse; 0: this one. Without it as many as there are cores, when there is enough to do. */
  readonly workers?: number;
  readonly generationOf?: GenerationOf;
  /** When files may be read: they are archived, and `generationOf` knows them. Without it they are. */
  readonly whenSaved?: (files: TreeSource['files']) => Promise<void>;
  /** When another thread may begin to read them, and wait for those that are not archived yet. Without it when all are. */
  readonly whenBegun?: ((files: TreeSource['files']) => Promise<SavedFlags | null>) | undefined;
  /** Threads that work beside this one's: each takes the place of one of these until its promise resolves. */
  readonly beside?: readonly Promise<void>[];
  /** Until then another thread is busy. */
  readonly saving?: Promise<void>;
  /** Trees are read in islands of so many bytes. Without it only those are that would take too much memory. */
  readonly islandBytes?: number;
  /** Told after each project. */
  readonly onProgress?: (progress: IndexProgress) => void;
}

export interface IndexProgress {
  readonly trees: number;
  readonly treesDone: number;
  /** Of the files that are read, as far as they are new. */
  readonly bytes: number;
  readonly bytesDone: number;
}

export interface IndexReport {
  /** Trees of which something was written. */
  readonly trees: number;
  readonly bytesRead: number;
  readonly problems: readonly Problem[];
}

/** Two threads work together. */
const pairsFor = (cores: number): number => Math.ceil(cores / 2);

/** Below this a thread would not be started before the work is done. */
export const WORTH_WORKERS = 8 * 1024 * 1024;

/** Brings the index up to date with the files. What was interrupted is gone on with the next time. */
export async function indexProjects(
  history: Indexable,
  store: IndexStore,
  options: IndexOptions = {},
): Promise<IndexReport> {
  const { generationOf = () => null, whenSaved = async () => undefined, whenBegun, onProgress } = options;
  const sources = sourcesOf(history);
  // Into an empty index goes everything. Otherwise what a file became tells what there is to do.
  const isEmpty = (await store.trees()).length === 0;
  if (!isEmpty) await whenSaved(sources.flatMap(({ files }) => files));
  const { islandBytes } = options;
  const all = await planJobs(sources, store, generationOf);
  const jobs = islandBytes === undefined ? all : all.map((job) => ({ ...job, islandBytes }));
  const bytes = jobs.reduce((sum, job) => sum + job.bytes, 0);
  const threads =
    options.workers ?? (bytes < WORTH_WORKERS ? 0 : Math.min(pairsFor(availableParallelism()), jobs.length));
  const problems: Problem[] = [];
  let [treesDone, bytesRead, bytesDone] = [0, 0, 0];
  let isMostDone = false;
  const text = await store.hasText();
  const pool = threads > 0 ? new IndexPool(store, text, jobs, options.saving) : null;
  const here = jobs.length > 0 ? new TreeRun(numbersFrom(await store.reserveVolumes(VOLUME_NUMBERS)), { text }) : null;
  // What comes out of the archive is read through this thread's handle.
  const isHere = ({ source }: TreeJob): boolean => !pool || source.files.some(({ kept }) => kept !== undefined);
  const begun = new Map<TreeJob, SavedFlags | null>();
  const whenReady = async (job: TreeJob): Promise<void> => {
    // With full text there is no memory left for a large tree beside threads that save.
    const mayBegin = isEmpty && !isHere(job) && !(text && isLarge(job));
    if (whenBegun && mayBegin) begun.set(job, await whenBegun(job.source.files));
    else await whenSaved(job.source.files);
  };
  const perform = async (planned: TreeJob): Promise<void> => {
    const afterMost = isEmpty && !isMostDone && bytesDone > MOST * bytes;
    isMostDone ||= afterMost;
    const generations = generationsOf(planned.source, generationOf);
    const job = { ...planned, generations, afterMost, saved: begun.get(planned) ?? null };
    const report = await (pool && !isHere(job) ? pool.index(job) : indexHere(job, jobStore(store), here as TreeRun));
    addAll(problems, report.problems);
    bytesRead += report.bytesRead;
    bytesDone += job.bytes;
    treesDone++;
    onProgress?.({ trees: jobs.length, treesDone, bytes, bytesDone });
  };
  // While the threads start.
  if (pool) setImmediate(giveBackMemory);
  try {
    const lanes = { lanes: Math.max(1, threads), lent: options.beside ?? [] };
    // Nobody waits for one thread: it begins with the smallest, and holds the garbage of the largest no longer than it must.
    const inOrder = lanes.lanes > 1 ? jobs : jobs.toReversed();
    await inParallel(inOrder, { ...lanes, memory: MEMORY, memoryOf, whenReady }, perform);
    for (const written of here?.end() ?? []) await write(written, store);
    await pool?.end(() => store.addIndexes().then(() => store.sync()));
  } finally {
    await pool?.close();
  }
  await store.settle();
  return { trees: jobs.length, bytesRead, problems };
}

/** Whether the store says what the files would say; files are only looked at, not read. */
export async function isCurrent(
  history: Indexable,
  store: IndexStore,
  generationOf: GenerationOf = () => null,
): Promise<boolean> {
  return (await planJobs(sourcesOf(history), store, generationOf)).length === 0;
}

export const treeKey = (agent: string, projectPath: string): string => `${agent} ${projectPath}`;

/** What is indexed together. */
export function sourcesOf(history: Indexable): TreeSource[] {
  return history.projects.flatMap(({ id, path, names, logs }) =>
    logs.map(({ format, files }) => ({ key: treeKey(format.name, path), project: { id, path, names }, format, files })),
  );
}

/** What has to be brought up to date. The largest first: at the end the threads wait for each other less. */
export async function planJobs(
  sources: readonly TreeSource[],
  store: IndexStore,
  generationOf: GenerationOf,
): Promise<TreeJob[]> {
  const trees = new Map((await store.trees()).map((tree) => [tree.key, tree]));
  const known = new Map<string, Map<string, FileEntry>>();
  const treeOfPath = new Map<string, string>();
  for (const entry of await store.files()) {
    const files = known.get(entry.tree) ?? new Map<string, FileEntry>();
    known.set(entry.tree, files.set(entry.id, entry));
    treeOfPath.set(entry.path, entry.tree);
  }
  const moved = new Set<string>();
  for (const { key, files } of sources)
    for (const { path } of files) if ((treeOfPath.get(path) ?? key) !== key) moved.add(treeOfPath.get(path) as string);
  // Files that are gone, also from the archive: what their tree says without them is read anew.
  for (const { key, files } of sources) {
    const present = new Set(files.map(({ facts }) => facts.id));
    if ([...(known.get(key)?.keys() ?? [])].some((id) => !present.has(id))) moved.add(key);
  }
  const jobs = sources.flatMap((source): TreeJob[] => {
    const files = moved.has(source.key) ? undefined : known.get(source.key);
    const dropTrees = [...moved].filter(
      (key) => key === source.key || source.files.some(({ path }) => treeOfPath.get(path) === key),
    );
    for (const key of dropTrees) moved.delete(key);
    return jobOf(source, moved.has(source.key) ? undefined : trees.get(source.key), files, dropTrees, generationOf);
  });
  return jobs.sort((a, b) => b.bytes - a.bytes);
}

function jobOf(
  source: TreeSource,
  tree: TreeEntry | undefined,
  known: ReadonlyMap<string, FileEntry> | undefined,
  dropTrees: readonly string[],
  generationOf: GenerationOf,
): TreeJob[] {
  const complete = tree?.complete === true && dropTrees.length === 0 && isSameProject(tree, source);
  let [bytes, isCurrent] = [0, complete];
  for (const file of source.files) {
    const entry = known?.get(file.facts.id);
    const change = changeOf(file, entry, generationOf);
    if (change === 'same') continue;
    isCurrent = false;
    bytes += change === 'grown' || change === 'continued' ? file.size - (entry?.offset ?? 0) : file.size;
  }
  if (isCurrent) return [];
  const generations = generationsOf(source, generationOf);
  const entries = [...(known?.values() ?? [])];
  const memory = inIslands(weighTree(source, entries));
  return [{ source, bytes, known: entries, complete, dropTrees, generations, ...memory }];
}

const generationsOf = ({ files }: TreeSource, generationOf: GenerationOf): TreeJob['generations'] =>
  new Map(files.map((file) => [file.facts.id, generationOf(file)]));

const isSameProject = ({ project }: TreeEntry, source: TreeSource): boolean =>
  JSON.stringify(project) === JSON.stringify(source.project);

/** Of all bytes. */
const MOST = 0.7;

/** MiB that the trees under way may take together; a larger one is alone. */
const MEMORY = 195;
