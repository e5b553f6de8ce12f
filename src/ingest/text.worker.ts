import { workerData } from 'node:worker_threads';
import { answerTasks } from '../sources/ask-thread.ts';
import { openSharedIndex } from '../stores/index.ts';
import type { TextStart } from './index-pool.ts';
import { TextReceiver } from './receive-text.ts';
import type { PipeMessage } from './text-pipe.ts';

const { share, pipe } = workerData as TextStart;

/** A thread that makes the full text of what another one reads, until that one has no more. */
answerTasks<'run', null>(() => {
  const store = openSharedIndex(share);
  const receiver = new TextReceiver(pipe);
  const take = async (message: Exclude<PipeMessage, 'over'>): Promise<void> => {
    for (const text of receiver.take(message)) await store.addText(text);
  };
  return () =>
    new Promise((resolve, reject) => {
      let done = Promise.resolve();
      pipe.port.on('message', (message: PipeMessage) => {
        done = done.then(() => (message === 'over' ? resolve(null) : take(message)));
        done.catch(reject);
      });
    });
});
