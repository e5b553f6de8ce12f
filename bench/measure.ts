import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
export const collectGarbage = runInNewContext('gc') as () => void;

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

const median = (values: readonly number[]): number => quantile(values, 0.5);

export interface Comparison {
  /** Median of the ratios of the rounds. */
  readonly ratio: number;
  /** What was seen, for judging how quiet the machine was. */
  readonly note: string;
}

const ROUNDS = 5;

/**
 * How long `a` takes by how long `b` takes: they run in turn, so that a slow moment of the machine meets both. Each is run once before
 * it is timed: that run pays for what the other one left behind. Nothing is collected by force in between, because V8 then drops the
 * optimised code too, and what is measured is how fast it compiles.
 */
export function compare(a: () => unknown, b: () => unknown): Comparison {
  const ratios: number[] = [];
  const times: [number[], number[]] = [[], []];
  for (let round = -1; round < ROUNDS; round++) {
    const [first, second] = [timeAgain(a), timeAgain(b)];
    if (round < 0) continue;
    ratios.push(first / second);
    times[0].push(first);
    times[1].push(second);
  }
  const spread = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
  const note = `${spread}; ${median(times[0]).toFixed(0)} over ${median(times[1]).toFixed(0)} ms`;
  return { ratio: median(ratios), note };
}

/**
 * Milliseconds of one core: the work of all threads of this process counts, also that of the garbage collector and the compiler, which
 * run beside ours where there are more cores. Other programs do not count. The clock moves in steps of a few milliseconds.
 */
function timeAgain(run: () => unknown): number {
  run();
  const start = cpuTime();
  for (let runs = 1; ; runs++) {
    run();
    const spent = cpuTime() - start;
    if (spent > LEAST_MS) return spent / runs;
  }
}

const LEAST_MS = 200;

export function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
