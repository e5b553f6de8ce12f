import { parentPort, workerData } from 'node:worker_threads';
import { formats } from '../formats/index.ts';
import { type Format, SkeinError } from '../model/index.ts';
import { openShared } from '../stores/index.ts';
import {
  type FromWorker,
  indexHere,
  numbersFrom,
  type ToWorker,
  TreeRun,
  type WorkerStart,
  write,
} from './index-jobs.ts';

/** A thread that parses one tree after the other and writes what it finds. */
const port = parentPort;
const { share, volumes } = workerData as WorkerStart;
const store = openShared(share);
const run = new TreeRun(numbersFrom(volumes));

port?.on('message', async (task: ToWorker) => {
  try {
    port.postMessage(await perform(task));
  } catch (error) {
    // On its way to another thread an error loses its class.
    if (!(error instanceof SkeinError)) throw error;
    port.postMessage({ refused: { code: error.code, message: error.message } } satisfies FromWorker);
  }
});

async function perform(task: ToWorker): Promise<FromWorker> {
  if (task === 'end') {
    for (const written of run.end()) await write(written, store);
    return 'ended';
  }
  const { source } = task.job;
  const format = formats.find(({ name }) => name === source.format) as Format;
  return { report: await indexHere({ ...task.job, source: { ...source, format } }, store, run) };
}
