import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

const ENOUGH = 24e6;

/**
 * The space for short-lived objects grows as long as a program makes many, to a hundred megabytes beyond what is needed. Called now and
 * then, this keeps it from growing on once it is large enough.
 */
export function holdMemory(): void {
  const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  if (young && young.space_size >= ENOUGH) keepMemorySmall();
}

/**
 * It does not grow at all. Then garbage, and the bytes that hang on it, is found at once; in a large space it waits until the collector
 * goes over everything, which takes longer the more is held. This is for a program that stays and does a little now and then.
 */
export function keepMemorySmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** For much work: it holds for all threads of the process, and one that parses a log takes a tenth longer in a small space. */
export function letMemoryGrow(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
}

/**
 * A thread looks for garbage when it holds half as much again as the last time: where that is little, dozens of times in a run, each time
 * over all it holds. Told to wait, it goes on until it holds so many percent more; 0: as usual. It holds for all threads of the process.
 */
export function letGarbageWait(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
