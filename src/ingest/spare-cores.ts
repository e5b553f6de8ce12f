import { setFlagsFromString } from 'node:v8';

/** How often a function runs before it is compiled to the fastest code. */
const USUAL = 3000;
const SPARING = 20_000;

/**
 * Where all cores are busy, what helps a thread takes its time from the others. So each collects its garbage alone: helpers take more time
 * for it than the thread would. And only what runs very often is compiled once more: what does not, costs as much as it saves, or more
 * (up to a twentieth of the work was seen). It holds for all threads of the process.
 */
export function spareCores(areBusy: boolean): void {
  setFlagsFromString(areBusy ? '--no-parallel-scavenge' : '--parallel-scavenge');
  setFlagsFromString(`--invocation-count-for-turbofan=${areBusy ? SPARING : USUAL}`);
}
