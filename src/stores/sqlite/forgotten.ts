import { dirname, join } from 'node:path';
import { SkeinError } from '../../model/index.ts';
import { readCheckedLines, writeCheckedLines } from './checked-lines.ts';
import { explained } from './database.ts';

/** What was forgotten stands twice: in the archive, and here, where damage of the archive does not reach it. */
const forgottenPath = (archive: string): string => join(dirname(archive), 'forgotten');

/** What an archive says of what was forgotten. */
export interface ForgottenSays {
  readonly forgotten: ReadonlySet<string>;
  /** How many there must be; without it nobody knows. */
  readonly count: unknown;
}

/**
 * Everything that was forgotten. When neither list is whole it may be less than that: what comes of it would be archived again, so nothing
 * is, until somebody says that it may (`isLost`).
 */
export function joinForgotten(archive: string, says: ForgottenSays, isLost: boolean): Set<string> {
  const list = readCheckedLines(forgottenPath(archive));
  const all = new Set([...says.forgotten, ...(list?.lines ?? [])]);
  const isKnown = list?.isWhole || (typeof says.count === 'number' && all.size >= says.count);
  if (isKnown || isLost) return all;
  throw new SkeinError(
    'unreadable',
    `What was forgotten can be read neither in ${archive} nor in ${forgottenPath(archive)}, and would be archived again: nothing is archived. Put back a copy of one of them; or "skein index --forgotten-lost" goes on with what is left of the lists`,
  );
}

/** What the list beside the archive says; null when that is not all. */
export function readForgotten(archive: string): ReadonlySet<string> | null {
  const list = readCheckedLines(forgottenPath(archive));
  return list?.isWhole ? new Set(list.lines) : null;
}

export const writeForgotten = (archive: string, all: Iterable<string>): void =>
  explained(forgottenPath(archive), () => writeCheckedLines(forgottenPath(archive), [...all].sort()));
