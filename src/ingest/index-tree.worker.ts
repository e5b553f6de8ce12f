import { parentPort } from 'node:worker_threads';
import { formats } from '../formats/index.ts';
import type { Format } from '../model/index.ts';
import { batchesOf, CREDIT, type FromWorker, openJob, reportOf, type SentJob } from './index-jobs.ts';

/** A thread that parses one tree after the other. It waits when the writer has not caught up. */
const port = parentPort;
let credit = CREDIT;
let proceed: (() => void) | null = null;

port?.on('message', (message: SentJob | 'applied') => {
  if (message !== 'applied') {
    void perform(message);
    return;
  }
  credit++;
  proceed?.();
});

async function perform(job: SentJob): Promise<void> {
  const format = formats.find(({ name }) => name === job.source.format) as Format;
  const index = openJob(job, format, job.chunks);
  for (const batch of batchesOf(job, job.source, index)) {
    if (credit === 0) await new Promise<void>((resolve) => (proceed = resolve));
    proceed = null;
    credit--;
    send({ batch });
  }
  send({ report: reportOf(index) });
}

function send(message: FromWorker): void {
  port?.postMessage(message);
}
