import { formats } from '../formats/index.ts';
import type { FilePlace, Prompt } from '../model/index.ts';
import { type Exclude, isExcluded } from './exclude.ts';
import { tombstoneOf } from './tombstone.ts';

const NEWLINE = 10;

/** What is not to be kept. */
export interface LeftOut {
  readonly tombstones: ReadonlySet<string>;
  readonly exclude: Exclude;
}

/** What takes the prompts of forgotten sessions and of excluded projects out of a history of prompts; null where there is nothing to take out. */
export function promptFilter({ agent, path }: FilePlace, leftOut: LeftOut): ((bytes: Uint8Array) => Uint8Array) | null {
  if (leftOut.tombstones.size === 0 && leftOut.exclude.length === 0) return null;
  const history = formats.find(({ name }) => name === agent)?.promptHistory;
  if (!history || path !== history.name) return null;
  const isKept = (line: Uint8Array): boolean => {
    const prompt = history.read(Buffer.from(line).toString('utf8'));
    return prompt === null || !isLeftOut(leftOut, agent, prompt);
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

/** Whether the session it was typed in is forgotten, or would be excluded. */
export function isLeftOut({ tombstones, exclude }: LeftOut, agent: string, { session, cwd }: Prompt): boolean {
  if (session !== null && tombstones.size > 0 && tombstones.has(tombstoneOf(agent, session))) return true;
  if (cwd === null || exclude.length === 0) return false;
  const project = formats.find(({ name }) => name === agent)?.promptHistory?.folderOf(cwd) ?? '';
  const path = session === null ? '' : `${session}.jsonl`;
  return isExcluded(exclude, { cwd, project, path, full: '' });
}
