export interface Lanes<Job> {
  /** So many at a time. */
  readonly lanes: number;
  /** Lanes that others have at first; each is free when its promise resolves. */
  readonly lent?: readonly Promise<void>[];
  /** MiB that those under way may take together; a larger one is alone. */
  readonly memory: number;
  readonly memoryOf: (job: Job) => number;
  /** When a job may begin; at once without it. */
  readonly whenReady?: (job: Job) => Promise<void>;
}

/** Performs all jobs. The first that is ready and fits in comes next. */
export async function inParallel<Job>(
  jobs: readonly Job[],
  { lanes, lent = [], memory, memoryOf, whenReady }: Lanes<Job>,
  perform: (job: Job) => Promise<void>,
): Promise<void> {
  const waiting = jobs.map((job) => ({ job, memory: memoryOf(job), isReady: !whenReady }));
  let [free, underWay, taken] = [lanes - lent.length, 0, 0];
  /** Each may let another job begin. */
  const awaited = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const follow = (run: Promise<void>, then: () => void): void => {
    const ended: Promise<void> = run
      .then(then, (error) => void failures.push(error))
      .finally(() => awaited.delete(ended));
    awaited.add(ended);
  };
  for (const lane of lent) follow(lane, () => free++);
  for (const each of waiting)
    if (whenReady)
      follow(whenReady(each.job), () => {
        each.isReady = true;
      });
  while (waiting.length > 0 || underWay > 0) {
    // The others follow from the first.
    if (failures.length > 0) throw failures[0];
    const fits = waiting.findIndex((each) => each.isReady && (underWay === 0 || taken + each.memory <= memory));
    const [next] = free > 0 && fits >= 0 ? waiting.splice(fits, 1) : [];
    if (!next) {
      await Promise.race(awaited);
      continue;
    }
    free--;
    underWay++;
    taken += next.memory;
    follow(perform(next.job), () => {
      free++;
      underWay--;
      taken -= next.memory;
    });
  }
}
