import { SkeinError } from '../../model/index.ts';

/** What `work` gives; as soon as `signal` says stop, an error, whether the work heeds the signal or not. */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  // Nobody waits for it any more when it fails later.
  work.catch(() => undefined);
  let stop = () => {};
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = () => reject(new SkeinError('aborted', 'Stopped on request'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([stopped, work]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
