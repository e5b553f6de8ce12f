import { workerData } from 'node:worker_threads';
import { answerTasks } from '../sources/ask-thread.ts';
import { openSharedIndex } from '../stores/index.ts';
import { write } from './index-jobs.ts';
import type { WriterStart } from './index-pool.ts';
import { TextReceiver } from './receive-text.ts';
import { receivedRows } from './send-rows.ts';
import { type PipeMessage, PipeState, waitForTurn, whenIdle } from './text-pipe.ts';

const { share, pipe } = workerData as WriterStart;

/** A thread that writes what another one reads, and makes the full text of it, until that one has no more. */
answerTasks<'run', null, 'rows'>(() => {
  const store = openSharedIndex(share);
  const receiver = new TextReceiver(pipe);
  const state = new Int32Array(pipe.state);
  const take = async (message: Exclude<PipeMessage, 'most rows' | 'rows over' | 'over'>): Promise<void> => {
    if (typeof message === 'number' || message instanceof Uint8Array) {
      for (const text of receiver.take(message)) {
        waitForTurn(state);
        await store.addText(text);
      }
      return;
    }
    await write(receivedRows(message), store);
    Atomics.add(state, PipeState.written, 1);
    Atomics.notify(state, PipeState.written);
  };
  return (_, tell) =>
    new Promise((resolve, reject) => {
      const next = (message: PipeMessage): Promise<void> | void => {
        if (message === 'over') return resolve(null);
        // The thread that reads is the slower one by now: when nobody else works beside it, there is time for this.
        if (message === 'most rows') return void whenIdle(state).then(() => inTurn(() => store.addIndexes()));
        if (message !== 'rows over') return take(message);
        tell('rows');
      };
      let done = Promise.resolve();
      const inTurn = (step: () => Promise<void> | void): void => {
        done = done.then(step);
        done.catch(reject);
      };
      pipe.port.on('message', (message: PipeMessage) => inTurn(() => next(message)));
    });
});
