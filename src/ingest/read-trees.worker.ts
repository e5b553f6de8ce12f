import { workerData } from 'node:worker_threads';
import { formats } from '../formats/index.ts';
import type { Format } from '../model/index.ts';
import { answerTasks } from '../sources/ask-thread.ts';
import { type IndexStore, openSharedIndex } from '../stores/index.ts';
import { giveBackMemory, leaveRoom } from './give-back-memory.ts';
import { indexHere, type JobReport, type JobStore, numbersFrom, TreeRun } from './index-jobs.ts';
import type { IndexTask, ReaderStart } from './index-pool.ts';
import { RowSender } from './send-rows.ts';
import { SentVolume } from './send-text.ts';

const { share, volumes, text, pipe } = workerData as ReaderStart;

/** A thread that parses one tree after the other; the one behind it writes what it finds. */
answerTasks<IndexTask, JobReport | null>(() => {
  const rows = new RowSender(pipe);
  const maker = new SentVolume(pipe);
  const run = new TreeRun(numbersFrom(volumes), { text, maker, forwards: true });
  // The garbage of a large tree. It is found when the next one is under way: with the last object of a shape V8 throws away what it
  // compiled for it, which is everything between two trees, and takes a second of work.
  let isOwed = false;
  const ask = async <Answer>(question: (store: IndexStore) => Promise<Answer>): Promise<Answer> => {
    const opened = openSharedIndex(share);
    const answer = await question(opened);
    await opened.close();
    return answer;
  };
  const store: JobStore = {
    chunks: (tree) => ask((opened) => opened.chunks(tree)),
    findings: (tree) => ask((opened) => opened.findings(tree)),
    write: async (written) => {
      rows.send(written);
      if (isOwed) giveBackMemory();
      isOwed = false;
      leaveRoom();
    },
  };
  return async (task) => {
    if (task === 'end') {
      rows.end();
      for (const written of run.end()) await store.write(written);
      maker.close();
      return null;
    }
    const { job, isLarge } = task;
    if (job.afterMost) rows.endMost();
    const { source } = job;
    const format = formats.find(({ name }) => name === source.format) as Format;
    const report = await indexHere({ ...job, source: { ...source, format } }, store, run);
    isOwed = isLarge;
    return report;
  };
});
