import { addAll } from '../model/index.ts';
import { type FoundRoots, judge, type LogFile, type Problem } from '../sources/index.ts';
import type { Archive, ArchivedFile, Damage } from '../stores/store.ts';
import type { BatchOptions } from './batch-writer.ts';
import { type Exclude, nothingExcluded } from './exclude.ts';
import type { GenerationOf } from './file-changes.ts';
import { type Archivable, type FoundFile, findArchivable, keyOf } from './find-archivable.ts';
import { findGone, placeOf } from './find-gone.ts';
import { Generations } from './generations.ts';
import { HandOver } from './hand-over.ts';
import { promptFilter } from './prompt-history.ts';
import type { Outcome } from './save-file.ts';
import { type SaveJob, type SaveListeners, saveFiles } from './save-files.ts';
import { saveInThreads, threadsFor } from './save-in-threads.ts';
import type { SavedFlags } from './saved-flags.ts';
import { stampOf } from './state-stamp.ts';
import { isForgotten } from './tombstone.ts';

export interface IngestOptions extends BatchOptions {
  readonly archive: Archive;
  readonly roots: FoundRoots;
  readonly exclude?: Exclude;
  readonly verify?: boolean;
  /** So many threads compress and write; 0: this one. Without it as many as there are cores, when there is enough to do. */
  readonly threads?: number;
  /** Who indexes what is saved begins at once, and has its own threads: of a first load one less saves. */
  readonly isIndexed?: boolean;
  readonly onProgress?: (progress: Progress) => void;
}

export interface Progress {
  readonly files: number;
  readonly bytes: number;
  readonly allFiles: number;
  readonly allBytes: number;
}

export interface Ingested extends Readonly<Record<Outcome | 'gone' | 'excluded' | 'forgotten', number>> {
  /** Archived copies that cannot be read any more, and of which nothing is left on disk: told when everything was looked at. */
  readonly damaged: number;
  readonly files: number;
  readonly bytesRead: number;
  readonly milliseconds: number;
  readonly problems: readonly Problem[];
  /** What was seen, for watching it. */
  readonly found: Archivable;
  /** Of everything that was seen and archived before; null where something was not looked at, or more was looked at than a stamp says. */
  readonly stamp: string | null;
}

/** An ingest under way: what is saved may be indexed while the rest is saved. */
export interface Ingesting extends Pick<Ingested, 'stamp' | 'found'> {
  /** When everything in the folders of these files is in the archive as it is on disk, as far as it can be read. */
  whenSaved(files: readonly LogFile[]): Promise<void>;
  /** When the first of them are, and how to wait for the others; null: all are. */
  whenBegun(files: readonly LogFile[]): Promise<SavedFlags | null>;
  /** Right for files that are saved. */
  readonly generationOf: GenerationOf;
  /** Of the threads that save, all but one: they end when something is saved that somebody waits for, and each promise with one. */
  readonly threads: readonly Promise<void>[];
  /** Until the last of them has ended; what is left then is done in this one. */
  readonly saving: Promise<void>;
  readonly end: Promise<Ingested>;
}

/** Brings the archive up to date with what is on disk. Killed at any moment, the next run goes on from the last whole batch. */
export const ingest = async (options: IngestOptions): Promise<Ingested> => (await beginIngest(options)).end;

