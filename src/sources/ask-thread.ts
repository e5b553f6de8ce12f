import { parentPort, type Worker } from 'node:worker_threads';
import { SkeinError } from '../model/index.ts';

/** What a thread says about a task. On its way to another thread an error loses its class, so ours go as what they say. */
type Answer<Done, News> =
  | { readonly done: Done }
  | { readonly news: News }
  | { readonly refused: Pick<SkeinError, 'code' | 'message'> };

/** One task for a thread, until it is done. A thread that failed is ended. */
export function askThread<Task, Done, News = never>(
  worker: Worker,
  task: Task,
  onNews: (news: News) => void = () => undefined,
): Promise<Done> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      worker.off('error', fail).off('exit', onExit).off('message', onMessage);
    };
    const fail = (error: unknown): void => {
      stop();
      void worker.terminate();
      reject(error);
    };
    const onExit = (code: number): void => fail(new Error(`a thread ended with ${code}`));
    const onMessage = (answer: Answer<Done, News>): void => {
      if ('news' in answer) onNews(answer.news);
      else if ('refused' in answer) fail(new SkeinError(answer.refused.code, answer.refused.message));
      else {
        stop();
        resolve(answer.done);
      }
    };
    worker.on('error', fail).on('exit', onExit).on('message', onMessage);
    worker.postMessage(task);
  });
}

/**
 * Ends a thread between two of its steps. Node ends a thread anywhere, and the whole process with it where it has just begun to compress
 * or to decompress something. One that does not come to an end in so many milliseconds does neither: it is terminated.
 */
export async function endThread(worker: Worker, patience = PATIENCE): Promise<void> {
  if (worker.threadId < 0) return;
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  const timer = setTimeout(() => void worker.terminate(), patience);
  worker.ref();
  worker.postMessage(END);
  await ended;
  clearTimeout(timer);
}

const PATIENCE = 60_000;
const END = 'end of the thread';

/** In the thread: whether it was told so. */
export const isEnd = (message: unknown): message is typeof END => message === END;

/** What a thread does with a task. */
type Perform<Task, Done, News> = (task: Task, tell: (news: News) => void) => Promise<Done>;

/** The other end. `begin` is called with the first task, so that its failure is the answer to that. */
export function answerTasks<Task, Done, News = never>(
  begin: () => Perform<Task, Done, News> | Promise<Perform<Task, Done, News>>,
): void {
  let perform: Perform<Task, Done, News> | null = null;
  const say = (answer: Answer<Done, News>): void => parentPort?.postMessage(answer);
  parentPort?.on('message', async (task: Task | typeof END) => {
    if (isEnd(task)) process.exit();
    try {
      perform ??= await begin();
      say({ done: await perform(task, (news) => say({ news })) });
    } catch (error) {
      if (!(error instanceof SkeinError)) throw error;
      say({ refused: { code: error.code, message: error.message } });
    }
  });
}
