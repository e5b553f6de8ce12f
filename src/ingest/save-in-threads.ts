import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { addAll } from '../model/index.ts';
import { askThread, endThread } from '../sources/ask-thread.ts';
import type { Problem } from '../sources/index.ts';
import { workerUrl } from '../sources/worker-url.ts';
import type { Archive, ArchivedFile, StoreShare } from '../stores/store.ts';
import type { BatchOptions } from './batch-writer.ts';
import { type HandOver, orderOf } from './hand-over.ts';
import { noCounts, type SavedFiles, type SaveJob, type SaveListeners, type SaveTerms } from './save-files.ts';

/** What a thread begins with. */
export interface SaveStart {
  readonly share: StoreShare;
  readonly terms: SaveTerms;
  readonly batchBytes: number;
}

/** What happened since the last of them: they are told with every batch, because a message takes as long as a small file. */
export interface SaveNews {
  readonly read: number;
  readonly files: number;
  readonly saved: readonly ArchivedFile[];
}

interface ThreadOptions extends SaveListeners, BatchOptions {
  readonly threads: number;
  readonly handOver: HandOver;
}

const MIB = 1024 * 1024;

/** Below this a thread would not be started before the work is done. */
const WORTH_THREADS = 32 * MIB;
/** More of them would wait for each other: one alone writes at a time. */
const MOST = 4;
/** What a thread takes at a time. */
const SHARE = 8 * MIB;
/** What it reads, compresses and writes at once. */
const BATCH = 4 * MIB;

/** `isIndexed`: it would hardly have begun when who indexes needs its place. */
export function threadsFor(bytes: number, isIndexed: boolean): number {
  if (bytes < WORTH_THREADS) return 0;
  return Math.max(1, Math.min(availableParallelism(), MOST) - (isIndexed ? 1 : 0));
}

/** `saveFiles` on all cores: compressing takes most of the time. Each thread writes what it has compressed. */
export async function saveInThreads(
  jobs: readonly SaveJob[],
  archive: Archive,
  terms: SaveTerms,
  { onRead, onFile, onSaved, threads, handOver, batchBytes = BATCH }: ThreadOptions,
): Promise<SavedFiles> {
  const workerData: SaveStart = { share: await archive.share(), terms, batchBytes };
  const waiting = orderOf(jobs).reverse();
  const counts = noCounts();
  const problems: Problem[] = [];
  const onNews = (news: SaveNews): void => {
    onSaved?.(news.saved);
    handOver.savedBytes(news.saved);
    onFile(news.files);
    onRead(news.read);
  };
  const workers = Array.from(
    { length: threads },
    () => new Worker(workerUrl('ingest/save-files'), { workerData, resourceLimits: { maxYoungGenerationSizeMb: 8 } }),
  );
  const work = async (worker: Worker, place: number): Promise<void> => {
    while (waiting.length > 0 && (place === 0 || !handOver.isUsed)) {
      const share = takeShare(waiting);
      const saved = await askThread<SaveJob[], SavedFiles, SaveNews>(worker, share, onNews);
      for (const outcome of Object.keys(counts) as (keyof typeof counts)[]) counts[outcome] += saved.counts[outcome];
      addAll(problems, saved.problems);
      handOver.saved(share);
    }
    await endThread(worker);
    handOver.threadEnded();
  };
  try {
    await Promise.all(workers.map(work));
  } finally {
    await Promise.all(workers.map(endThread));
  }
  return { counts, problems };
}

function takeShare(waiting: SaveJob[]): SaveJob[] {
  const share: SaveJob[] = [];
  for (let bytes = 0; bytes < SHARE && waiting.length > 0; ) {
    const job = waiting.pop() as SaveJob;
    share.push(job);
    bytes += job.file.size;
  }
  return share;
}