/** The same, for who has something to do beside it: everything was looked at, and nothing saved yet. */
export async function beginIngest(options: IngestOptions): Promise<Ingesting> {
  const { archive, roots, exclude = nothingExcluded, verify = false, onProgress, onSaved, batchBytes } = options;
  const startedAt = Date.now();
  const start = performance.now();
  const problems: Problem[] = [...roots.problems];
  const archived = await archive.files();
  const generations = new Generations(archived);
  const known = new Map(archived.map((file) => [keyOf(file), file]));
  const damage = verify ? await archive.verify() : [];
  const damaged = new Set(damage.flatMap(({ file }) => file?.id ?? []));
  const tombstones = await archive.tombstones();
  const found = findArchivable(roots, exclude, problems);
  const wanted = [...found.keys].filter(([, file]) => !isForgotten(tombstones, file));

  const todo = wanted.flatMap(([key, file]): SaveJob[] => {
    const archived = known.get(key);
    const isSame =
      !verify &&
      archived?.goneAt === null &&
      judge(archived, file) === 'same' &&
      promptFilter(file, { tombstones, exclude }) === null;
    const repair = archived !== undefined && damaged.has(archived.id);
    return isSame ? [] : [{ file, known: archived, repair }];
  });
  const all = { allFiles: todo.length, allBytes: todo.reduce((sum, job) => sum + left(job, verify), 0) };
  let [files, bytesRead] = [0, 0];
  const listeners: SaveListeners = {
    onSaved: (saved) => {
      generations.add(saved);
      onSaved?.(saved);
    },
    onFile: (count) => {
      files += count;
    },
    onRead: (bytes) => {
      bytesRead += bytes;
      onProgress?.({ files, bytes: bytesRead, ...all });
    },
  };
  const stamp = found.excluded > 0 || verify ? null : stampOf(found.keys, known, roots.looked);
  const isFirst = archived.length === 0;
  const threads = options.threads ?? threadsFor(all.allBytes, options.isIndexed === true && isFirst);
  const handOver = new HandOver(found.files, todo, threads, ({ full }) => generations.of({ path: full }));
  const save = async (): Promise<Ingested> => {
    const terms = { verify, tombstones, exclude };
    const more = { ...listeners, ...(batchBytes && { batchBytes }) };
    const saved = await (threads > 0
      ? saveInThreads(todo, archive, terms, { ...more, threads, handOver })
      : saveFiles(todo, archive, terms, more));
    addAll(problems, saved.problems);
    allSaved.resolve();
    // Who waits for it hears of it before this thread waits for the disk.
    await new Promise((resolve) => setImmediate(resolve));
    const gone = findGone(known, found.keys, roots);
    const endedAt = Date.now();
    const lasting = verify ? await tellDamage(archive, damage, problems) : null;
    const batch = { at: endedAt, appends: [], gone, run: { startedAt, endedAt } };
    await archive.apply(lasting ? { ...batch, damaged: lasting } : batch);
    // Others are at work; when it is closed they may not be.
    if (threads > 0) await archive.sync();
    onProgress?.({ files: all.allFiles, bytes: bytesRead, ...all });
    return {
      ...saved.counts,
      same: saved.counts.same + wanted.length - todo.length,
      files: wanted.length,
      gone: gone.length,
      damaged: lasting?.length ?? 0,
      excluded: found.excluded,
      forgotten: found.files.length - wanted.length,
      bytesRead,
      milliseconds: performance.now() - start,
      problems,
      found: { ...found, files: wanted.map(([, file]) => file) },
      stamp,
    };
  };
  const allSaved = Promise.withResolvers<void>();
  const end = save();
  // Who waits for it hears of a failure.
  end.catch(() => allSaved.resolve()).finally(() => handOver.end());
  return {
    stamp,
    found,
    whenSaved: (files) => Promise.race([handOver.when(files), end.then(() => undefined)]),
    whenBegun: (files) => Promise.race([handOver.whenBegun(files), end.then(() => null)]),
    generationOf: generations.of,
    threads: handOver.threads,
    saving: allSaved.promise,
    end,
  };
}

/** Whether the archive has a file as it is on disk, or is not to have it, as far as can be told without reading it. */
export function isUpToDate(
  archived: readonly ArchivedFile[],
  tombstones: ReadonlySet<string>,
): (file: FoundFile) => boolean {
  const known = new Map(archived.map((file) => [keyOf(file), file]));
  return (file) => {
    const cursor = known.get(keyOf(file));
    return isForgotten(tombstones, file) || (cursor !== undefined && judge(cursor, file) === 'same');
  };
}

const left = ({ file, known }: SaveJob, verify: boolean): number =>
  Math.max(0, file.size - (verify ? 0 : (known?.size ?? 0)));

/** What cannot be read from the archive any more was taken from disk again where it still lay there. Gives the rest. */
async function tellDamage(
  archive: Archive,
  damage: readonly Damage[],
  problems: Problem[],
): Promise<{ readonly file: number; readonly message: string }[]> {
  const left = new Set((await archive.files({ older: true })).map(({ id }) => id));
  return damage.flatMap(({ file, message }) => {
    if (!file) return [];
    const path = placeOf(file);
    const isLost = left.has(file.id);
    problems.push({
      path,
      message: `The archived copy of ${path} ${message}${isLost ? '; there is nothing on disk to archive it again from' : '; it is archived again'}`,
    });
    return isLost ? [{ file: file.id, message }] : [];
  });
}
