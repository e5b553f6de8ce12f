import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

const ENOUGH = 24e6;

/**
 * The space for short-lived objects grows as long as a program makes many, to a hundred megabytes beyond what is needed. Called now and
 * then, this keeps it from growing on once it is large enough.
 */
export function holdMemory(): void {
  const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  if (young && young.space_size >= ENOUGH) setFlagsFromString('--semi-space-growth-factor=1');
}
