import { join } from 'node:path';
import { bestMatches } from '../history/index.ts';
import { unitOf } from '../ingest/tombstone.ts';
import { type KeptFile, SkeinError } from '../model/index.ts';
import { isBelow } from '../sources/index.ts';
import { quote } from './command-line.ts';
import { readKeptFiles } from './options.ts';
import { plural } from './table.ts';

/** Looks for a session. One that is archived under a place that was not looked at is not found there, but told where it is. */
export function orTellWhere<T>(session: string, looked: readonly string[], find: () => T): T {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof SkeinError) || error.code !== 'not_found') throw error;
    const hint = placesOf(
      'it',
      bestMatches(filesElsewhere(looked), session, (file) => [unitOf(file)]),
    );
    throw new SkeinError('not_found', error.message + hint, error);
  }
}

/** Added to "nothing found": more is archived than was looked at. */
export const moreElsewhere = (looked: readonly string[]): string => placesOf('more', filesElsewhere(looked));

function filesElsewhere(looked: readonly string[]): KeptFile[] {
  const isInside = isBelow(looked);
  return readKeptFiles().filter(({ root, project }) => project !== '' && !isInside(join(root, project)));
}

function placesOf(what: string, files: readonly KeptFile[]): string {
  const [root, ...others] = new Set(files.map((file) => file.root));
  if (root === undefined) return '';
  const also = others.length === 0 ? '' : ` and ${plural(others.length, 'other folder')}`;
  return `; the archive has ${what} from ${root}${also}: add --root ${quote(root)}`;
}
