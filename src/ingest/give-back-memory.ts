import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Planning leaves tens of megabytes of garbage in a thread that only waits afterwards, a large tree leaves more, and so do files that were
 * watched while they grew: left alone they would stay. With a tree of 100,000 lines in memory it takes 130 ms.
 */
export function giveBackMemory(): void {
  collectGarbage({ flavor: 'last-resort' });
}

/** One line has room, whatever it says: `MOST_VALUES` of 64 bytes, and its text. In MiB. */
export const LINE_ROOM = 160;

/**
 * V8 ends the whole process, and not only the thread, when a thread has no memory left in the middle of something. So it stops before
 * that: this throws where less is left of what it may take than so many MiB.
 */
export function leaveRoom(wanted = LINE_ROOM): void {
  if (roomLeft() >= wanted) return;
  collectGarbage({});
  if (roomLeft() < wanted) throw new Error('there is not enough memory');
}

function roomLeft(): number {
  const { heap_size_limit: limit, used_heap_size: used } = getHeapStatistics();
  return (limit - used) / (1024 * 1024);
}

function collectGarbage(options: object): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')({ type: 'major', execution: 'sync', ...options });
  setFlagsFromString('--no-expose-gc');
}
