import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FoundRoots, Root } from '../sources/index.ts';
import type { Exclude } from './exclude.ts';
import { type FoundFile, findArchivable } from './find-archivable.ts';

/** What an agent deletes by itself, and when. */
export interface Deletions {
  readonly agent: string;
  readonly root: string;
  readonly afterDays: number;
  /** Logs that are on disk now. */
  readonly files: number;
  /** Of these, how many are deleted within the next seven days. */
  readonly soon: number;
  /** When the oldest is due, epoch milliseconds; null without any. */
  readonly first: number | null;
  /** How many of all are not archived as they are on disk. */
  readonly unarchived: number;
}

const DAY = 24 * 60 * 60 * 1000;
const SOON = 7 * DAY;
const CLAUDE_DAYS = 30;

/** Claude Code removes logs that were not written for `cleanupPeriodDays`; Pi removes nothing. */
export function findDeletions(
  found: FoundRoots,
  exclude: Exclude,
  isArchived: (file: FoundFile) => boolean,
  now = Date.now(),
): Deletions[] {
  return found.roots
    .filter(({ format }) => format?.name === 'claude-code')
    .map((root) => {
      const afterDays = cleanupDays(root);
      const { files } = findArchivable({ ...found, roots: [root] }, exclude, []);
      const logs = files.filter(({ kind }) => kind === 'log');
      const due = logs.map(({ modified }) => modified + afterDays * DAY);
      return {
        agent: root.format?.name ?? '',
        root: root.path,
        afterDays,
        files: logs.length,
        soon: due.filter((time) => time < now + SOON).length,
        first: due.length === 0 ? null : due.reduce((a, b) => Math.min(a, b)),
        unarchived: logs.filter((file) => !isArchived(file)).length,
      };
    });
}

function cleanupDays({ path }: Root): number {
  try {
    const { cleanupPeriodDays } = JSON.parse(readFileSync(join(dirname(path), 'settings.json'), 'utf8'));
    return typeof cleanupPeriodDays === 'number' && cleanupPeriodDays >= 0 ? cleanupPeriodDays : CLAUDE_DAYS;
  } catch {
    return CLAUDE_DAYS;
  }
}
