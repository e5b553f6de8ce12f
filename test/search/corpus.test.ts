import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { idsOf, searchRoots } from '../kit/search-folder.ts';

interface Asked {
  readonly query: string;
  /** What somebody who asks so has in mind. */
  readonly intended: string;
  /** Every message that must be found, told by another program. */
  readonly found: readonly string[];
}

const CORPUS = resolve('../shared/corpus');
const roots = ['claude-code/projects', 'pi'].map((name) => join(CORPUS, name));
const asked: readonly Asked[] = JSON.parse(readFileSync(join(import.meta.dirname, 'corpus-queries.json'), 'utf8'));
const search = existsSync(CORPUS) ? searchRoots(roots) : null;

describe.skipIf(!search)(
  'M14 forty questions to the real sessions (skipped where the corpus does not lie beside the checkout)',
  () => {
    const first = new Map<string, readonly string[]>();

    test.each(asked)('$query finds all of them, and nothing else', async ({ query, found }) => {
      const answer = await search?.find(query);
      first.set(query, answer?.hits.slice(0, 5).map(({ uuid }) => uuid) ?? []);
      expect(answer && idsOf(answer)).toEqual([...found].sort());
      expect(answer?.total).toBe(found.length);
    });

    test('what is meant is among the first five for at least 36 of 40', () => {
      const missed = asked.filter(({ query, intended }) => !first.get(query)?.includes(intended));
      expect(asked).toHaveLength(40);
      expect(missed.length, missed.map(({ query }) => query).join(', ')).toBeLessThanOrEqual(4);
    });
  },
);
