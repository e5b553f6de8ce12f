import { formats } from '../formats/index.ts';
import type { FilePlace } from '../model/index.ts';
import { tombstoneOf } from './tombstone.ts';

const NEWLINE = 10;

/** What takes the prompts of forgotten sessions out of a history of prompts; null where there is nothing to take out. */
export function promptFilter(
  { agent, path }: FilePlace,
  tombstones: ReadonlySet<string>,
): ((bytes: Uint8Array) => Uint8Array) | null {
  if (tombstones.size === 0) return null;
  const history = formats.find(({ name }) => name === agent)?.promptHistory;
  if (!history || path !== history.name) return null;
  const isKept = (line: Uint8Array): boolean => {
    const session = history.read(Buffer.from(line).toString('utf8'))?.session;
    return session === undefined || !tombstones.has(tombstoneOf(agent, session));
  };
  return (bytes) => {
    const kept: Uint8Array[] = [];
    // A line that is still being written cannot be judged yet.
    for (let start = 0, end = bytes.indexOf(NEWLINE); end >= 0; start = end + 1, end = bytes.indexOf(NEWLINE, start)) {
      const line = bytes.subarray(start, end + 1);
      if (isKept(line)) kept.push(line);
    }
    return Buffer.concat(kept);
  };
}
