import { parentPort, workerData } from 'node:worker_threads';
import { formats } from '../formats/index.ts';
import type { Format } from '../model/index.ts';
import {
  CREDIT,
  type FromWorker,
  numbersFrom,
  reportOf,
  type SentJob,
  type ToWorker,
  TreeRun,
  type Written,
} from './index-jobs.ts';

/** A thread that parses one tree after the other. It waits when the writer has not caught up. */
const port = parentPort;
const run = new TreeRun(numbersFrom((workerData as { segments: number }).segments));
let credit = CREDIT;
let proceed: (() => void) | null = null;

port?.on('message', (message: ToWorker) => {
  if (message === 'applied') {
    credit++;
    proceed?.();
  } else if (message === 'end') void end();
  else void perform(message.job);
});

async function perform(job: SentJob): Promise<void> {
  const format = formats.find(({ name }) => name === job.source.format) as Format;
  const index = run.open(job, format, job.chunks);
  for (const written of run.update(index, job)) await give(written);
  send({ report: reportOf(index) });
}

async function end(): Promise<void> {
  for (const written of run.end()) await give(written);
  send('ended');
}

async function give(written: Written): Promise<void> {
  if (credit === 0) await new Promise<void>((resolve) => (proceed = resolve));
  proceed = null;
  credit--;
  send(written);
}

function send(message: FromWorker): void {
  port?.postMessage(message, transferred(message));
}

/** A segment is handed over, not copied. */
function transferred(message: FromWorker): ArrayBuffer[] {
  const segment = typeof message === 'object' && 'text' in message ? message.text.segment : null;
  if (!segment) return [];
  const { ids, times, lengths, types, blocks, pairs } = segment;
  return [ids, times, lengths, types, ...blocks, ...pairs].map(({ buffer }) => buffer as ArrayBuffer);
}
