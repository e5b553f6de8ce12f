import { workerData } from 'node:worker_threads';
import { formats } from '../formats/index.ts';
import type { Format } from '../model/index.ts';
import { answerTasks } from '../sources/ask-thread.ts';
import { openSharedIndex } from '../stores/index.ts';
import { giveBackMemory } from './give-back-memory.ts';
import {
  type IndexTask,
  indexHere,
  type JobReport,
  numbersFrom,
  TreeRun,
  type WorkerStart,
  write,
} from './index-jobs.ts';

const { share, volumes } = workerData as WorkerStart;

/** A thread that parses one tree after the other and writes what it finds. */
answerTasks<IndexTask, JobReport | null>(() => {
  const store = openSharedIndex(share);
  const run = new TreeRun(numbersFrom(volumes));
  return async (task) => {
    if (task === 'end') {
      for (const written of run.end()) await write(written, store);
      return null;
    }
    const { job, isLarge } = task;
    const { source } = job;
    const format = formats.find(({ name }) => name === source.format) as Format;
    const report = await indexHere({ ...job, source: { ...source, format } }, store, run);
    if (isLarge) giveBackMemory();
    return report;
  };
});
