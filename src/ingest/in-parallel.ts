export interface Lanes<Job> {
  /** So many at a time. */
  readonly lanes: number;
  /** MiB that those under way may take together; a larger one is alone. */
  readonly memory: number;
  readonly memoryOf: (job: Job) => number;
}

/** Performs all jobs. The first that fits in comes next. */
export async function inParallel<Job>(
  jobs: readonly Job[],
  { lanes, memory, memoryOf }: Lanes<Job>,
  perform: (job: Job) => Promise<void>,
): Promise<void> {
  const waiting = jobs.map((job) => ({ job, memory: memoryOf(job) }));
  const underWay = new Set<Promise<void>>();
  let taken = 0;
  while (waiting.length > 0 || underWay.size > 0) {
    const fits = waiting.findIndex((each) => underWay.size === 0 || taken + each.memory <= memory);
    const [next] = underWay.size < lanes && fits >= 0 ? waiting.splice(fits, 1) : [];
    if (!next) {
      await Promise.race(underWay);
      continue;
    }
    taken += next.memory;
    const run: Promise<void> = perform(next.job).finally(() => {
      taken -= next.memory;
      underWay.delete(run);
    });
    // Who waits hears of the first failure; the others follow from it.
    run.catch(() => {});
    underWay.add(run);
  }
}
