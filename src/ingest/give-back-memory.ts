import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Planning leaves tens of megabytes of garbage in a thread that only waits afterwards, a large tree leaves more, and who watches files for
 * days makes a little all the time: left alone they would stay. It takes some milliseconds.
 */
export function giveBackMemory(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  setFlagsFromString('--no-expose-gc');
}
